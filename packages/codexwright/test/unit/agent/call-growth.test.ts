import { createSession, Resources, tool, type ToolPolicy, ToolRunner } from "codexwright/agent";
import { expect } from "vitest";
import { z } from "zod";
import { verifies } from "@codexwright/test-support/verifies";
import { systemClock } from "../../../src/agent/clock.ts";
import { CallTurn, tick } from "../../../src/agent/tools/turn.ts";
import { AddStep, slices } from "./plan.ts";
import type { ToolRecord } from "../../../src/agent/tools/policy.ts";

/** A history that counts the reads of its entries. */
function countingHistory(): { readonly history: ToolRecord[]; readonly reads: () => number } {
  let reads = 0;
  const history = new Proxy<ToolRecord[]>([], {
    get: (target, key, receiver) => {
      if (typeof key === "string" && /^\d+$/.test(key)) reads++;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { history, reads: () => reads };
}

async function callsOf(
  count: number,
  history: ToolRecord[],
  policies: readonly ToolPolicy[] = [],
): Promise<void> {
  const mixed = tool({
    name: "mixed",
    description: "d",
    input: z.object({ n: z.number() }),
    run({ n }, { session, fail }) {
      session.dispatch(AddStep({ step: "x" }));
      return n % 3 === 0 ? fail("no") : "yes";
    },
  });
  const session = createSession({ slices });
  const afterTool = [() => undefined];
  const runner = new ToolRunner({
    tools: [mixed],
    session,
    resources: new Resources([]),
    history,
    policies,
    afterTool,
  });
  const { signal } = new AbortController();
  const call = async (n: number): Promise<unknown> => {
    const place = { threadId: "t", turnId: "u", callId: `c${n}`, tool: "mixed", namespace: null };
    return runner.call({ ...place, arguments: { n } }, signal);
  };
  await Promise.all(Array.from({ length: count }, async (_, n) => call(n)));
}

verifies("agent.tools.growth", "a call copies the history only if it is read", async () => {
  const idle: ToolPolicy = { name: "idle", check: () => undefined };
  for (const policies of [[], [idle]]) {
    const { history, reads } = countingHistory();
    await callsOf(200, history, policies);
    expect(history).toHaveLength(200);
    expect(reads()).toBeLessThanOrEqual(200);
  }
  // Copies are visible in the count: a policy that reads the history makes one copy per call.
  const lengths: number[] = [];
  const reader: ToolPolicy = { name: "reader", check: ({ history }) => void lengths.push(history.length) };
  const { history, reads } = countingHistory();
  await callsOf(50, history, [reader]);
  expect(lengths).toEqual(Array.from({ length: 50 }, (_, n) => n));
  expect(reads()).toBeGreaterThan(1_000);
});

/** Counts how often a turn checks whether a call may run. */
class CountedTurn extends CallTurn {
  static looks = 0;

  override isWithin(other: CallTurn): boolean {
    CountedTurn.looks++;
    return super.isWithin(other);
  }
}

verifies(
  "agent.tools.growth",
  "if many calls give up together, checks the waiting calls once, not once for each call that gave up",
  async () => {
    const looksOf = async (count: number): Promise<number> => {
      const session = {};
      const wanted = new Map([[session, "the session"]]);
      const run = { session, started: tick(), caller: undefined, clock: systemClock, warn: () => {} };
      const turn = (name: string): CallTurn => new CountedTurn({ ...run, name });
      const [first, last] = [turn("first"), turn("last")];
      await first.hold(wanted, new AbortController().signal);
      const abort = new AbortController();
      const waits = Array.from({ length: count }, async (_, n) => turn(`${n}`).hold(wanted, abort.signal));
      const settled = Promise.allSettled(waits);
      const behind = last.hold(wanted, new AbortController().signal);
      CountedTurn.looks = 0;
      abort.abort();
      await settled;
      first.end();
      await behind;
      last.end();
      return CountedTurn.looks;
    };
    const [few, many] = [await looksOf(100), await looksOf(800)];
    expect(many).toBeLessThanOrEqual(8 * few + 100);
  },
);
