import { expect } from "vitest";
import { z } from "zod";
import {
  AgentError,
  BudgetMeter,
  definePrompt,
  section,
  systemClock,
  tool,
  type AgentToolContext,
} from "codexwright/agent";
import { exec, hang, reply, subAgent, toolCall, usage } from "@codexwright/testing";
import { deferred, rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { agentWorld, eventsOf } from "./agent-world.ts";
import { PINNED } from "@codexwright/test-support/world";

const plain = definePrompt({ id: "plain", sections: [section({ key: "a", title: "A", body: "Go." })] });

/** A clock whose timers fire only when the test says so. */
function heldClock() {
  const timers: (() => void)[] = [];
  let now = Date.now();
  return {
    now: () => now,
    after: (ms: number, run: () => void) => {
      if (ms < 10_000) return systemClock.after(ms, run);
      timers.push(run);
      return () => {};
    },
    expire: (ms: number) => {
      now += ms;
      for (const run of timers.splice(0)) run();
    },
  };
}

verifies(
  ["agent.R31", "agent.R75", "agent.R91", "agent.R92", "agent.run.stop"],
  "a deadline aborts tools, interrupts the turn once and fails the run; the server keeps running",
  async () => {
    const clock = heldClock();
    const running = deferred<AgentToolContext>();
    const slow = tool({
      name: "slow",
      description: "Waits.",
      input: z.object({}),
      run: async (_, ctx: AgentToolContext) => {
        running.resolve(ctx);
        await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      },
    });
    const prompt = definePrompt({
      id: "slow",
      sections: [section({ key: "a", title: "A", body: "Go.", tools: [slow] })],
    });
    await using live = await agentWorld([toolCall("slow", {}), reply("next")], { agent: { clock } });
    const run = live.agent.run(prompt, { deadlineMs: 60_000 });
    const ctx = await running.promise;
    expect(ctx.deadline?.remainingMs()).toBe(60_000);
    clock.expire(60_001);
    const error = await rejection(run.result);
    expect(error).toBeInstanceOf(AgentError);
    expect(error).toMatchObject({ code: "deadline_exceeded", phase: "request", promptId: "slow" });
    expect(live.sent("turn/interrupt")).toHaveLength(1);
    expect(eventsOf(run, "tool.invoked")).toMatchObject([
      { name: "slow", ok: false, error: { kind: "aborted" } },
    ]);
    expect(run.events.at(-1)).toMatchObject({
      type: "prompt.executed",
      error: { code: "deadline_exceeded", phase: "request" },
    });
    const next = live.agent.run(plain);
    expect((await next.result).text).toBe("next");
    expect(live.connects).toBe(1);
  },
  PINNED,
);

verifies(
  ["agent.R32", "agent.R74", "agent.R111"],
  "a budget counts every model call, interrupts the turn, and can be shared by runs",
  async () => {
    const tokens = usage({ inputTokens: 10, outputTokens: 5 });
    const script = () => [exec("true"), tokens];
    await using live = await agentWorld(script);
    const run = live.agent.run(plain, { budget: { totalTokens: 40 } });
    expect(await rejection(run.result)).toMatchObject({
      code: "budget_exceeded",
      phase: "budget",
      dimension: "totalTokens",
      limit: 40,
      used: { inputTokens: 30, outputTokens: 15, totalTokens: 45 },
    });
    // Until the interrupt takes effect, the server may call the model once more.
    const told = eventsOf(run, "usage").slice(0, 3);
    expect(told.map(({ delta, total }) => [delta.totalTokens, total.totalTokens])).toEqual([
      [15, 15],
      [15, 30],
      [15, 45],
    ]);
    expect(live.sent("turn/interrupt")).toHaveLength(1);

    const meter = new BudgetMeter({ outputTokens: 18 });
    expect(await rejection(live.agent.run(plain, { budget: meter }).result)).toMatchObject({
      code: "budget_exceeded",
    });
    const spent = live.agent.run(plain, { budget: meter });
    expect(await rejection(spent.result)).toMatchObject({ code: "budget_exceeded", phase: "budget" });
    expect(spent.events.map(({ type }) => type)).toEqual(["prompt.executed"]);
  },
  PINNED,
);

verifies(
  "agent.run.sub-agents",
  "tokens of a sub-agent count against the budget, and the sub-agent is stopped with the run",
  async () => {
    const prompt = definePrompt({
      id: "parent",
      sections: [section({ key: "a", title: "A", body: "parent" })],
    });
    const parentWaits = deferred();
    await using live = await agentWorld(async (request) => {
      const tokens = usage({ inputTokens: 10, outputTokens: 10 });
      const outputs = Object.keys(request.toolOutputs).length;
      if (request.lastUserText.includes("parent")) {
        if (outputs === 0) return [subAgent("child task"), tokens];
        parentWaits.resolve();
        return hang();
      }
      if (outputs === 0) return [exec("true"), tokens];
      await parentWaits.promise;
      // This call exceeds the budget: the parent and the child have used 20 each so far.
      return [exec("true"), tokens];
    });
    const run = live.agent.run(prompt, { budget: { totalTokens: 59 } });
    expect(await rejection(run.result)).toMatchObject({ code: "budget_exceeded" });
    const usages = eventsOf(run, "usage");
    expect(usages.at(-1)?.total.totalTokens).toBeGreaterThanOrEqual(60);
    expect(new Set(usages.map(({ threadId }) => threadId)).size).toBe(2);
    const interrupted = new Set(live.sent("turn/interrupt").map((params) => params["threadId"]));
    expect(interrupted.size).toBe(2);
  },
  PINNED,
);

verifies(
  "agent.run.sub-agents",
  "interrupts a sub-agent that is still working when the run has its answer",
  async () => {
    const childAsks = deferred();
    await using live = await agentWorld(async (request) => {
      if (!request.lastUserText.includes("Go.")) {
        childAsks.resolve();
        return hang();
      }
      if (Object.keys(request.toolOutputs).length === 0) return subAgent("child task");
      await childAsks.promise;
      return reply("done without it");
    });
    const { text, threadId } = await live.agent.run(plain).result;
    expect(text).toBe("done without it");
    const [stopped] = live.sent("turn/interrupt");
    expect(stopped?.["threadId"]).not.toBe(threadId);
    const ended = (): boolean =>
      live.wire().some(({ message: { method, params } }) => {
        const { threadId: of, turn } = (params ?? {}) as { threadId?: string; turn?: { status?: string } };
        return method === "turn/completed" && of === stopped?.["threadId"] && turn?.status === "interrupted";
      });
    await until(ended);
  },
  PINNED,
);

verifies(
  ["agent.run.stop", "agent.run.steer", "agent.run.iteration"],
  "a run can be steered, interrupted, aborted by its signal, and disposed",
  async () => {
    await using live = await agentWorld(() => hang());
    const steered = live.agent.run(plain);
    expect(await rejection(steered.steer("too early"))).toMatchObject({ code: "no_active_turn" });
    await live.model.request(0);
    await steered.steer("and hurry");
    expect(live.sent("turn/steer")).toMatchObject([{ input: [{ text: "and hurry" }] }]);
    await steered.interrupt();
    expect(await rejection(steered.result)).toMatchObject({ code: "turn_interrupted" });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { type } of steered) seen.push(type);
    })();
    expect(await rejection(reading)).toBe(await rejection(steered.result));
    expect(seen.at(-1)).toBe("prompt.executed");

    const stop = new AbortController();
    const aborted = live.agent.run(plain, { signal: stop.signal });
    await live.model.request(1);
    stop.abort("enough");
    expect(await rejection(aborted.result)).toMatchObject({ code: "aborted", cause: "enough" });
    const early = live.agent.run(plain, { signal: stop.signal });
    expect(await rejection(early.result)).toMatchObject({ code: "aborted" });
    expect(early.events.map(({ type }) => type)).toEqual(["prompt.executed"]);
    {
      await using disposed = live.agent.run(plain);
      await live.model.request(2);
      void disposed;
    }
    expect(live.sent("turn/interrupt")).toHaveLength(3);
  },
  PINNED,
);
