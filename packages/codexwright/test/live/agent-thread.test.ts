import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { createSession, definePrompt, section } from "codexwright/agent";
import { exec, gate, hang, reply } from "@codexwright/testing";
import { rejection, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { agentWorld, eventsOf } from "./agent-world.ts";

const plain = definePrompt({ id: "plain", sections: [section({ key: "a", title: "A", body: "Go." })] });

verifies(
  ["agent.run.thread-id", "agent.run.ids"],
  "a run resumes the thread that the caller names, on another server too, and knows its thread and turn early",
  async () => {
    const held = gate();
    await using live = await agentWorld(
      ({ index }) => (index === 1 ? [reply("second", { deltas: ["sec", held, "ond"] })] : reply("ok")),
      { agent: { spawn: "per-run" } },
    );
    const { threadId } = await live.agent.run(plain).result;
    const session = createSession({ slices: [] });
    const run = live.agent.run(plain, { threadId, session, resumeText: () => "go on" });
    const seen: unknown[] = [];
    for await (const event of run) {
      if (event.type !== "thread.started" && event.type !== "turn.started") continue;
      seen.push(event);
      if (event.type === "turn.started") held.open();
    }
    const { turns } = await run.result;
    expect(seen).toMatchObject([
      { type: "thread.started", threadId, reused: true },
      { type: "turn.started", threadId, turnId: turns[0] },
    ]);
    expect(live.model.requests[1]?.lastUserText).toBe("go on");
    expect(live.sent("thread/start")).toHaveLength(1);
    expect(live.connects).toBe(2);
  },
  PINNED,
);

verifies(
  "agent.run.thread-id",
  "a thread that cannot be resumed, or is in use, fails the run with the client's error, and no thread is started",
  async () => {
    const held = gate();
    await using live = await agentWorld(() => [held, reply("ok")]);
    const unknown = "01990000-0000-7000-8000-000000000000";
    const lost = await rejection(live.agent.run(plain, { threadId: unknown }).result);
    expect(lost).toMatchObject({ code: "no_rollout", phase: "request", cause: { code: "no_rollout" } });
    expect(await rejection(live.agent.run(plain, { threadId: "../x" }).result)).toMatchObject({
      phase: "request",
    });
    expect(live.sent("thread/start")).toHaveLength(0);

    const first = live.agent.run(plain);
    await held.reached;
    const { threadId } = eventsOf(first, "thread.started")[0] ?? {};
    const busy = await rejection(live.agent.run(plain, { threadId }).result);
    expect(busy).toMatchObject({ code: "thread_busy", phase: "request" });
    held.open();
    await first.result;
    expect(await live.agent.run(plain, { threadId }).result).toMatchObject({ threadId });
    expect(live.sent("thread/start")).toHaveLength(1);
    expect(live.sent("turn/start")).toHaveLength(2);
  },
  PINNED,
);

verifies(
  ["agent.run.sandbox-policy", "agent.R43"],
  "the sandbox policy of a run applies to its turns, and a thread with another policy is not reused",
  async () => {
    await using live = await agentWorld(
      ({ toolOutputs, index }) =>
        Object.keys(toolOutputs).length % 2 === 0
          ? exec("touch made.txt", { callId: `c${index}` })
          : reply("ok"),
      { agent: { sandbox: "read-only" } },
    );
    const made = path.join(live.server.workspace, "made.txt");
    const session = createSession({ slices: [] });
    const confined = live.agent.run(plain, { session });
    await confined.result;
    expect(existsSync(made)).toBe(false);
    const sandboxPolicy = { type: "workspaceWrite", writableRoots: [], networkAccess: false } as never;
    const open = live.agent.run(plain, { session, reuseThread: true, sandboxPolicy });
    await open.result;
    expect(existsSync(made)).toBe(true);
    expect(eventsOf(open, "thread.started")).toMatchObject([
      { reused: false, reason: "settings changed: sandboxPolicy" },
    ]);
    const again = live.agent.run(plain, { session, reuseThread: true });
    await again.result;
    expect(eventsOf(again, "thread.started")).toMatchObject([
      { reused: false, reason: "settings changed: sandboxPolicy" },
    ]);
    expect(live.sent("turn/start").map((params) => params["sandboxPolicy"] !== undefined)).toEqual([
      false,
      true,
      false,
    ]);
  },
  PINNED,
);

verifies(
  ["agent.run.thread-name", "agent.run.silence"],
  "a run names its thread, and limits the silence of its turns",
  async () => {
    await using live = await agentWorld(() => hang());
    const run = live.agent.run(plain, { threadName: "ABC-1: Fix it", silenceMs: 600 });
    expect(await rejection(run.result)).toMatchObject({
      code: "turn_timeout",
      cause: { limit: "silenceMs" },
    });
    const { threadId } = eventsOf(run, "thread.started")[0] ?? {};
    const named = live.wire().find(({ message }) => message["method"] === "thread/name/updated")?.message;
    expect(named?.["params"]).toEqual({ threadId, threadName: "ABC-1: Fix it" });
    expect(eventsOf(run, "warning").filter(({ message }) => message.includes("named"))).toEqual([]);
  },
  PINNED,
);

verifies(
  ["agent.run.heard", "agent.run.held"],
  "the output of a command is a sign of life without being an event, and a running command holds the silence clock",
  async () => {
    const wait = (name: string): string => `until [ -e ${name} ]; do sleep 0.02; done`;
    await using live = await agentWorld([exec(`${wait("one")}; echo heard; ${wait("two")}`), reply("ok")], {
      agent: { sandbox: "danger-full-access" },
    });
    const run = live.agent.run(plain);
    expect(run.lastHeardAt).toBeUndefined();
    expect(run.quietMs).toBe(0);
    const touch = (name: string): void => writeFileSync(path.join(live.server.workspace, name), "");
    const output = (): boolean =>
      live.lines.some((line) => JSON.stringify(line).includes("item/commandExecution/outputDelta"));
    for await (const event of run) {
      if (event.type !== "tool.started") continue;
      expect(run.isHeld).toBe(true);
      const [before, { length }] = [run.lastHeardAt ?? 0, run.events];
      touch("one");
      await until(() => output() && (run.lastHeardAt ?? 0) > before);
      expect(run.events).toHaveLength(length);
      expect(run.isHeld).toBe(true);
      touch("two");
    }
    await run.result;
    expect(Math.abs(Date.now() - (run.lastHeardAt ?? 0))).toBeLessThan(60_000);
    expect(run.quietMs).toBeGreaterThanOrEqual(0);
  },
  PINNED,
);

verifies(
  ["agent.run.completion", "agent.run.completion-limit"],
  "a completion check continues a thread for 20 turns, each text is the input of the next turn, and the run ends normally",
  async () => {
    await using live = await agentWorld(({ index }) => reply(`turn ${index + 1}`));
    const prompt = definePrompt({
      id: "long",
      sections: [section({ key: "a", title: "A", body: "Go." })],
      completion: {
        check: async ({ round }) => Promise.resolve(`continue after ${round}`),
        maxRounds: 20,
        atLimit: "end",
      },
    });
    const { limitReached, text, turns, threadId } = await live.agent.run(prompt).result;
    expect({ limitReached, text }).toEqual({ limitReached: true, text: "turn 20" });
    expect(new Set(turns).size).toBe(20);
    const started = live.sent("turn/start");
    expect(started.map((params) => params["threadId"])).toEqual(turns.map(() => threadId));
    expect(started.slice(1).map((params) => params["input"])).toMatchObject(
      turns.slice(1).map((_, index) => [{ type: "text", text: `continue after ${index + 1}` }]),
    );
    expect(live.sent("thread/start")).toHaveLength(1);
  },
  PINNED,
);
