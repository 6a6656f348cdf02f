import type { Requirement } from "./requirement.ts";

export const TRANSPORTS = [
  {
    id: "stdio.find",
    statement:
      "The native binary is found by option, CODEX_PATH, PATH, installed package; the npm launcher is skipped.",
  },
  {
    id: "stdio.not-found",
    statement:
      "A missing or unusable binary is `codex_not_found` that says where it was looked for and what to do.",
  },
  {
    id: "stdio.exhausted",
    statement:
      "If a limit of the system keeps Codex or its guard from being started, connect rejects with `resource_exhausted` and no process is left.",
  },
  {
    id: "stdio.exit",
    statement: "An exit is reported after stdout is drained, with code, signal and the tail of stderr.",
  },
  {
    id: "stdio.close",
    statement: "Closing ends stdin, then SIGTERM, then SIGKILL the group; no process is left.",
  },
  {
    id: "stdio.config",
    statement: "Configuration overrides are passed as `-c key=value`.",
  },
] as const satisfies readonly Requirement[];
