import {
  type CodexAgent,
  createSession,
  definePrompt,
  event,
  Files,
  log,
  md,
  memoryFs,
  ok,
  provide,
  resource,
  section,
  slice,
  tool,
  type AgentTool,
  type AgentToolContext,
  type FileSystem,
  type Run,
  type RunWorkspace,
  type Section,
  type SessionEvent,
  type SessionReader,
  type ToolContext,
} from "codexwright/agent";
import type { StartThreadOptions, Tool } from "codexwright/client";
import type { Workspace } from "codexwright/workspace";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const repo = section({ key: "repo", title: "Repo", body: (p: { repo: string }) => p.repo });
const focus = section({ key: "focus", title: "Focus", body: (p: { focus: string }) => p.focus });
const input = z.object({ repo: z.string(), focus: z.string().default("bugs") });

test("a section fits only prompts whose input has the fields it needs", () => {
  expectTypeOf(repo).toEqualTypeOf<Section<{ repo: string }>>();
  definePrompt({ id: "a", input, sections: [repo, focus] });
  definePrompt({ id: "a", sections: [section({ key: "x", title: "X", body: "text" })] });
  // @ts-expect-error -- the input has no focus
  definePrompt({ id: "a", input: z.object({ repo: z.string() }), sections: [repo, focus] });
  // @ts-expect-error -- there is no input
  definePrompt({ id: "a", sections: [repo] });
  // @ts-expect-error -- the repo is a number here
  definePrompt({ id: "a", input: z.object({ repo: z.number() }), sections: [repo] });
});

test("a section created by the prompt's own function knows the input type", () => {
  const output = z.object({ n: z.number() });
  const made = definePrompt({
    id: "a",
    output,
    sections: (make) => [
      repo,
      make({
        key: "x",
        title: "X",
        body(p, session) {
          expectTypeOf(p).toEqualTypeOf<{ repo: string; focus: string }>();
          expectTypeOf(session).toEqualTypeOf<SessionReader>();
          return p.repo;
        },
        enabled: ({ focus: about }) => about !== "",
        children: [make({ key: "y", title: "Y", body: (p) => p.focus }), focus],
      }),
    ],
    input,
  });
  made.render({ repo: "x" });
  expectTypeOf(made.output).toEqualTypeOf<typeof output>();
  definePrompt({ id: "a", sections: (make) => [make({ key: "x", title: "X", body: "text" })] });
  definePrompt({
    id: "a",
    input,
    // @ts-expect-error -- the input has no such field
    sections: (make) => [make({ key: "x", title: "X", body: (p) => p.nothing })],
  });
  const needsOn = (p: { on: boolean }): boolean => p.on;
  definePrompt({
    id: "a",
    input,
    // @ts-expect-error -- the input has no `on`
    sections: (make) => [make({ key: "x", title: "X", enabled: needsOn })],
  });
});

test("the input of a section includes that of its children and selectors", () => {
  const both = section({
    key: "both",
    title: "Both",
    enabled: (p: { on: boolean }) => p.on,
    children: [repo, focus],
  });
  expectTypeOf(both).toEqualTypeOf<Section<{ on: boolean } & { repo: string } & { focus: string }>>();
  const inline = section({
    key: "outer",
    title: "Outer",
    children: [
      section({ key: "a", title: "A", body: "text" }),
      section({ key: "b", title: "B", children: [focus] }),
    ],
  });
  expectTypeOf(inline).toEqualTypeOf<Section<{ focus: string }>>();
  definePrompt({ id: "a", input: input.extend({ on: z.boolean() }), sections: [both] });
  // @ts-expect-error -- `on` is missing
  definePrompt({ id: "a", input, sections: [both] });
});

test("render takes the schema's input type, and the answer has the output type", () => {
  const output = z.object({ title: z.string(), files: z.array(z.string()).default([]) });
  const prompt = definePrompt({ id: "a", input, output, sections: [repo] });
  prompt.render({ repo: "x" });
  // @ts-expect-error -- the repo is missing
  prompt.render({ focus: "x" });
  type Answer = Awaited<ReturnType<NonNullable<typeof prompt.answer>["parse"]>>;
  expectTypeOf<Extract<Answer, { ok: true }>["value"]>().toEqualTypeOf<{ title: string; files: string[] }>();
  const list = definePrompt({ id: "a", output: z.array(z.number()), sections: [] });
  type List = Awaited<ReturnType<NonNullable<typeof list.answer>["parse"]>>;
  expectTypeOf<Extract<List, { ok: true }>["value"]>().toEqualTypeOf<number[]>();
});

test("a tool that needs a session fits prompts but not plain threads", () => {
  const plain = tool({ name: "t", description: "d", input, run: () => "" });
  const rich = tool({
    name: "t",
    description: "d",
    input,
    run: (_, context: AgentToolContext) => context.fail("never"),
  });
  expectTypeOf(rich).toEqualTypeOf<AgentTool>();
  const inferred = tool({
    name: "t",
    description: "d",
    input,
    async run(value, context) {
      expectTypeOf(value).toEqualTypeOf<{ repo: string; focus: string }>();
      expectTypeOf(context).toEqualTypeOf<AgentToolContext>();
      return await (await context.resources.get(Files)).readText("a");
    },
  });
  expectTypeOf(inferred).toEqualTypeOf<AgentTool>();
  const forBoth = tool({
    name: "t",
    description: "d",
    input,
    run: (_, context: ToolContext) => context.callId,
  });
  expectTypeOf(forBoth).toEqualTypeOf<Tool>();
  expectTypeOf<Tool>().toExtend<AgentTool>();
  section({ key: "s", title: "S", tools: [plain, rich] });
  expectTypeOf<{ tools: Tool[] }>().toExtend<Pick<StartThreadOptions, "tools">>();
  // @ts-expect-error -- threads provide no session
  ({ tools: [rich] }) satisfies Pick<StartThreadOptions, "tools">;
});

