import type { TokenUsageBreakdown } from "../../protocol/index.ts";
import type { TurnUsage } from "./usage.ts";

/** The token counts that every server reports. */
export function tokensOf(breakdown: TurnUsage | TokenUsageBreakdown): TurnUsage {
  return minus(breakdown, undefined);
}

/** What was used between two totals. */
export function minus(total: TurnUsage, before: TurnUsage | undefined): TurnUsage {
  const rest = (key: keyof TurnUsage): number => (total[key] ?? 0) - (before?.[key] ?? 0);
  return {
    inputTokens: rest("inputTokens"),
    cachedInputTokens: rest("cachedInputTokens"),
    outputTokens: rest("outputTokens"),
    reasoningOutputTokens: rest("reasoningOutputTokens"),
    totalTokens: rest("totalTokens"),
  };
}
