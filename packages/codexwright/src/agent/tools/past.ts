import type { ToolRecord } from "./policy.ts";

/** Returns the calls that had ended at a certain point in time. */
export type Past = () => readonly ToolRecord[];

/**
 * Captures the current length of an append-only history. Copies it only when it is read, because a copy per call
 * would take quadratic memory.
 */
export function pastOf(history: readonly ToolRecord[]): Past {
  const { length } = history;
  let copy: readonly ToolRecord[] | undefined;
  return () => (copy ??= history.slice(0, length));
}
