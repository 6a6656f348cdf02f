import {
  jsonSchema,
  ok,
  ToolFailure,
  tool,
  type AgentToolContext,
  type ToolInvoked,
} from "codexwright/agent";
import { expect } from "vitest";
import { z } from "zod";
import { verifies } from "@codexwright/test-support/verifies";
import { textOf, world } from "./tool-runner-world.ts";
import { AddStep, fakeClock, Plan } from "./plan.ts";

const input = z.object({ q: z.string(), n: z.number().default(1) });

const echo = tool({
  name: "echo",
  description: "Echoes.",
  input,
  run: ({ q, n }) => q.repeat(n),
});

verifies(
  ["agent.R65", "agent.R37"],
  "answers a call with the result of the tool, and reports an event",
  async () => {
    const { call } = world([echo], { clock: fakeClock() });
    const { reply, event } = await call("echo", { q: "ab", n: 2 });
    expect(reply).toEqual({ success: true, contentItems: [{ type: "inputText", text: "abab" }] });
    expect(event).toEqual({
      type: "tool.invoked",
      origin: "app",
      name: "echo",
      callId: "call-1",
      params: { q: "ab", n: 2 },
      ok: true,
      output: "abab",
      durationMs: 0,
    } satisfies ToolInvoked);
  },
);

verifies("agent.R67", "accepts arguments as JSON text", async () => {
  const { call } = world([echo]);
  expect(textOf(await call("echo", '{"q":"x"}'))).toBe("x");
  const bad = await call("echo", "{");
  expect(bad.event).toMatchObject({ ok: false, params: "{", error: { kind: "validation" } });
  expect(textOf(bad)).toMatch(/^Invalid arguments:\n✖ the arguments are not JSON/);
});

verifies("agent.R66", "reports an unknown tool to the model and in an event", async () => {
  const { call } = world([echo]);
  const { reply, event } = await call("nope");
  expect(reply.success).toBe(false);
  expect(event).toMatchObject({
    ok: false,
    error: { kind: "unknown-tool", message: "There is no tool named nope. The known tools are: echo." },
  });
});

verifies("agent.tools.validation", "reports arguments that do not match, with their paths", async () => {
  const { call } = world([echo]);
  const { reply, event } = await call("echo", { q: 1, n: "x" });
  expect(reply.success).toBe(false);
  expect(event.error?.kind).toBe("validation");
  expect(textOf({ reply, event })).toBe(
    "Invalid arguments:\n✖ Invalid input: expected string, received number → at q\n✖ Invalid input: expected number, received string → at n",
  );
});

verifies(
  "agent.tools.validation",
  "rejects unknown keys at any depth, unless the schema allows them",
  async () => {
    const run = (): string => "ran";
    const nested = tool({
      name: "nested",
      description: "d",
      input: z.object({
        list: z.array(z.object({ a: z.string() })).default([]),
        either: z
          .union([z.object({ kind: z.literal("x"), x: z.number() }), z.object({ kind: z.literal("y") })])
          .optional(),
        free: z.record(z.string(), z.number()).optional(),
        loose: z.looseObject({ known: z.string() }).optional(),
      }),
      run,
    });
    const strict = tool({ name: "strict", description: "d", input: z.strictObject({ a: z.string() }), run });
    const raw = tool({ name: "raw", description: "d", input: jsonSchema({ type: "object" }), run });
    const { call } = world([nested, strict, raw]);
    const text = async (name: string, args: unknown): Promise<string> => textOf(await call(name, args));
    expect(await text("nested", { list: [{ a: "" }], free: { b: 1 }, loose: { known: "", more: 1 } })).toBe(
      "ran",
    );
    expect(await text("nested", { either: { kind: "x", x: 1 } })).toBe("ran");
    expect(await text("raw", { anything: 1 })).toBe("ran");
    expect(await text("nested", { extra: 1 })).toBe('Invalid arguments:\n✖ Unrecognized key: "extra"');
    expect(await text("nested", { list: [{ a: "", b: 1 }] })).toBe(
      'Invalid arguments:\n✖ Unrecognized key: "b" → at list[0]',
    );
    expect(await text("nested", { either: { kind: "y", x: 1 } })).toBe(
      'Invalid arguments:\n✖ Unrecognized key: "x" → at either',
    );
    expect(await text("strict", { a: "", b: 1 })).toBe('Invalid arguments:\n✖ Unrecognized key: "b"');
  },
);