test("results, renderings and examples have the types of the schemas", () => {
  const output = z.object({ hits: z.number() });
  tool({
    name: "t",
    description: "d",
    input,
    output,
    render: (o) => `${expectTypeOf(o).toEqualTypeOf<{ hits: number }>()}`,
    examples: [{ description: "x", input: { repo: "x" }, output: { hits: 1 } }],
    run: () => ok({ hits: 1 }, { hidden: true }),
  });
  tool({
    name: "t",
    description: "d",
    input,
    output,
    // @ts-expect-error -- the repo is missing
    examples: [{ description: "x", input: {}, output: { hits: 1 } }],
    run: () => ({ hits: 1 }),
  });
  // @ts-expect-error -- hits is a number
  tool({ name: "t", description: "d", input, output, run: () => ok({ hits: "1" }) });
});

test("the schemas determine the types of events, slices and logs", () => {
  const Add = event("add", z.object({ step: z.string(), n: z.number().default(1) }));
  expectTypeOf(Add({ step: "x" })).toEqualTypeOf<SessionEvent<{ step: string; n: number }>>();
  // @ts-expect-error -- the step is missing
  Add({ n: 1 });
  const Plan = slice("plan", {
    schema: z.object({ steps: z.array(z.string()) }),
    initial: { steps: [] },
    on: (on) => [on(Add, (state, { step, n }) => ({ steps: [...state.steps, step.repeat(n)] }))],
  });
  slice("plan", {
    schema: z.object({ steps: z.array(z.string()) }),
    initial: { steps: [] },
    // @ts-expect-error -- not a state
    on: (on) => [on(Add, () => ({ steps: [1] }))],
  });
  const Findings = log("findings", z.object({ file: z.string() }));
  const session = createSession({ slices: [Plan, Findings] });
  expectTypeOf(session.get(Plan)).toEqualTypeOf<{ steps: string[] }>();
  expectTypeOf(session.get(Findings)).toEqualTypeOf<readonly { file: string }[]>();
  session.set(Plan, { steps: ["x"] });
  // @ts-expect-error -- not a state
  session.set(Plan, {});
  // @ts-expect-error -- the file is missing
  Findings.append({});
  session.on(Add, (payload) => expectTypeOf(payload).toEqualTypeOf<{ step: string; n: number }>());
});

test("the key determines the type of a resource", () => {
  const Count = resource<number>("count");
  provide(Count, async (r) => (await r.get(Files)).list().then(({ length }) => length));
  provide(Files, () => memoryFs());
  // @ts-expect-error -- a number
  provide(Count, () => "1");
  expectTypeOf(memoryFs()).toExtend<FileSystem>();
  // @ts-expect-error -- values are text or numbers
  void md`${undefined}`;
});

test("a run takes the prompt's input type and returns its output type", async () => {
  const agent = {} as CodexAgent;
  const output = z.object({ title: z.string(), files: z.array(z.string()) });
  const review = definePrompt({ id: "a", input, output, sections: [repo] });
  const run = agent.run(review, { input: { repo: "x" } });
  expectTypeOf(run).toEqualTypeOf<Run<{ title: string; files: string[] }>>();
  expectTypeOf((await run.result).output).toEqualTypeOf<{ title: string; files: string[] }>();
  // @ts-expect-error -- the input is missing
  agent.run(review);
  // @ts-expect-error -- the repo is missing
  agent.run(review, { input: {} });
  // @ts-expect-error -- durations are numbers
  agent.run(review, { input: { repo: "x" }, deadlineMs: "5m" });
  // @ts-expect-error -- not an option of Codex
  agent.run(review, { input: { repo: "x" }, seed: 1 });
  const plain = definePrompt({ id: "a", sections: [] });
  expectTypeOf((await agent.run(plain).result).output).toEqualTypeOf<undefined>();
  agent.run(plain, { deadlineMs: 1 });
  const list = definePrompt({
    id: "a",
    input: z.object({ n: z.number().optional() }),
    output: z.array(z.number()),
    sections: [],
  });
  expectTypeOf((await agent.run(list).result).output).toEqualTypeOf<number[]>();
  // @ts-expect-error -- a run is not thenable
  void run.then;
  expectTypeOf<Workspace>().toExtend<RunWorkspace>();
});

test("`type` discriminates events", async () => {
  for await (const told of {} as Run) {
    expectTypeOf(told.adapter).toEqualTypeOf<"codex_app_server">();
    if (told.type === "text.delta") expectTypeOf(told.delta).toEqualTypeOf<string>();
    if (told.type === "tool.invoked") expectTypeOf(told.ok).toEqualTypeOf<boolean>();
  }
});
