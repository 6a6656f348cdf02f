import type { Outcome, RunTotals, Tokens } from "@codexwright/orchestrator/internal";

export function tokens(total: number): Tokens {
  return { inputTokens: total, cachedInputTokens: 0, outputTokens: 0, totalTokens: total };
}

/** The totals of a run that has just ended. */
export function totals(fields: Partial<RunTotals> = {}): RunTotals {
  return {
    startedAt: new Date(Date.now() - 1000).toISOString(),
    endedAt: new Date().toISOString(),
    tokens: tokens(0),
    turns: 1,
    threadId: null,
    workspacePath: null,
    model: null,
    checkpoints: { before: null, after: null },
    ...fields,
  };
}

export const COMPLETED: Outcome = { kind: "completed", issue: null };
