import {
  createSession,
  Files,
  memoryFs,
  provide,
  resource,
  Resources,
  tool,
  ToolRunner,
  type AgentTool,
  type AgentToolContext,
  type Session,
  type SessionAccess,
  type Snapshotable,
  type ToolOutcome,
} from "codexwright/agent";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect } from "vitest";
import { z } from "zod";
import { deferred } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { AddStep, fakeClock, Plan, slices } from "./plan.ts";

const clock = fakeClock();
const Odd = resource<Snapshotable>("odd");

function toolOf(name: string, run: (context: AgentToolContext) => unknown): AgentTool {
  return tool({
    name,
    description: "d",
    input: z.object({}),
    run: async (_, context: AgentToolContext) => {
      await run(context);
    },
  });
}

/** The tool runner of a run, with its warnings. */
function runOf(
  tools: readonly AgentTool[],
  session: Session | SessionAccess = createSession({ slices }),
  resources = new Resources([]),
) {
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const runner = new ToolRunner({ tools, session, resources, clock, onWarning });
  let calls = 0;
  const call = async (
    name: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ToolOutcome> =>
    runner.call(
      {
        threadId: "t",
        turnId: "u",
        callId: `${name}-${++calls}`,
        tool: name,
        namespace: null,
        arguments: {},
      },
      signal,
    );
  return { runner, call, warnings };
}

/** Waits for several ticks, so that all work that is not blocked is done. */
async function quiet(): Promise<void> {
  for (let n = 0; n < 20; n++) await nextTick();
}

const TOLD =
  /^the call add-1 of add has waited 60000 ms for (the session|the resource "files"), held by the call outer-1 of outer: /;

for (const shares of ["session", "resource"] as const) {
  for (const levels of [1, 2, 3]) {
    verifies(
      "agent.nested.told",
      `warns about a tool that waits, over ${levels} levels of runs, for an older run that needs its ${shares}; an abort ends all calls`,
      async () => {
        const session = createSession({ slices });
        const files = memoryFs();
        const provided = (): Resources =>
          new Resources(shares === "resource" ? [provide(Files, () => files)] : []);
        const own = (): Session => (shares === "session" ? session : createSession({ slices }));
        const add = toolOf("add", async (context) => {
          context.session.dispatch(AddStep({ step: "inner" }));
          if (shares === "resource") await (await context.resources.get(Files)).write("inner", "inner");
        });
        const resources = provided();
        // Open the resource before the call. A call that opens it later is rejected after a minute, because it already
        // holds its session.
        if (shares === "resource") await resources.get(Files);
        const older = runOf([add], own(), resources);
        const waits = (level: number): AgentTool =>
          toolOf("outer", async (context) => {
            if (shares === "resource" && level === 1) await context.resources.get(Files);
            const next = level === levels ? older.call("add") : runOf([waits(level + 1)]).call("outer");
            await Promise.race([
              next,
              new Promise((resolve) => context.signal.addEventListener("abort", resolve)),
            ]);
          });
        const abort = new AbortController();
        const outer = runOf([waits(1)], own(), provided()).call("outer", abort.signal);
        await quiet();
        clock.advance(59_999);
        await quiet();
        expect(older.warnings).toEqual([]);
        // More calls of the same run wait for the same call, and more minutes pass.
        const more = [older.call("add"), older.call("add")];
        for (let n = 0; n < 4; n++) {
          clock.advance(60_000);
          await quiet();
        }
        expect(older.warnings.filter((text) => TOLD.test(text))).toHaveLength(1);
        expect(older.warnings.length).toBeLessThanOrEqual(2);
        abort.abort();
        expect((await outer).event.error?.kind).toBe("aborted");
        expect((await Promise.all(more)).map(({ reply }) => reply.success)).toEqual([true, true]);
      },
    );
  }
}

verifies(
  ["agent.nested.part", "agent.nested.refused"],
  "runs that are part of one call and share a resource can start at any time",
  async () => {
    for (const fails of [false, true]) {
      const session = createSession({ slices });
      const files = memoryFs();
      const provided = (): Resources => new Resources([provide(Files, () => files)]);
      const gate = deferred();
      const started = [deferred(), deferred()] as const;
      const write = (name: string, until?: Promise<unknown>): AgentTool =>
        toolOf("write", async (context) => {
          context.session.dispatch(AddStep({ step: name }));
          await (await context.resources.get(Files)).write(name, name);
          started[0].resolve();
          await until;
        });
      const outer = toolOf("outer", async (context) => {
        const first = runOf([write("a", gate.promise)], context.session, provided()).call("write");
        await started[0].promise;
        // This run starts while a call of the first run is in progress.
        const second = runOf([write("b")], context.session, provided()).call("write");
        await quiet();
        gate.resolve();
        const outcomes = await Promise.all([first, second]);
        expect(outcomes.map(({ reply }) => reply.success)).toEqual([true, true]);
        if (fails) context.fail("no");
      });
      const { reply } = await runOf([outer], session).call("outer");
      expect(reply.success).toBe(!fails);
      expect(await files.list()).toEqual(fails ? [] : ["a", "b"]);
      expect(session.get(Plan).steps.toSorted()).toEqual(fails ? [] : ["a", "b"]);
    }
  },
);

verifies(
  "agent.nested.refused",
  "rejects a call after a minute if it waits for a run that is part of the call's own caller",
  async () => {
    const files = memoryFs();
    const provided = (): Resources => new Resources([provide(Files, () => files)]);
    const write = toolOf("write", async ({ resources }) => (await resources.get(Files)).write("b", "b"));
    const refused: (string | undefined)[] = [];
    const outer = toolOf("outer", async ({ session: outermost }) => {
      const middle = toolOf("middle", async ({ resources }) => {
        await resources.get(Files);
        const { event } = await runOf([write], outermost, provided()).call("write");
        refused.push(event.error?.message);
      });
      await runOf([middle], outermost, provided()).call("middle");
    });
    const call = runOf([outer]).call("outer");
    await quiet();
    clock.advance(60_000);
    expect((await call).reply.success).toBe(true);
    expect(refused).toEqual([
      expect.stringContaining("was not released within 60000 ms: a tool that starts a run"),
    ]);
  },
);

const never = async (): Promise<never> => new Promise(() => {});
const quick = { snapshot: () => 1, restore: () => {} };

for (const [what, open, ends] of [
  ["a hanging rollback of a failed tool", () => ({ ...quick, restore: never }), "fails"],
  ["a hanging rollback of an aborted tool", () => ({ ...quick, restore: never }), "waits"],
  ["a hanging snapshot", () => ({ ...quick, snapshot: never }), "succeeds"],
  ["a hanging disposal after success", () => ({ ...quick, [Symbol.asyncDispose]: never }), "succeeds"],
  ["a hanging disposal after a failure", () => ({ ...quick, [Symbol.asyncDispose]: never }), "fails"],
  ["a hanging disposal after an abort", () => ({ ...quick, [Symbol.asyncDispose]: never }), "waits"],
  ["a resource that never opens", never, "succeeds"],
] as const) {
  verifies("agent.resources.stuck", `${what} does not block the session after an abort`, async () => {
    const session = createSession({ slices });
    const odd = toolOf("odd", async ({ session: state, resources, signal, fail }) => {
      state.dispatch(AddStep({ step: "odd" }));
      await resources.get(Odd);
      if (ends === "fails") fail("no");
      if (ends === "waits") await new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
    const add = toolOf("add", ({ session: state }) => state.dispatch(AddStep({ step: "add" })));
    const other = runOf([add], session);
    const scope = { scope: "call" } as const;
    const stuck = runOf([odd], session, new Resources([provide(Odd, open as () => Snapshotable, scope)]));
    const abort = new AbortController();
    const first = stuck.call("odd", abort.signal);
    await quiet();
    const second = other.call("add");
    await quiet();
    expect(session.get(Plan).steps).not.toContain("add");
    abort.abort();
    for (let n = 0; n < 4; n++) {
      await quiet();
      clock.advance(5_000);
    }
    const ok = (await first).reply.success;
    expect((await second).reply.success).toBe(true);
    expect(session.get(Plan).steps).toEqual(ok ? ["odd", "add"] : ["add"]);
    await stuck.runner.settled();
  });
}
