import type { TokenUsageBreakdown } from "../../protocol/index.ts";
import type { TurnUsage } from "./usage.ts";

/** The token counts that every server reports. */
export function tokensOf(breakdown: TurnUsage | TokenUsageBreakdown): TurnUsage {
  return usageSince(breakdown);
}

/** The tokens used between two totals of a thread. If `before` is omitted, returns the total itself. */
export function usageSince(total: TurnUsage, before?: TurnUsage): TurnUsage {
  const rest = (key: keyof TurnUsage): number => (total[key] ?? 0) - (before?.[key] ?? 0);
  return {
    inputTokens: rest("inputTokens"),
    cachedInputTokens: rest("cachedInputTokens"),
    outputTokens: rest("outputTokens"),
    reasoningOutputTokens: rest("reasoningOutputTokens"),
    totalTokens: rest("totalTokens"),
  };
}
