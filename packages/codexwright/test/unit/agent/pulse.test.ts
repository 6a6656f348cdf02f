import { definePrompt, section, tool } from "codexwright/agent";
import { exec, gate, reply, toolCall } from "@codexwright/testing";
import { expect } from "vitest";
import { z } from "zod";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { systemClock } from "../../../src/agent/clock.ts";
import { Pulse } from "../../../src/agent/run/pulse.ts";
import { fakeClock } from "./plan.ts";
import { eventsOf, fakeWorld, plain } from "./run-world.ts";

const FAKE = { against: "fake" } as const;

verifies("agent.run.heard", "the age of a sign of life does not depend on the system clock", () => {
  let now = 1_000_000;
  const clock = { ...systemClock, now: () => now };
  const pulse = new Pulse(clock);
  expect([pulse.lastHeardAt, pulse.quietMs]).toEqual([undefined, 0]);
  pulse.heard();
  now += 5_000;
  expect([pulse.lastHeardAt, pulse.quietMs]).toEqual([1_000_000, 5_000]);

  // The system clock is set back by a day while the run waits.
  const before = Date.now;
  const monotonic = new Pulse(systemClock);
  monotonic.heard();
  const at = monotonic.lastHeardAt;
  try {
    Date.now = () => before() - 86_400_000;
    expect(monotonic.quietMs).toBeGreaterThanOrEqual(0);
    expect(monotonic.quietMs).toBeLessThan(3_600_000);
    expect(monotonic.lastHeardAt).toBe(at);
    expect(Math.abs((at ?? 0) - before())).toBeLessThan(60_000);
  } finally {
    Date.now = before;
  }
});

verifies(
  "agent.run.heard",
  "deltas and the output of commands are signs of life",
  async () => {
    const clock = fakeClock(1_000);
    const [first, second] = [gate(), gate()];
    await using world = await fakeWorld(
      {
        model: [
          exec("make", { output: ["a", "b"], until: first }),
          reply("done", { deltas: ["do", second, "ne"] }),
        ],
      },
      { agent: { clock } },
    );
    const run = world.agent.run(plain);
    for await (const event of run) {
      if (event.type === "tool.started") {
        clock.advance(700);
        expect(run.quietMs).toBe(700);
        expect(run.isHeld).toBe(true);
        first.open();
      }
      if (event.type === "tool.invoked") expect(run.quietMs).toBe(0);
      if (event.type === "text.delta" && event.delta === "do") {
        clock.advance(300);
        expect(run).toMatchObject({ quietMs: 300, isHeld: false, lastHeardAt: 1_700 });
        second.open();
      }
    }
    await run.result;
    expect(run).toMatchObject({ lastHeardAt: 2_000, isHeld: true });
  },
  FAKE,
);

verifies(
  "agent.run.held",
  "a tool of ours, an approval and a completion check hold the silence clock, which begins again when they end",
  async () => {
    const clock = fakeClock(0);
    const [inTool, inApproval, inCheck] = [deferred(), deferred(), deferred()];
    const released = { tool: deferred(), approval: deferred(), check: deferred() };
    const slow = tool({
      name: "slow",
      description: "Waits.",
      input: z.object({}),
      run: async () => {
        inTool.resolve();
        await released.tool.promise;
        return "";
      },
    });
    const prompt = definePrompt({
      id: "held",
      sections: [section({ key: "a", title: "A", body: "Go.", tools: [slow] })],
      completion: async () => {
        inCheck.resolve();
        await released.check.promise;
        return undefined;
      },
    });
    await using world = await fakeWorld(
      { model: [toolCall("slow", {}), exec("rm x", { justification: "why" }), reply("done")] },
      {
        agent: {
          clock,
          sandbox: "read-only",
          onApproval: async () => {
            inApproval.resolve();
            await released.approval.promise;
            return "decline" as const;
          },
        },
      },
    );
    const run = world.agent.run(prompt);
    const hour = 3_600_000;
    for (const [reached, release] of [
      [inTool, released.tool],
      [inApproval, released.approval],
      [inCheck, released.check],
    ] as const) {
      await reached.promise;
      clock.advance(hour);
      expect(run).toMatchObject({ isHeld: true, quietMs: hour });
      release.resolve();
    }
    await run.result;
    // Each hold that ended was a new begin of the silence.
    expect(run).toMatchObject({ quietMs: 0, lastHeardAt: 3 * hour });
  },
  FAKE,
);

verifies(
  ["agent.run.thread-name", "agent.run.thread-id"],
  "a name that the server refuses is a warning; a thread and a reused thread exclude each other",
  async () => {
    await using world = await fakeWorld({ model: () => reply("done") }, { agent: { ephemeral: true } });
    expect(() => world.agent.run(plain, { threadId: "t", reuseThread: true })).toThrow(
      "pass either threadId or reuseThread",
    );
    expect(() => world.agent.run(plain, { threadId: "" })).toThrow("threadId");
    const missing = world.agent.run(plain, { threadId: "no-such-thread" });
    expect(await rejection(missing.result)).toMatchObject({ phase: "request" });
    expect(eventsOf(missing, "thread.started")).toEqual([]);
    expect(world.fake.requests).toHaveLength(0);
    const run = world.agent.run(plain, { threadName: "Name" });
    expect((await run.result).text).toBe("done");
    expect(eventsOf(run, "warning")[0]?.message).toContain("the thread could not be named: ephemeral");
  },
  FAKE,
);
