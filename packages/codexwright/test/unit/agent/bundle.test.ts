import {
  createSession,
  definePrompt,
  event,
  memoryFs,
  RunLog,
  section,
  slice,
  toJsonl,
  tool,
  transcriptOf,
  type AgentEvent,
  type AgentToolContext,
  UsageSlice,
} from "codexwright/agent";
import { exec, fail, reasoning, reply, toolCall } from "@codexwright/testing";
import { expect } from "vitest";
import { z } from "zod";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeWorld, plain } from "./run-world.ts";

const FAKE = { against: "fake" } as const;
const KEY = "sk-test-0123456789abcdef";

const Add = event("notes/add", z.object({ note: z.string() }));
const Notes = slice("notes", {
  schema: z.array(z.string()),
  initial: [],
  on: (on) => [on(Add, (notes, { note }) => [...notes, note])],
});
const note = tool({
  name: "note",
  description: "Notes.",
  input: z.object({ note: z.string() }),
  run: ({ note: text }, ctx: AgentToolContext) => {
    ctx.session.dispatch(Add({ note: text }));
    return "noted";
  },
});
const prompt = definePrompt({
  id: "notes",
  input: z.object({ hint: z.string() }),
  sections: [
    section({ key: "a", title: "A", body: (p: { hint: string }) => `Hint: ${p.hint}`, tools: [note] }),
  ],
});

verifies(
  "agent.transcript",
  "a transcript contains all messages and tool calls in order, without text deltas",
  async () => {
    await using world = await fakeWorld({
      model: [
        [reasoning("thinking"), toolCall("note", { note: "x" }, { callId: "c" })],
        exec("ls", { output: "a\n" }),
        reply("done", { deltas: 3 }),
        fail(500),
      ],
    });
    const run = world.agent.run(prompt, {
      input: { hint: "h" },
      session: createSession({ slices: [Notes] }),
    });
    await run.result;
    const entries = transcriptOf(run.events);
    const said = entries.filter(
      ({ kind, content }) => kind !== "token_usage" && content["type"] !== "warning",
    );
    expect(said.map(({ kind }) => kind)).toEqual([
      "user_message",
      "system_event",
      "system_event",
      "thinking",
      "tool_use",
      "tool_result",
      "tool_use",
      "tool_result",
      "assistant_message",
      "system_event",
    ]);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index));
    expect(entries.find(({ kind }) => kind === "tool_result")?.content).toMatchObject({
      callId: "c",
      name: "note",
      ok: true,
      output: "noted",
    });
    // Pure: the same events produce the same transcript.
    expect(transcriptOf(run.events)).toEqual(entries);
    const lines = toJsonl(entries).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(entries);

    const failed = world.agent.run(plain);
    await rejection(failed.result);
    expect(transcriptOf(failed.events).at(-1)).toMatchObject({
      kind: "error",
      content: { code: "turn_failed" },
    });
    const odd = [
      { type: "new", seq: 0, at: 0, runId: "r", promptId: "p", self: 1n },
    ] as unknown as AgentEvent[];
    expect(transcriptOf(odd)).toMatchObject([{ kind: "unknown" }]);
    expect(toJsonl(transcriptOf(odd))).toContain('"content":{"type":"new"}');
  },
  FAKE,
);

verifies(
  "agent.bundle",
  "a bundle contains the prompt, events, transcript, session before and after, versions, and no secrets",
  async () => {
    await using world = await fakeWorld(
      { model: [toolCall("note", { note: `token=${KEY}` }), reply("my-own-word, swordfish")] },
      { agent: { auth: { apiKey: KEY } } },
    );
    const session = createSession({ slices: [Notes] });
    session.dispatch(Add({ note: "before" }));
    const run = world.agent.run(prompt, { input: { hint: KEY }, session });
    await run.result;
    session.dispatch(Add({ note: "swordfish is in the session" }));
    const files = memoryFs();
    const names = await run.bundle(files, {
      secrets: ["swordfish", /my-own-\w+/],
      env: { SOME_TOKEN: "env-secret-value", HOME: "/home/x" },
      wire: `{"apiKey":"another-secret-1"}\nenv-secret-value\n`,
    });
    expect(names.toSorted()).toEqual([
      "events.jsonl",
      "manifest.json",
      "prompt.md",
      "session-after.json",
      "session-before.json",
      "transcript.jsonl",
      "wire.ndjson",
    ]);
    expect(await files.list()).toEqual(names.toSorted());
    const texts = await Promise.all(names.map(async (name) => files.readText(name)));
    for (const secret of [KEY, "swordfish", "my-own-word", "env-secret-value", "another-secret-1"]) {
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
    const json = async (name: string): Promise<unknown> => JSON.parse(await files.readText(name));
    expect(await json("manifest.json")).toMatchObject({
      format: "codexwright-bundle",
      version: 1,
      runId: run.id,
      promptId: "notes",
      versions: { codexwright: expect.any(String) as string, codex: "0.166.0" },
    });
    expect(await json("session-before.json")).toMatchObject({ slices: { notes: { value: ["before"] } } });
    const after = (await json("session-after.json")) as { slices: { notes: { value: string[] } } };
    expect(after.slices.notes.value).toHaveLength(3);
    expect(await files.readText("prompt.md")).toMatch(/Hint: \[redacted:\d+\]/);
    expect((await files.readText("events.jsonl")).trimEnd().split("\n")).toHaveLength(run.events.length);
  },
  FAKE,
);

verifies(
  "agent.bundle",
  "writes a bundle without a diff if the workspace could not take a checkpoint",
  async () => {
    await using world = await fakeWorld({ model: [reply("done")] });
    const run = world.agent.run(plain, {
      workspace: {
        dir: "/",
        fingerprint: "f",
        checkpoint: async () => Promise.reject(new Error("there is no git")),
        diff: async () => Promise.resolve(""),
        revert: async () => Promise.resolve([]),
      },
    });
    await run.result;
    const files = memoryFs();
    const names = await run.bundle(files);
    expect(names).toContain("manifest.json");
    expect(names).not.toContain("diff.patch");
    expect(await files.readText("events.jsonl")).toContain("there is no git");
  },
  FAKE,
);

verifies(
  ["agent.transcript", "agent.R109"],
  "omits output values that JSON cannot represent, and nothing else",
  async () => {
    const counting = definePrompt({
      id: "big",
      sections: [section({ key: "a", title: "A" })],
      output: z.object({ n: z.string() }).transform(({ n }) => ({ n: BigInt(n) })),
    });
    await using world = await fakeWorld({ model: [reply('{"n":"12"}')] });
    const session = createSession({ slices: [] });
    const run = world.agent.run(counting, { session });
    expect((await run.result).output).toEqual({ n: 12n });
    expect(session.get(UsageSlice)).toMatchObject({ runs: 1, totalTokens: 110 });
    expect(session.get(RunLog).at(-1)).toMatchObject({
      type: "prompt.executed",
      result: { text: '{"n":"12"}', output: {} },
    });
    const circle: Record<string, unknown> = { kept: 1, list: [1n, 2] };
    circle["self"] = circle;
    Object.defineProperty(circle, "broken", {
      enumerable: true,
      value: { toJSON: () => expect.fail("left out") },
    });
    expect(toJsonl([circle])).toBe('{"kept":1,"list":[null,2]}\n');
  },
  FAKE,
);
