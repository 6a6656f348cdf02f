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
  type MemoryFs,
  type Resource,
  type Session,
  type ToolOutcome,
} from "codexwright/agent";
import fc from "fast-check";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect } from "vitest";
import { z } from "zod";
import { deferred, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { textOf } from "./tool-runner-world.ts";
import { AddStep, fakeClock, Plan, slices } from "./plan.ts";

const Others: Resource<MemoryFs> = resource<MemoryFs>("others");

/** A tool runner for one run. */
function runOf(
  tools: readonly AgentTool[],
  files: Partial<Record<"files" | "others", MemoryFs>>,
  { session = createSession({ slices }), clock = fakeClock() } = {},
) {
  const resources = new Resources([
    ...(files.files ? [provide(Files, () => files.files as MemoryFs)] : []),
    ...(files.others ? [provide(Others, () => files.others as MemoryFs)] : []),
  ]);
  const runner = new ToolRunner({ tools, session, resources, clock });
  let calls = 0;
  return {
    session,
    runner,
    resources,
    clock,
    call: async (
      name: string,
      args: Record<string, string | number> = {},
      signal = new AbortController().signal,
    ) =>
      runner.call(
        {
          threadId: "t",
          turnId: "u",
          callId: `c${++calls}`,
          tool: name,
          namespace: null,
          arguments: args,
        },
        signal,
      ),
  };
}

interface Script {
  readonly path: string;
  readonly until?: Promise<void>;
  readonly fails?: boolean;
  readonly order?: readonly ("files" | "others")[];
}

/** Writes a file to each of the resources in the scripted order, then waits and fails as scripted. */
function writer(scripts: Readonly<Record<string, Script>>, begun: string[] = []): AgentTool {
  return tool({
    name: "write",
    description: "d",
    input: z.object({ script: z.string() }),
    async run({ script }, { session, resources, fail }: AgentToolContext) {
      const {
        path,
        until: gate,
        fails = false,
        order = ["files"],
      }: Script = scripts[script] ?? { path: script };
      begun.push(script);
      session.dispatch(AddStep({ step: path }));
      for (const one of order) {
        await (await resources.get(one === "files" ? Files : Others)).write(path, path);
        begun.push(`${script} ${one}`);
        await nextTick();
      }
      await gate;
      return fails ? fail(`${path} failed`) : path;
    },
  });
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`there is no ${index}`);
  return found;
}

/** Waits for several ticks, so that all work that is not blocked is done. */
async function quiet(): Promise<void> {
  for (let n = 0; n < 20; n++) await nextTick();
}

verifies(
  "agent.resources.shared",
  "a rollback of one run keeps the changes that another run has made to the same resource",
  async () => {
    for (const late of [false, true]) {
      const files = memoryFs({ old: "old" });
      const gate = deferred();
      const scripts = { a: { path: "a", until: gate.promise, fails: true }, b: { path: "b" } };
      const begun: string[] = [];
      const tools = [writer(scripts, begun)];
      const first = runOf(tools, { files });
      const second = late ? undefined : runOf(tools, { files });
      const failing = first.call("write", { script: "a" });
      await until(() => begun.includes("a files"));
      // The second run may be older or younger than the call.
      const run = second ?? runOf(tools, { files });
      const other = run.call("write", { script: "b" });
      await quiet();
      expect(begun).toEqual(["a", "a files", "b"]);
      gate.resolve();
      expect((await failing).reply.success).toBe(false);
      expect((await other).reply.success).toBe(true);
      expect(await files.list()).toEqual(["b", "old"]);
      expect([first.session.get(Plan).steps, run.session.get(Plan).steps]).toEqual([[], ["b"]]);
    }
  },
);

