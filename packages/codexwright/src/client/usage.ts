import type { ThreadTokenUsage, TokenUsageBreakdown } from "../protocol/index.ts";

/** Tokens that one turn used. */
export interface TurnUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningOutputTokens: number;
  readonly totalTokens: number;
}

/**
 * A turn's own usage, as the difference of its thread's totals: the server reports totals of the thread and
 * the last *model call*, never the turn, and older ones repeat themselves.
 */
export class UsageMeter {
  #before: TokenUsageBreakdown | undefined;
  #now: TokenUsageBreakdown | undefined;

  /** @param before the thread's totals when the turn began, where they are known */
  constructor(before: TokenUsageBreakdown | undefined) {
    this.#before = before;
  }

  update({ total, last }: ThreadTokenUsage): void {
    this.#before ??= subtract(total, last);
    this.#now = total;
  }

  get usage(): TurnUsage | undefined {
    return this.#before && this.#now ? pick(subtract(this.#now, this.#before)) : undefined;
  }
}

function subtract(a: TokenUsageBreakdown, b: TokenUsageBreakdown): TokenUsageBreakdown {
  return {
    ...a,
    inputTokens: a.inputTokens - b.inputTokens,
    cachedInputTokens: a.cachedInputTokens - b.cachedInputTokens,
    outputTokens: a.outputTokens - b.outputTokens,
    reasoningOutputTokens: a.reasoningOutputTokens - b.reasoningOutputTokens,
    totalTokens: a.totalTokens - b.totalTokens,
  };
}

function pick(breakdown: TokenUsageBreakdown): TurnUsage {
  const { inputTokens, cachedInputTokens, outputTokens, reasoningOutputTokens, totalTokens } = breakdown;
  return { inputTokens, cachedInputTokens, outputTokens, reasoningOutputTokens, totalTokens };
}
