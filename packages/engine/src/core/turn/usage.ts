import type { TokenUsageBreakdown } from "codexwright/protocol";
import type { ModelUsage } from "../ports.ts";
import { windowLimits } from "./context-window.ts";
import type { TurnRun } from "./turn-run.ts";

/**
 * Adds a response's token usage to the total of the thread. `tellUsage` reports the total when the response's tool
 * calls are done.
 */
export function countUsage(run: TurnRun, usage: ModelUsage): void {
  const last: TokenUsageBreakdown = {
    totalTokens: usage.totalTokens,
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.cachedInputTokens,
    cacheWriteInputTokens: 0,
    outputTokens: usage.outputTokens,
    reasoningOutputTokens: usage.reasoningOutputTokens,
  };
  const { record } = run.thread;
  record.usage = {
    ...record.usage,
    modelContextWindow: windowLimits(run.thread, run.settings.model).usable,
    last,
    total: sum(record.usage.total, last),
  };
}

export function tellUsage(run: TurnRun): void {
  run.notify("thread/tokenUsage/updated", { tokenUsage: run.thread.record.usage });
}

function sum(a: TokenUsageBreakdown, b: TokenUsageBreakdown): TokenUsageBreakdown {
  return {
    totalTokens: a.totalTokens + b.totalTokens,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteInputTokens: a.cacheWriteInputTokens + b.cacheWriteInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningOutputTokens: a.reasoningOutputTokens + b.reasoningOutputTokens,
  };
}

/** Reports the whole context window as used, after the model ran out of room. */
export function fillContext(run: TurnRun): void {
  const { record } = run.thread;
  const { usable } = windowLimits(run.thread, run.settings.model);
  const full = { ...record.usage.total, totalTokens: usable };
  record.usage = {
    ...record.usage,
    total: full,
    last: { ...record.usage.last, totalTokens: usable },
  };
  tellUsage(run);
}

/** Notifies clients of the rate limits after every response, even if there are no limits. */
export function tellRateLimits(run: TurnRun): void {
  run.thread.notify("account/rateLimits/updated", {
    rateLimits: {
      limitId: "codex",
      limitName: null,
      normalModelSlug: null,
      primary: null,
      secondary: null,
      credits: null,
      individualLimit: null,
      spendControlReached: null,
      planType: null,
      rateLimitReachedType: null,
    },
  });
}
