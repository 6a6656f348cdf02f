import type { ListedDifference } from "@codexwright/test-support/differential/listed";

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
