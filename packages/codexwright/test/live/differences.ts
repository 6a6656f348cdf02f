import type { Scenario } from "@codexwright/testing";
import type { TranscriptDifference } from "codexwright/recording";

/** A known and accepted difference between the fake and the real server. */
export interface ListedDifference {
  readonly reason: string;
  /** The scenarios that show the difference. Default: all of them. */
  readonly scenarios?: readonly string[];
  /** The method of a message, and the path within it. */
  readonly method?: RegExp;
  readonly path?: RegExp;
  /** True if runs of the real server differ among themselves here. The difference then need not appear every time. */
  readonly races?: boolean;
}

/** The accepted differences, at most ten. The suite fails if one of them no longer appears. */
export const DIFFERENCES: readonly ListedDifference[] = [
  {
    reason: "the number of rejected requests in a burst depends on the machine",
    scenarios: ["wire.overload"],
    races: true,
  },
  {
    reason: "an immediate interrupt may reach the turn at any point",
    scenarios: ["interrupt.early"],
    races: true,
  },
  {
    reason: "the configuration of the fake contains only what it needs",
    scenarios: ["config.read", "config.write", "config.conflict", "config.invalid"],
    method: /^config\/read$/,
  },
  {
    reason: "a server lists its own methods, and the fake does not implement all of them",
    method: /^(codexwright\/methods|no\/such\/method)$/,
    path: /^error\.message$/,
  },
  {
    reason: "the fake has no catalogue of models except the one in its script",
    scenarios: ["model.list"],
    method: /^model\/list$/,
  },
  {
    reason: "token counts after a compaction are estimates, and the fake has other instructions",
    scenarios: ["compact.turn"],
    method: /^thread\/tokenUsage\/updated$/,
    path: /^params\.tokenUsage\.last\.totalTokens$/,
  },
  {
    reason: "the approval of a lost client may be sent again before or after the thread's status is read",
    scenarios: ["clients.drop"],
    method: /^thread\/read$/,
    path: /^result\.thread\.status\.activeFlags/,
    races: true,
  },
];

/** Returns whether a difference is the listed one. */
export function listedFor(
  { scenarios, method, path }: ListedDifference,
  scenario: Scenario,
  difference: TranscriptDifference,
): boolean {
  if (scenarios && !scenarios.includes(scenario.id)) return false;
  if (method && !method.test(difference.method ?? "")) return false;
  return path?.test(difference.path ?? "") ?? true;
}
