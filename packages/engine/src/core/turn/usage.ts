import type { TokenUsageBreakdown } from "codexwright/protocol";
import type { ModelUsage } from "../ports.ts";
import { noUsage } from "../records/record.ts";
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

function tellUsage(run: TurnRun): void {
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

/** Counts the whole context window as used, after the model ran out of room. */
export function fillContext(run: TurnRun): void {
  const { record } = run.thread;
  const { usable } = windowLimits(run.thread, run.settings.model);
  const { totalTokens } = record.usage.total;
  record.usage = {
    ...noUsage(),
    total: { ...noUsage().total, totalTokens: usable },
    last: { ...noUsage().last, totalTokens: Math.max(0, usable - totalTokens) },
    modelContextWindow: usable,
  };
}

/** Reports the usage, if it is known, and the rate limits. */
export function tellCounts(
  run: TurnRun,
  isKnown: boolean = run.thread.record.usage.total.totalTokens > 0,
): void {
  if (isKnown) tellUsage(run);
  tellRateLimits(run);
}

function tellRateLimits(run: TurnRun): void {
  run.thread.notify("account/rateLimits/updated", { rateLimits: run.host.rateLimits.current });
}
