import type { EngineDifference } from "../difference.ts";

/** The known differences of errors. */
export const ERRORS: readonly EngineDifference[] = [
  {
    area: "errors",
    codex: "The error of a lost connection has one fixed text.",
    engine: "The text also names the code of the network error.",
    reason: "The code says what happened.",
    scenarios: ["cut.dropped"],
    path: /message$/,
  },
  {
    area: "errors",
    codex: "An error of the configuration quotes the wrong value.",
    engine: "It names the source, the key, and the expected value.",
    reason: "The value can be a secret.",
    scenarios: ["start.config-wrong", "config.invalid", "config.writes", "mcp.config"],
    text: /Invalid configuration|failed to load configuration/,
    path: /^error\.message$/,
  },
];
