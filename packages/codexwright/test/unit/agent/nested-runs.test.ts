import {
  createSession,
  definePrompt,
  Files,
  memoryFs,
  provide,
  section,
  Session,
  tool,
  type AgentTool,
  type AgentToolContext,
  type MemoryFs,
} from "codexwright/agent";
import { reply, toolCall, type FakeAppServerOptions } from "@codexwright/testing";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect } from "vitest";
import { z } from "zod";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { AddStep, Findings, Plan, slices } from "./plan.ts";
import { eventsOf, fakeWorld } from "./run-world.ts";

type Model = FakeAppServerOptions["model"];
type World = Awaited<ReturnType<typeof fakeWorld>>;

const FAKE = { against: "fake" } as const;

function promptOf(id: string, tools: readonly AgentTool[], files?: MemoryFs) {
  return definePrompt({
    id,
    sections: [section({ key: "a", title: "A", body: (_, state) => state.get(Plan).steps.join(","), tools })],
    resources: files ? [provide(Files, () => files)] : [],
  });
}

/** A tool that adds a step to the session, and writes a file if `file` is set. */
function adds(step: string, file = false, fails = false): AgentTool {
  return tool({
    name: "add",
    description: "d",
    input: z.object({}),
    async run(_, { session, resources, fail }: AgentToolContext) {
      session.dispatch(AddStep({ step }));
      if (file) await (await resources.get(Files)).write(step, step);
      return fails ? fail(`${step} failed`) : session.get(Plan).steps.join(",");
    },
  });
}

/** A tool that adds a step, then starts a run and awaits it. */
function starts(
  effects: "transactional" | "external" | "readonly",
  start: (context: AgentToolContext) => Promise<unknown>,
  { file = false, fails = false, timeoutMs = 0 } = {},
): AgentTool {
  return tool({
    name: "start",
    description: "d",
    input: z.object({}),
    effects,
    timeoutMs,
    async run(_, context: AgentToolContext) {
      if (effects !== "readonly") context.session.dispatch(AddStep({ step: "outer" }));
      if (file) await (await context.resources.get(Files)).write("outer", "outer");
      await nextTick(); // so that the run cannot be linked to the call by the synchronous call stack
      await start(context);
      return fails ? context.fail("outer failed") : context.session.get(Plan).steps.join(",");
    },
  });
}

const calls = (name: string): Model => [toolCall(name, {}), reply("done")];

/** Two agents, each with its own server. */
async function worlds(): Promise<{ outer: World; inner: World } & AsyncDisposable> {
  const outer = await fakeWorld({ model: calls("start") });
  const inner = await fakeWorld({ model: calls("add") });
  return {
    outer,
    inner,
    [Symbol.asyncDispose]: async () => {
      await outer[Symbol.asyncDispose]();
      await inner[Symbol.asyncDispose]();
    },
  };
}

for (const effects of ["transactional", "external", "readonly"] as const) {
  verifies(
    "agent.nested.session",
    `a ${effects} tool can wait for a run on the session itself, and the run commits its own changes`,
    async () => {
      for (const fails of [false, true]) {
        await using world = await worlds();
        const session = createSession({ slices });
        const before: string[] = [];
        const start = async (): Promise<void> => {
          const run = world.inner.agent.run(promptOf("inner", [adds("inner")]), { session });
          await run.result;
          expect(eventsOf(run, "tool.invoked")).toMatchObject([{ ok: true }]);
          before.push(eventsOf(run, "prompt.rendered")[0]?.text ?? "");
          expect(session.get(Plan).steps).toContain("inner");
        };
        const prompt = promptOf("outer", [starts(effects, start, { fails })]);
        const run = world.outer.agent.run(prompt, { session });
        await run.result;
        expect(eventsOf(run, "tool.invoked")).toMatchObject([{ ok: !fails }]);
        // The inner run does not see uncommitted changes. A rollback of the call keeps the inner run's changes.
        expect(before[0]?.includes("outer")).toBe(effects === "external");
        const kept = effects === "external" || (effects === "transactional" && !fails) ? ["outer"] : [];
        expect(session.get(Plan).steps.toSorted()).toEqual(["inner", ...kept]);
        expect(Session.replay(session.journal, { slices }).get(Plan)).toEqual(session.get(Plan));
      }
    },
    FAKE,
  );
}

