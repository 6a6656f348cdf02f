import type { ToolRecord } from "./policy.ts";

/** Returns the calls that had ended at a certain point in time. */
export type Past = () => readonly ToolRecord[];

/**
 * Captures the current length of an append-only history. The history is copied only when it is read, because one copy
 * per call would take quadratic memory.
 */
export function pastOf(history: readonly ToolRecord[]): Past {
  const { length } = history;
  let copy: readonly ToolRecord[] | undefined;
  return () => (copy ??= history.slice(0, length));
}
