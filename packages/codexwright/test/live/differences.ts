import type { Scenario } from "@codexwright/testing";
import type { TranscriptDifference } from "codexwright/recording";

/** A known and intended difference between the fake and the real server. */
export interface ListedDifference {
  readonly reason: string;
  /** The scenarios that show it; default: all of them. */
  readonly scenarios?: readonly string[];
  /** Its location: the method of a message, and the path within it. */
  readonly method?: RegExp;
  readonly path?: RegExp;
  /** Runs of the real server differ here too, so it need not show every time. */
  readonly races?: boolean;
}

/** At most ten. The suite fails if one of them no longer exists. */
export const DIFFERENCES: readonly ListedDifference[] = [
  {
    reason: "the number of requests of a burst that are rejected as overloaded depends on the machine",
    scenarios: ["wire.overload"],
    races: true,
  },
  {
    reason: "how far a turn gets before an immediate interrupt is a race",
    scenarios: ["interrupt.early"],
    races: true,
  },
  {
    reason: "the fake's configuration has only the values that it needs",
    scenarios: ["config.read", "config.write", "config.conflict", "config.invalid"],
    method: /^config\/read$/,
  },
  {
    reason: "a server lists its methods, and the fake does not support all of them",
    method: /^(codexwright\/methods|no\/such\/method)$/,
    path: /^error\.message$/,
  },
  {
    reason: "the fake has no catalogue of models, only the model of its script",
    scenarios: ["model.list"],
    method: /^model\/list$/,
  },
  {
    reason: "the tokens left after a compaction are estimated, and the fake has different instructions",
    scenarios: ["compact.turn"],
    method: /^thread\/tokenUsage\/updated$/,
    path: /^params\.tokenUsage\.last\.totalTokens$/,
  },
  {
    reason: "whether a lost client's approval is asked again before the thread's status is read is a race",
    scenarios: ["clients.drop"],
    method: /^thread\/read$/,
    path: /^result\.thread\.status\.activeFlags/,
    races: true,
  },
];

/** Whether a difference matches the listed one. */
export function listedFor(
  { scenarios, method, path }: ListedDifference,
  scenario: Scenario,
  difference: TranscriptDifference,
): boolean {
  if (scenarios && !scenarios.includes(scenario.id)) return false;
  if (method && !method.test(difference.method ?? "")) return false;
  return path?.test(difference.path ?? "") ?? true;
}
