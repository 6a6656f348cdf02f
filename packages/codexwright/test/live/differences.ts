import type { Scenario } from "@codexwright/testing";
import type { TranscriptDifference } from "codexwright/recording";

/** A way in which the fake says something else than the real server, known and meant. */
export interface ListedDifference {
  readonly reason: string;
  /** The scenarios that show it; all of them where it is left out. */
  readonly scenarios?: readonly string[];
  /** Where it is: the method of a message, and the path within it. */
  readonly method?: RegExp;
  readonly path?: RegExp;
  /** Runs of the real server differ in it among themselves, so it need not show every time. */
  readonly races?: boolean;
}

/** At most ten; the suite fails where one is no longer there. */
export const DIFFERENCES: readonly ListedDifference[] = [
  {
    reason: "how many requests of a burst are refused as overloaded depends on the machine",
    scenarios: ["wire.overload"],
    races: true,
  },
  {
    reason: "how far a turn has come when it is interrupted at once is a race",
    scenarios: ["interrupt.early"],
    races: true,
  },
  {
    reason: "the configuration of the fake has only what it needs",
    scenarios: ["config.read", "config.write", "config.conflict", "config.invalid"],
    method: /^config\/read$/,
  },
  {
    reason: "a server names the methods that it has, and the fake does not play all of them",
    method: /^(codexwright\/methods|no\/such\/method)$/,
    path: /^error\.message$/,
  },
  {
    reason: "the fake has no catalogue of models, but the one that its script plays",
    scenarios: ["model.list"],
    method: /^model\/list$/,
  },
  {
    reason: "tokens of what is left after a compaction are estimated, and the fake has other instructions",
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

/** Whether a difference is the listed one. */
export function listedFor(
  { scenarios, method, path }: ListedDifference,
  scenario: Scenario,
  difference: TranscriptDifference,
): boolean {
  if (scenarios && !scenarios.includes(scenario.id)) return false;
  if (method && !method.test(difference.method ?? "")) return false;
  return path?.test(difference.path ?? "") ?? true;
}
