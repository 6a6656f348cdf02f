import { rmSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { createSession, definePrompt, section, Session, ThreadsSlice, tool } from "codexwright/agent";
import { reply, usage } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { agentWorld, eventsOf } from "./agent-world.ts";
import { PINNED } from "@codexwright/test-support/world";

const promptWith = (description: string) =>
  definePrompt({
    id: "talk",
    input: z.object({ say: z.string() }),
    sections: [
      section({
        key: "a",
        title: "A",
        body: (p: { say: string }) => p.say,
        tools: [tool({ name: "noop", description, input: z.object({}), run: () => "" })],
      }),
    ],
  });
const prompt = promptWith("Does nothing.");

verifies(
  ["agent.R14", "agent.R28", "agent.R42", "agent.R43", "agent.R44", "agent.R45", "agent.R111"],
  "reuses a thread if its settings are unchanged, and otherwise starts a new one; tokens of earlier runs do not count",
  async () => {
    await using live = await agentWorld(() => [reply("ok"), usage({ inputTokens: 10, outputTokens: 5 })]);
    const session = createSession({ slices: [] });
    const run = async (more: object = {}, which = prompt) => {
      const started = live.agent.run(which, { input: { say: "hi" }, session, reuseThread: true, ...more });
      const result = await started.result;
      const [thread] = eventsOf(started, "thread.started");
      return { ...result, reused: thread?.reused, reason: thread?.reason };
    };
    const first = await run();
    expect(first).toMatchObject({ reused: false, reason: undefined, usage: { totalTokens: 15 } });
    const second = await run({ resumeText: () => "go on" });
    expect(second).toMatchObject({ threadId: first.threadId, reused: true, usage: { totalTokens: 15 } });
    expect(live.model.requests.at(-1)?.lastUserText).toBe("go on");
    expect(live.sent("thread/resume")).toMatchObject([{ threadId: first.threadId, excludeTurns: true }]);
    expect(session.get(ThreadsSlice)["talk"]).toMatchObject({ threadId: first.threadId, cwd: null });

    const unasked = await run({ reuseThread: false });
    expect(unasked.reused).toBe(false);
    expect(unasked.threadId).not.toBe(first.threadId);
    const moved = await run({ cwd: live.server.home });
    expect(moved).toMatchObject({ reused: false, reason: "settings changed: cwd" });
    const retooled = await run({ cwd: live.server.home }, promptWith("Does something else."));
    expect(retooled).toMatchObject({ reused: false, reason: "settings changed: toolsFingerprint" });
    const remodelled = await run(
      { cwd: live.server.home, model: "mock-model" },
      promptWith("Does something else."),
    );
    expect(remodelled.reason).toBe("settings changed: model");
  },
  PINNED,
);

verifies(
  ["agent.R43", "agent.R44", "agent.R45"],
  "a stored session finds its thread on another server, and replaces a thread that no longer exists",
  async () => {
    await using live = await agentWorld(() => [reply("ok"), usage({ inputTokens: 10, outputTokens: 5 })], {
      agent: { spawn: "per-run" },
    });
    const session = createSession({ slices: [] });
    const first = await live.agent.run(prompt, { input: { say: "hi" }, session }).result;
    const restored = Session.parse(JSON.stringify(session), { slices: [] });
    const again = live.agent.run(prompt, { input: { say: "more" }, session: restored, reuseThread: true });
    const second = await again.result;
    expect(second).toMatchObject({ threadId: first.threadId, usage: { totalTokens: 15 } });
    expect(JSON.stringify(live.model.requests[1]?.input)).toContain("hi");

    rmSync(path.join(live.server.codexHome, "sessions"), { recursive: true });
    const lost = live.agent.run(prompt, { input: { say: "x" }, session: restored, reuseThread: true });
    const third = await lost.result;
    expect(third.threadId).not.toBe(first.threadId);
    expect(eventsOf(lost, "thread.started")).toMatchObject([{ reused: false }]);
    expect(eventsOf(lost, "thread.started")[0]?.reason).toMatch(/no rollout|not found/);
    expect(restored.get(ThreadsSlice)["talk"]?.threadId).toBe(third.threadId);
    expect(live.connects).toBe(3);
  },
  PINNED,
);