verifies(
  "agent.nested.part",
  "a run on the session of a tool's context sees the call's changes, and is committed or rolled back with them",
  async () => {
    for (const fails of [false, true]) {
      for (const innerFails of [false, true]) {
        await using world = await worlds();
        const session = createSession({ slices });
        const files = memoryFs({ old: "old" });
        const seen: unknown[] = [];
        const start = async (context: AgentToolContext): Promise<void> => {
          const inner = promptOf("inner", [adds("inner", true, innerFails)], files);
          const run = world.inner.agent.run(inner, { session: context.session });
          await run.result;
          seen.push(eventsOf(run, "prompt.rendered")[0]?.text.includes("outer"));
          seen.push(context.session.get(Plan).steps, await files.list(), session.get(Plan).steps);
        };
        const prompt = promptOf("outer", [starts("transactional", start, { file: true, fails })], files);
        await world.outer.agent.run(prompt, { session }).result;
        const both = innerFails ? ["outer"] : ["outer", "inner"];
        expect(seen).toEqual([true, both, ["old", ...both].toSorted(), []]);
        expect(session.get(Plan).steps).toEqual(fails ? [] : both);
        expect(await files.list()).toEqual(fails ? ["old"] : ["old", ...both].toSorted());
      }
    }
  },
  FAKE,
);

verifies(
  "agent.nested.part",
  "when the outer call fails, rolls back changes that only the inner run made",
  async () => {
    await using world = await worlds();
    const session = createSession({ slices });
    const files = memoryFs({ old: "old" });
    const start = async ({ session: part }: AgentToolContext): Promise<void> => {
      const inner = promptOf("inner", [adds("inner", true)], files);
      await world.inner.agent.run(inner, { session: part }).result;
      expect(await files.list()).toEqual(["inner", "old"]);
    };
    // The outer run has no `Files` resource.
    const prompt = promptOf("outer", [starts("transactional", start, { fails: true })]);
    await world.outer.agent.run(prompt, { session }).result;
    expect(await files.list()).toEqual(["old"]);
    expect(session.get(Plan).steps).toEqual([]);
  },
  FAKE,
);

verifies(
  "agent.nested.session",
  "two levels with another session in between do not wait for each other",
  async () => {
    for (const parts of [true, false]) {
      await using world = await worlds();
      await using middle = await fakeWorld({ model: calls("start") });
      const session = createSession({ slices });
      const other = createSession({ slices });
      const start = async (context: AgentToolContext): Promise<void> => {
        const innermost = async (): Promise<void> => {
          const given = parts ? context.session : session;
          await world.inner.agent.run(promptOf("inner", [adds("inner")]), { session: given }).result;
        };
        await middle.agent.run(promptOf("middle", [starts("transactional", innermost)]), { session: other })
          .result;
      };
      const run = world.outer.agent.run(promptOf("outer", [starts("transactional", start)]), { session });
      await run.result;
      expect(session.get(Plan).steps).toEqual(parts ? ["outer", "inner"] : ["inner", "outer"]);
      expect(other.get(Plan).steps).toEqual(["outer"]);
    }
  },
  FAKE,
);

verifies(
  "agent.nested.session",
  "a session that was stored and parsed is independent, and nothing waits for it",
  async () => {
    await using world = await worlds();
    const session = createSession({ slices });
    let copy: Session | undefined;
    const start = async (): Promise<void> => {
      copy = Session.parse(JSON.stringify(session), { slices });
      await world.inner.agent.run(promptOf("inner", [adds("inner")]), { session: copy }).result;
    };
    await world.outer.agent.run(promptOf("outer", [starts("transactional", start)]), { session }).result;
    expect([session.get(Plan).steps, copy?.get(Plan).steps]).toEqual([["outer"], ["inner"]]);
  },
  FAKE,
);

verifies(
  "agent.nested.refused",
  "immediately rejects a run on the session itself if it needs a resource of the call, and names the solution",
  async () => {
    await using world = await worlds();
    const session = createSession({ slices });
    const files = memoryFs();
    const refused: (string | undefined)[] = [];
    const start = async (): Promise<void> => {
      const run = world.inner.agent.run(promptOf("inner", [adds("inner", true)], files), { session });
      await run.result;
      refused.push(...eventsOf(run, "tool.invoked").map(({ error }) => error?.message));
    };
    const prompt = promptOf("outer", [starts("transactional", start, { file: true })], files);
    const run = world.outer.agent.run(prompt, { session });
    await run.result;
    expect(refused).toHaveLength(1);
    expect(refused[0]).toMatch(
      /^Error: the resource "files" is held by the call .* of start, .*: a tool that starts a run and waits for it must pass the session of its context to that run$/,
    );
    expect(eventsOf(run, "tool.invoked")).toMatchObject([{ ok: true }]);
    expect([session.get(Plan).steps, await files.list()]).toEqual([["outer"], ["outer"]]);
  },
  FAKE,
);

