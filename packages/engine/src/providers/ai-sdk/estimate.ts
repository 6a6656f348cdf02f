import type { ModelEvent } from "../../core/ports.ts";

/** A token is about four bytes. */
const TOKEN_BYTES = 4;

/**
 * Estimates the usage of a response if its server does not tell it, because the engine compacts a conversation by its
 * usage.
 */
export function estimatedUsage(
  event: Extract<ModelEvent, { type: "completed" }>,
  prompt: readonly object[],
  written: number,
): ModelEvent {
  if (event.usage.totalTokens > 0) return event;
  // The data of images says nothing about their tokens.
  const text = JSON.stringify(prompt, (key, value: unknown) => (key === "data" ? "" : value));
  const inputTokens = Math.ceil(text.length / TOKEN_BYTES);
  const outputTokens = Math.ceil(written / TOKEN_BYTES);
  return {
    ...event,
    usage: { ...event.usage, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  };
}