verifies("agent.tools.failure", "the kind of thrown error decides what the model receives", async () => {
  const Modes = z.object({ how: z.enum(["fail", "failure", "throw", "output"]) });
  const failing = tool({
    name: "failing",
    description: "d",
    input: Modes,
    output: z.object({ status: z.string() }),
    run: ({ how }, context: AgentToolContext) => {
      if (how === "fail") context.fail("no ticket 7");
      if (how === "failure") throw new ToolFailure("nope");
      if (how === "throw") throw new RangeError("kaput");
      return { status: 5 as never };
    },
  });
  const { call, warnings } = world([failing]);
  const told = async (how: string): Promise<unknown> => {
    const { reply, event } = await call("failing", { how });
    expect(reply.success).toBe(false);
    return [event.error?.kind, textOf({ reply, event })];
  };
  expect(await told("fail")).toEqual(["failure", "no ticket 7"]);
  expect(await told("failure")).toEqual(["failure", "nope"]);
  expect(await told("throw")).toEqual(["exception", "Error: kaput"]);
  expect(await told("output")).toEqual([
    "exception",
    "Error: The result of failing does not match its output schema:\n- status: Invalid input: expected string, received number",
  ]);
  expect(warnings).toEqual(["the tool failing threw", "the tool failing threw"]);
});

verifies(
  "agent.tools.results",
  "ok() can send the model a text other than the result, and render replaces JSON",
  async () => {
    const output = z.object({ hits: z.number() });
    const image = "data:image/png;base64,AA==";
    const make = (name: string, run: () => never, render?: (o: { hits: number }) => string) =>
      tool({ name, description: "d", input: z.object({}), output, render, run });
    const { call } = world([
      make("plain", () => ({ hits: 3 }) as never),
      make(
        "rendered",
        () => ({ hits: 3 }) as never,
        ({ hits }) => `${hits} hits`,
      ),
      make("message", () => ok({ hits: 3 }, { message: "found", images: [image] }) as never),
      make("hidden", () => ok({ hits: 3 }, { message: "done", hidden: true }) as never),
      make("silent", () => ok({ hits: 3 }, { hidden: true }) as never),
    ]);
    expect(textOf(await call("plain"))).toBe('{"hits":3}');
    expect(textOf(await call("rendered"))).toBe("3 hits");
    expect(textOf(await call("message"))).toBe('found\n{"hits":3}\n(inputImage)');
    expect(textOf(await call("hidden"))).toBe("done");
    expect(textOf(await call("silent"))).toBe("OK");
  },
);

verifies(
  "agent.tools.results",
  "truncates long outputs in the event, and warns if the server will truncate them",
  async () => {
    const long = tool({ name: "long", description: "d", input: z.object({}), run: () => "x".repeat(13_000) });
    const { call, warnings } = world([long]);
    const { reply, event } = await call("long");
    expect(textOf({ reply, event })).toHaveLength(13_000);
    expect(event.output).toHaveLength(1000);
    expect(warnings).toEqual([
      "the result of long has 13000 characters: the server truncates it before the model gets it",
    ]);
  },
);

verifies(
  "agent.tools.namespace",
  "finds a tool by its namespace, and two namespaces may share a name",
  async () => {
    const make = (namespace: string) =>
      tool({ name: "exec_command", namespace, description: "d", input: z.object({}), run: () => namespace });
    const { call } = world([make("app"), make("other")]);
    expect(textOf(await call("app.exec_command"))).toBe("app");
    const { event } = await call("other.exec_command");
    expect(event).toMatchObject({ name: "other.exec_command", ok: true, output: "other" });
    expect((await call("exec_command")).event.error?.kind).toBe("unknown-tool");
  },
);

verifies(
  "agent.tools.context",
  "a tool receives its call and the limits of the run, and can log",
  async () => {
    const seen: unknown[] = [];
    const look = tool({
      name: "look",
      description: "d",
      input: z.object({}),
      run: (_, { threadId, turnId, callId, deadline, budget, log, session }: AgentToolContext) => {
        log("looking", { deep: true });
        session.dispatch(AddStep({ step: "looked" }));
        seen.push(threadId, turnId, callId, deadline, budget);
      },
    });
    const logged: unknown[] = [];
    const { call, session } = world([look], { onLog: (...entry) => logged.push(entry) });
    await call("look");
    expect(seen).toEqual(["thread", "turn", "call-1", undefined, undefined]);
    expect(logged).toEqual([["look", "looking", { deep: true }]]);
    expect(session.get(Plan).steps).toEqual(["looked"]);
    expect(session.journal.at(-1)).toMatchObject({ runId: "run", callId: "call-1" });
  },
);
