import fc from "fast-check";
import { CodexAgent, type Run } from "codexwright/agent";
import { CodexClient } from "codexwright/client";
import type { WireStep } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { completed, oneTurn, plain } from "./run-world.ts";

function totals(tokenUsage: unknown): WireStep {
  const params = { threadId: "thread", turnId: "turn", tokenUsage };
  return { send: { method: "thread/tokenUsage/updated", params } };
}

const counts = (totalTokens: unknown): WireStep => {
  const total = { totalTokens, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  return totals({ total, last: total, modelContextWindow: null });
};

/** Runs one turn in which the server sends these messages. */
async function runWith(steps: readonly WireStep[], budget?: number): Promise<Run> {
  using server = oneTurn([...steps, completed({ type: "agentMessage", id: "m", text: "done", phase: null })]);
  await using agent = await CodexAgent.open({
    connect: async () => CodexClient.connect({ transport: server.transport }),
  });
  const run = agent.run(plain, { ...(budget !== undefined && { budget: { totalTokens: budget } }) });
  await run.result.catch(() => {});
  return run;
}

verifies(
  "agent.R111",
  "the usage is the sum of all increases, also if totals go down or repeat",
  async () => {
    const sequence = fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sequence, async (values) => {
        let [before, sum] = [0, 0];
        for (const value of values) {
          sum += Math.max(value - before, 0);
          before = value;
        }
        const { usage } = await (await runWith(values.map(counts))).result;
        expect([values, usage.totalTokens]).toEqual([values, sum]);
      }),
      { numRuns: 30 },
    );
  },
);

verifies(
  ["agent.R111", "agent.limits"],
  "totals that are not counts neither end the run nor switch its budget off",
  async () => {
    const strange = [Number.NaN, null, "5", "x", {}, [], -1, -1e308, true, undefined];
    for (const value of strange) {
      const run = await runWith([counts(value), counts(10), counts(value)], 100);
      expect([value, (await run.result).usage.totalTokens]).toEqual([value, 10]);
      const over = await runWith([counts(value), counts(101), counts(value)], 100);
      await expect(over.result).rejects.toMatchObject({ code: "budget_exceeded" });
    }
    for (const value of [undefined, null, 1, "x", [], {}, { total: null }, { total: 1, last: 2 }]) {
      const run = await runWith([totals(value), counts(10)]);
      expect([value, (await run.result).usage.totalTokens]).toEqual([value, 10]);
    }
    for (const value of [1e308, 2 ** 60, 101.5]) {
      const run = await runWith([counts(value)], 100);
      await expect(run.result).rejects.toMatchObject({ code: "budget_exceeded" });
    }
    const { usage } = await (await runWith([counts(1.5), counts(1e308)])).result;
    expect(usage.totalTokens).toBe(Number.MAX_SAFE_INTEGER);
  },
);
