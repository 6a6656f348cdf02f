import {
  createSession,
  Files,
  memoryFs,
  provide,
  resource,
  Resources,
  tool,
  ToolRunner,
  type AgentToolContext,
  type MemoryFs,
  type Resource,
  type SessionAccess,
} from "codexwright/agent";
import fc from "fast-check";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect } from "vitest";
import { z } from "zod";
import { verifies } from "@codexwright/test-support/verifies";
import { AddStep, fakeClock, Plan, slices } from "./plan.ts";

const Others: Resource<MemoryFs> = resource<MemoryFs>("others");
type Store = "files" | "others";

/** A call, and the runs that its tool starts and awaits. */
interface Node {
  /** The session of its run: the session of the caller's context, the shared session, or a new one. */
  readonly via: "part" | "shared" | "new";
  readonly before: readonly Store[];
  readonly after: readonly Store[];
  readonly fails: boolean;
  /** True if the runs start concurrently. */
  readonly atOnce: boolean;
  readonly inner: readonly Node[];
}

const stores = fc.constantFrom<readonly Store[]>([], [], ["files"], ["others"], ["others", "files"]);
const { node: anyNode } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record({
    via: fc.constantFrom("part" as const, "part" as const, "shared" as const, "new" as const),
    before: stores,
    after: stores,
    fails: fc.boolean(),
    atOnce: fc.boolean(),
    inner: fc.oneof(
      { maxDepth: 3, depthSize: "max", withCrossShrink: true },
      fc.constant([]),
      fc.array(tie("node"), { minLength: 1, maxLength: 2 }),
    ),
  }),
}));

/** A call that has ended, with the calls that it caused. */
interface Ended {
  readonly name: string;
  readonly node: Node;
  readonly ok: boolean;
  /** True if its run used the shared session, directly or as part of another call. */
  readonly shares: boolean;
  readonly steps: readonly string[];
  readonly wrote: readonly (readonly [Store, string])[];
  readonly inner: readonly Ended[];
}

/** Runs nested calls, and records their changes and results. */
class Tree {
  readonly shared = createSession({ slices });
  readonly files: Readonly<Record<Store, MemoryFs>> = { files: memoryFs(), others: memoryFs() };
  readonly clock = fakeClock();
  #names = 0;

  async run(
    node: Node,
    outer?: { readonly session: SessionAccess; readonly shares: boolean },
  ): Promise<Ended> {
    const name = `n${++this.#names}`;
    const part = node.via === "part" ? outer : undefined;
    const shares = part ? part.shares : node.via !== "new";
    const wrote: [Store, string][] = [];
    const steps: string[] = [];
    const inner: Ended[] = [];
    const work = tool({
      name: "work",
      description: "d",
      input: z.object({}),
      run: async (_, context: AgentToolContext) => {
        const write = async (list: readonly Store[], when: string): Promise<void> => {
          for (const store of list) {
            const files = await context.resources.get(store === "files" ? Files : Others);
            await files.write(`${name}-${when}`, name);
            wrote.push([store, `${name}-${when}`]);
            await nextTick();
          }
          context.session.dispatch(AddStep({ step: `${name}-${when}` }));
          steps.push(`${name}-${when}`);
        };
        await write(node.before, "before");
        const start = async (one: Node): Promise<void> => {
          inner.push(await this.run(one, { session: context.session, shares }));
        };
        if (node.atOnce) await Promise.all(node.inner.map(start));
        else for (const one of node.inner) await start(one);
        await write(node.after, "after");
        if (node.fails) context.fail("no");
      },
    });
    const session = part?.session ?? (shares ? this.shared : createSession({ slices }));
    const resources = new Resources([
      provide(Files, () => this.files.files),
      provide(Others, () => this.files.others),
    ]);
    const runner = new ToolRunner({ tools: [work], session, resources, clock: this.clock });
    const place = { threadId: "t", turnId: "u", callId: name, tool: "work", namespace: null, arguments: {} };
    const { reply, event } = await runner.call(place, new AbortController().signal);
    if (!reply.success && event.error?.kind !== "failure") expect(event.error?.message).toMatch(REFUSED);
    return { name, node, ok: reply.success, shares, steps, wrote, inner };
  }
}

const REFUSED =
  /^Error: the resource "(files|others)" (is held by the call|was not released within 60000 ms)/;

/**
 * Returns the calls whose changes must remain at the end. The changes of a call remain only if the call succeeded. If
 * its run is part of another call, the changes of that call must remain too.
 */
function* kept({ inner, ...own }: Ended, outer = true): Generator<Omit<Ended, "inner">> {
  const here = own.ok && outer;
  if (here) yield own;
  for (const one of inner) yield* kept(one, one.node.via === "part" ? here : true);
}

verifies(
  ["agent.nested.session", "agent.nested.part", "agent.nested.refused", "agent.resources.shared"],
  "all nested runs and calls end; the changes of a call remain only if the call succeeded and, if its run is part of another call, the changes of that call remain too",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyNode, { minLength: 1, maxLength: 2 }), async (roots) => {
        const tree = new Tree();
        const over = new AbortController();
        const all = Promise.all(roots.map(async (root) => tree.run(root))).finally(() => over.abort());
        // Each time that a wait reaches its limit, at least one call can continue.
        for (let limits = 0; !over.signal.aborted && limits < 100; limits++) {
          for (let n = 0; !over.signal.aborted && n < 60; n++) await nextTick();
          tree.clock.advance(60_000);
        }
        expect(over.signal.aborted).toBe(true);
        const rest = (await all).flatMap((one) => [...kept(one)]);
        for (const store of ["files", "others"] as const) {
          const expected = rest.flatMap(({ wrote }) =>
            wrote.filter(([at]) => at === store).map(([, path]) => path),
          );
          expect(await tree.files[store].list()).toEqual(expected.toSorted());
        }
        const steps = rest.filter(({ shares }) => shares).flatMap((one) => one.steps);
        expect(tree.shared.get(Plan).steps.toSorted()).toEqual(steps.toSorted());
      }),
      { seed: 8, numRuns: 60 },
    );
  },
);