verifies(
  "agent.nested.part",
  "a cancelled call stops the run that is part of it, and rolls back its changes",
  async () => {
    await using world = await worlds();
    const session = createSession({ slices });
    const files = memoryFs({ old: "old" });
    const waiting = deferred();
    const stuck = tool({
      name: "add",
      description: "d",
      input: z.object({}),
      async run(_, { session: state, resources, signal }: AgentToolContext) {
        state.dispatch(AddStep({ step: "inner" }));
        state.dispatch(Findings.append({ file: "kept" }));
        await (await resources.get(Files)).write("inner", "inner");
        waiting.resolve();
        await new Promise((resolve) => {
          signal.addEventListener("abort", resolve);
        });
      },
    });
    let failure: Promise<unknown> | undefined;
    const start = async ({ session: part }: AgentToolContext): Promise<void> => {
      const run = world.inner.agent.run(promptOf("inner", [stuck], files), { session: part });
      failure = rejection(run.result);
      await failure;
    };
    const prompt = promptOf("outer", [starts("transactional", start, { file: true })], files);
    const run = world.outer.agent.run(prompt, { session });
    await waiting.promise;
    await run.interrupt();
    expect(await failure).toMatchObject({ code: "aborted" });
    expect(session.get(Plan).steps).toEqual([]);
    expect(session.get(Findings)).toHaveLength(1);
    expect(await files.list()).toEqual(["old"]);
  },
  FAKE,
);

verifies(
  "agent.nested.refused",
  "the session of a finished or readonly call cannot start a run",
  async () => {
    await using world = await worlds();
    const session = createSession({ slices });
    const inner = promptOf("inner", [adds("inner")]);
    const contexts: AgentToolContext[] = [];
    const start = async (context: AgentToolContext): Promise<void> => {
      contexts.push(context);
      await Promise.resolve();
    };
    await world.outer.agent.run(promptOf("outer", [starts("transactional", start)]), { session }).result;
    const [ended] = contexts as [AgentToolContext];
    expect(() => world.inner.agent.run(inner, { session: ended.session })).toThrow("the tool call has ended");
    expect(() => world.inner.agent.run(inner, { session: { ...ended.session } })).toThrow(
      "session must be a Session or the session of a tool's context",
    );
    const sly = starts("readonly", async (context) => {
      await world.inner.agent.run(inner, { session: context.session }).result;
    });
    await using other = await fakeWorld({ model: calls("start") });
    const run = other.agent.run(promptOf("sly", [sly]), { session });
    await run.result;
    expect(eventsOf(run, "tool.invoked")[0]?.error?.message).toContain('set effects to "transactional"');
  },
  FAKE,
);

verifies(
  "agent.nested.part",
  "a run that outlives its call continues with the committed state",
  async () => {
    await using world = await worlds();
    const session = createSession({ slices });
    const goOn = deferred();
    const late = tool({
      name: "add",
      description: "d",
      input: z.object({}),
      async run(_, { session: state }: AgentToolContext) {
        state.dispatch(AddStep({ step: "inner" }));
        await goOn.promise;
        return state.get(Plan).steps.join(",");
      },
    });
    let result: Promise<unknown> | undefined;
    const begun = deferred();
    const start = async ({ session: part }: AgentToolContext): Promise<void> => {
      const run = world.inner.agent.run(promptOf("inner", [late]), { session: part });
      result = run.result;
      for await (const { type } of run) if (type === "tool.started") break;
      begun.resolve();
    };
    await world.outer.agent.run(promptOf("outer", [starts("transactional", start)]), { session }).result;
    expect(session.get(Plan).steps).toEqual(["outer"]);
    goOn.resolve();
    await result;
    expect(session.get(Plan).steps).toEqual(["outer", "inner"]);
  },
  FAKE,
);
