import { expect } from "vitest";
import { z } from "zod";
import {
  createSession,
  definePrompt,
  md,
  RunLog,
  section,
  tool,
  UsageSlice,
  type AgentToolContext,
} from "codexwright/agent";
import { exec, reply, toolCall, usage } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { agentWorld, eventsOf } from "./agent-world.ts";
import { PINNED } from "@codexwright/test-support/world";

const add = tool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }, ctx: AgentToolContext) => {
    ctx.log("adding");
    return { sum: a + b };
  },
});

const sums = definePrompt({
  id: "demo/sums",
  input: z.object({ a: z.number(), b: z.number().default(2) }),
  output: z.object({ result: z.number(), note: z.string().optional() }),
  sections: [
    section({
      key: "task",
      title: "Task",
      body: (p: { a: number; b: number }) => md`Add ${p.a} and ${p.b}.`,
      tools: [add],
    }),
  ],
});

verifies(
  [
    "agent.R1",
    "agent.R2",
    "agent.R3",
    "agent.R27",
    "agent.R29",
    "agent.R30",
    "agent.R37",
    "agent.R41",
    "agent.R65",
    "agent.R70",
    "agent.R77",
    "agent.R90",
    "agent.R108",
    "agent.R109",
    "agent.R110",
  ],
  "runs a prompt: renders it, calls its tools, returns a typed answer, emits events and stores them in the session",
  async () => {
    await using live = await agentWorld([
      [toolCall("add", { a: 1, b: 2 }, { callId: "c1" }), usage({ inputTokens: 10, outputTokens: 5 })],
      [exec("echo hi"), usage({ inputTokens: 20, outputTokens: 5 })],
      [reply('{"result":3,"note":null}', { deltas: 3 }), usage({ inputTokens: 30, outputTokens: 5 })],
    ]);
    const session = createSession({ slices: [] });
    await using run = live.agent.run(sums, { input: { a: 1 }, session });
    const { text, output, usage: used, threadId, turns } = await run.result;

    expect(output).toEqual({ result: 3 });
    expect(text).toBe('{"result":3,"note":null}');
    expect(used).toMatchObject({ inputTokens: 60, outputTokens: 15, totalTokens: 75 });
    expect(turns).toHaveLength(1);
    expect(live.model.requests[0]?.lastUserText).toBe("## 1. Task (task)\n\nAdd 1 and 2.");
    expect(live.model.requests[1]?.toolOutputs["c1"]).toBe('{"sum":3}');
    expect(live.model.unexpected).toEqual([]);

    const types = run.events.map(({ type }) => type);
    expect(types.indexOf("prompt.rendered")).toBe(0);
    expect(types.indexOf("thread.started")).toBe(1);
    expect(types.filter((type) => type === "prompt.rendered")).toHaveLength(1);
    expect(types.at(-1)).toBe("prompt.executed");
    expect(types.filter((type) => type === "prompt.executed")).toHaveLength(1);
    const invoked = eventsOf(run, "tool.invoked");
    expect(invoked.map(({ origin, name, ok }) => `${origin} ${name} ${ok}`)).toEqual([
      "app add true",
      "command codex:command true",
    ]);
    expect(invoked[0]).toMatchObject({ callId: "c1", params: { a: 1, b: 2 }, output: '{"sum":3}' });
    expect(invoked[1]?.output).toBe("hi\n");
    expect(eventsOf(run, "tool.log")).toMatchObject([{ name: "add", message: "adding" }]);
    expect(
      eventsOf(run, "text.delta")
        .map(({ delta }) => delta)
        .join(""),
    ).toBe(text);
    for (const [seq, event] of run.events.entries()) {
      expect(event).toMatchObject({ adapter: "codex_app_server", runId: run.id, promptId: "demo/sums", seq });
      expect(event.at).toBeGreaterThan(0);
      if (seq > 0) expect(event.threadId).toBe(threadId);
    }
    expect(eventsOf(run, "prompt.executed")).toMatchObject([
      { usage: { totalTokens: 75 }, result: { text, output } },
    ]);
    expect(session.get(RunLog).map(({ type }) => type)).toEqual([
      "prompt.rendered",
      "thread.started",
      "tool.invoked",
      "tool.invoked",
      "prompt.executed",
    ]);
    expect(session.get(UsageSlice)).toMatchObject({ runs: 1, totalTokens: 75 });

    const again: string[] = [];
    for await (const event of run) again.push(event.type);
    expect(again).toEqual(types);
    expect("then" in run).toBe(false);
  },
  PINNED,
);