verifies(
  "agent.resources.shared",
  "calls that open shared resources in opposite orders do not deadlock",
  async () => {
    const [files, others] = [memoryFs(), memoryFs()];
    const scripts = {
      a: { path: "a", order: ["files", "others"] },
      b: { path: "b", order: ["others", "files"] },
    } as const;
    const tools = [writer(scripts)];
    const runs = [runOf(tools, { files, others }), runOf(tools, { files, others })] as const;
    const outcomes = await Promise.all([
      runs[0].call("write", { script: "a" }),
      runs[1].call("write", { script: "b" }),
    ]);
    const told = outcomes.map((outcome) => textOf(outcome));
    // One of the two calls gives way, and its changes are rolled back.
    expect(told.filter((text) => text.includes("which waits for this call"))).toHaveLength(1);
    const kept = outcomes[0].reply.success ? "a" : "b";
    expect([await files.list(), await others.list()]).toEqual([[kept], [kept]]);
    // Now both resources are open, so each call acquires both together.
    const again = await Promise.all([
      runs[0].call("write", { script: "a" }),
      runs[1].call("write", { script: "b" }),
    ]);
    expect(again.map(({ reply }) => reply.success)).toEqual([true, true]);
    expect([await files.list(), await others.list()]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  },
);

verifies("agent.resources.shared", "runs that share nothing do not wait for each other", async () => {
  const gate = deferred();
  const begun: string[] = [];
  const tools = [writer({ a: { path: "a", until: gate.promise }, b: { path: "b" } }, begun)];
  const slow = runOf(tools, { files: memoryFs() }).call("write", { script: "a" });
  expect((await runOf(tools, { files: memoryFs() }).call("write", { script: "b" })).reply.success).toBe(true);
  gate.resolve();
  await slow;
});

verifies(
  "agent.resources.shared",
  "a call that waits for a resource ends when it is aborted or times out, and leaves the queue",
  async () => {
    const files = memoryFs();
    const gate = deferred();
    const begun: string[] = [];
    const scripts = { a: { path: "a", until: gate.promise }, b: { path: "b" }, c: { path: "c" } };
    const slow = { ...writer(scripts, begun), timeoutMs: 50 } as AgentTool;
    const tools = [writer(scripts, begun)];
    const first = runOf(tools, { files }).call("write", { script: "a" });
    await until(() => begun.includes("a files"));
    const timed = runOf([slow], { files });
    const stop = new AbortController();
    const waiting = [
      timed.call("write", { script: "b" }),
      runOf(tools, { files }).call("write", { script: "b" }, stop.signal),
    ];
    const last = runOf(tools, { files }).call("write", { script: "c" });
    await quiet();
    timed.clock.advance(50);
    stop.abort(new Error("the turn is over"));
    expect((await Promise.all(waiting)).map(({ event }) => event.error)).toEqual([
      { kind: "aborted", message: "write did not finish within 50 ms and was cancelled" },
      { kind: "aborted", message: "the turn is over" },
    ]);
    gate.resolve();
    expect((await first).reply.success && (await last).reply.success).toBe(true);
    expect(await files.list()).toEqual(["a", "c"]);
  },
);

verifies(
  "agent.nested.refused",
  "limits the wait for a call that may itself be waiting for this call",
  async () => {
    const files = memoryFs();
    const clock = fakeClock();
    const inner = writer({ b: { path: "b" } });
    const texts: string[] = [];
    const outer = tool({
      name: "outer",
      description: "d",
      input: z.object({}),
      async run(_, { resources }: AgentToolContext) {
        await (await resources.get(Files)).write("a", "a");
        // A run with its own session: nothing shows which call started it.
        texts.push(textOf(await runOf([inner], { files }, { clock }).call("write", { script: "b" })));
      },
    });
    const call = runOf([outer], { files }).call("outer");
    await quiet();
    expect(texts).toEqual([]);
    clock.advance(60_000);
    expect((await call).reply.success).toBe(true);
    expect(texts[0]).toContain(
      'the resource "files" was not released within 60000 ms: a tool that starts a run',
    );
    expect(await files.list()).toEqual(["a"]);
  },
);

verifies(
  "agent.resources.shared",
  "a call that ends while it waits for a resource does not get it later",
  async () => {
    const files = memoryFs();
    const gate = deferred();
    const begun: string[] = [];
    const tools = [writer({ a: { path: "a", until: gate.promise }, b: { path: "b" } }, begun)];
    const first = runOf(tools, { files }).call("write", { script: "a" });
    await until(() => begun.includes("a files"));
    const hasty = tool({
      name: "hasty",
      description: "d",
      input: z.object({ how: z.string() }),
      async run({ how }, { resources, fail }: AgentToolContext) {
        void resources.get(Files);
        await nextTick();
        if (how === "fail") fail("no");
      },
    });
    const stop = new AbortController();
    const run = runOf([hasty], { files });
    expect((await run.call("hasty", { how: "fail" })).reply.success).toBe(false);
    expect((await runOf([hasty], { files }).call("hasty", { how: "ok" })).reply.success).toBe(true);
    // Now the resource is open in the run, so the whole call waits for it.
    const waiting = run.call("hasty", { how: "ok" }, stop.signal);
    await quiet();
    stop.abort(new Error("enough"));
    gate.resolve();
    await Promise.all([first, waiting]);
    expect((await runOf(tools, { files }).call("write", { script: "b" })).reply.success).toBe(true);
    expect(await files.list()).toEqual(["a", "b"]);
  },
);

verifies("agent.resources.shared", "calls of many runs get their turn in order of arrival", async () => {
  const files = memoryFs();
  const begun: string[] = [];
  const order: string[] = [];
  const gate = deferred();
  const names = Array.from({ length: 50 }, (_, n) => `${n}`);
  const scripts = Object.fromEntries(
    names.map((path) => [path, { path, ...(path === "0" && { until: gate.promise }) }]),
  );
  const tools = [writer(scripts, begun)];
  const runs = names.map(() => runOf(tools, { files }));
  // Every run has the files open, so all calls wait for them from the start.
  for (const { resources } of runs) await resources.get(Files);
  const calls = names.map(async (script, n) => {
    const outcome = await at(runs, n).call("write", { script });
    order.push(script);
    return outcome;
  });
  await quiet();
  expect(begun).toEqual(["0", "0 files"]);
  gate.resolve();
  expect((await Promise.all(calls)).every(({ reply }) => reply.success)).toBe(true);
  expect(order).toEqual(names);
});

/** One call of a generated plan. */
interface Planned {
  readonly run: number;
  /** With `drop`, the call fails while it still waits for resources that it asked for. */
  readonly end: "ok" | "fail" | "abort" | "drop";
  readonly order: readonly ("files" | "others")[];
}

const planned = fc.record({
  run: fc.nat(2),
  end: fc.constantFrom("ok" as const, "ok" as const, "fail" as const, "abort" as const, "drop" as const),
  order: fc.constantFrom<Planned["order"]>(
    ["files"],
    ["others"],
    ["files", "others"],
    ["others", "files"],
    [],
  ),
});

verifies(
  "agent.resources.shared",
  "whatever calls of three runs do to two resources, exactly the changes of successful calls are kept",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(planned, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (s, plans, oneSession) => {
          const [files, others] = [memoryFs(), memoryFs()];
          const work = tool({
            name: "work",
            description: "d",
            input: z.object({ n: z.number() }),
            async run({ n }, { session, resources, fail }: AgentToolContext) {
              const { end, order } = at(plans, n);
              session.dispatch(AddStep({ step: `${n}` }));
              if (end === "drop") {
                for (const one of order) void resources.get(one === "files" ? Files : Others);
                await s.schedule(Promise.resolve(), `${n} drops`);
                fail("dropped");
              }
              for (const one of order) {
                await s.schedule(Promise.resolve(), `${n} wants ${one}`);
                const fs = await resources.get(one === "files" ? Files : Others);
                await s.schedule(Promise.resolve(), `${n} has ${one}`);
                await fs.write(`${n}`, `${n}`);
              }
              await s.schedule(Promise.resolve(), `${n} ends`);
              if (end === "fail") fail("no");
            },
          });
          const shared: Session = createSession({ slices });
          const runs = [0, 1, 2].map(() =>
            runOf([work], { files, others }, oneSession ? { session: shared } : {}),
          );
          const call = async ({ run, end }: Planned, n: number): Promise<ToolOutcome> => {
            const stop = new AbortController();
            const outcome = at(runs, run).call("work", { n }, stop.signal);
            if (end === "abort") {
              await s.schedule(Promise.resolve(), `${n} aborts`);
              stop.abort(new Error("enough"));
            }
            return await outcome;
          };
          const outcomes = await s.waitFor(Promise.all(plans.map(call)));
          await s.waitFor(Promise.all(runs.map(async ({ runner }) => runner.settled())));
          const worked = plans.flatMap((_, n) => (outcomes[n]?.reply.success ? [n] : []));
          const touched = (one: "files" | "others"): string[] =>
            worked
              .filter((n) => plans[n]?.order.includes(one))
              .map(String)
              .toSorted();
          expect(await files.list()).toEqual(touched("files"));
          expect(await others.list()).toEqual(touched("others"));
          for (const [index, { session }] of runs.entries()) {
            const own = worked.filter((n) => oneSession || plans[n]?.run === index).map(String);
            expect(session.get(Plan).steps.toSorted()).toEqual(own.toSorted());
          }
          // No call fails unexpectedly, except those that gave way.
          for (const [n, outcome] of outcomes.entries()) {
            if (!outcome.reply.success && plans[n]?.end === "ok")
              expect(textOf(outcome)).toContain("waits for this call");
          }
          // No resource is held now.
          const free = runOf([writer({ z: { path: "z", order: ["others", "files"] } })], { files, others });
          expect((await s.waitFor(free.call("write", { script: "z" }))).reply.success).toBe(true);
        },
      ),
      { seed: 9, numRuns: 60 },
    );
  },
);
