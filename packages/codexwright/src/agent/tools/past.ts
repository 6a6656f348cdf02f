import type { ToolRecord } from "./policy.ts";

/** The calls that had ended at one moment. */
export type Past = () => readonly ToolRecord[];

/**
 * This moment of a history that only grows. It is copied only when it is read: a copy for each call would cost the
 * square of the number of calls.
 */
export function pastOf(history: readonly ToolRecord[]): Past {
  const { length } = history;
  let copy: readonly ToolRecord[] | undefined;
  return () => (copy ??= history.slice(0, length));
}
