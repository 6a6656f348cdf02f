import type { TokenUsageBreakdown } from "../../protocol/index.ts";
import type { TurnUsage } from "./usage.ts";

/** The token counts that every server reports. */
export function tokensOf(breakdown: TurnUsage | TokenUsageBreakdown): TurnUsage {
  return usageSince(breakdown);
}

/** The tokens used between two totals of a thread. If `before` is omitted, returns the total itself. */
export function usageSince(total: TurnUsage, before?: TurnUsage): TurnUsage {
  const rest = (key: keyof TurnUsage): number => count(total[key]) - count(before?.[key]);
  return {
    inputTokens: rest("inputTokens"),
    cachedInputTokens: rest("cachedInputTokens"),
    outputTokens: rest("outputTokens"),
    reasoningOutputTokens: rest("reasoningOutputTokens"),
    totalTokens: rest("totalTokens"),
  };
}

/** A server can send anything as a number. Limits would not hold for `NaN`, and databases refuse fractions. */
function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.trunc(Math.min(value, Number.MAX_SAFE_INTEGER)) : 0;
}
