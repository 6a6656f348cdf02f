import type { Scenario } from "@codexwright/testing";
import type { TranscriptDifference } from "codexwright/recording";

/** A known and accepted difference between two servers. */
export interface ListedDifference {
  readonly reason: string;
  /** The scenarios that show the difference. Default: at least one of them all. */
  readonly scenarios?: readonly string[];
  /** The method of a message, the path within it, and the description of the difference. */
  readonly method?: RegExp;
  readonly path?: RegExp;
  readonly text?: RegExp;
  /** True if runs of the real server differ among themselves here. The difference then need not appear every time. */
  readonly races?: boolean;
}

/** Returns whether a difference is the listed one. */
export function listedFor(
  { scenarios, method, path, text }: ListedDifference,
  scenario: Scenario,
  difference: TranscriptDifference,
): boolean {
  if (scenarios && !scenarios.includes(scenario.id)) return false;
  if (method && !method.test(difference.method ?? "")) return false;
  if (path && !path.test(difference.path ?? "")) return false;
  return text?.test(difference.text) ?? true;
}
