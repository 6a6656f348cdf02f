import { isJsonObject } from "codexwright/internal";
import type { ModelUsage } from "../../core/ports.ts";
import type { WireObject } from "../../core/wire-object.ts";
import { countOf } from "../http/index.ts";

/** The usage of a response, as the AI SDK tells it. A server that tells none has used 0 tokens. */
export function usageOf(value: unknown): ModelUsage {
  const usage = objectOf(value);
  const [input, output] = [objectOf(usage["inputTokens"]), objectOf(usage["outputTokens"])];
  const inputTokens = countOf(input["total"]);
  const outputTokens = countOf(output["total"]);
  return {
    inputTokens,
    cachedInputTokens: countOf(input["cacheRead"]),
    outputTokens,
    reasoningOutputTokens: countOf(output["reasoning"]),
    totalTokens: inputTokens + outputTokens,
  };
}

function objectOf(value: unknown): WireObject {
  return isJsonObject(value) ? value : {};
}
