import type { EngineDifference } from "../difference.ts";

/** The known differences of commands. */
export const COMMANDS: readonly EngineDifference[] = [
  {
    area: "commands",
    codex: "A command that Ctrl-C ends in a terminal has exit code 1.",
    engine: "It has exit code 130, as in a shell.",
    reason: "Programs and models know this code.",
    scenarios: ["command.interrupt-key"],
    path: /exitCode$/,
  },
  {
    area: "commands",
    codex: "A command that cannot be started has no process id.",
    engine: "Its started item has one.",
    reason: "The item is announced before the command is started.",
    scenarios: ["command.workdir"],
    path: /processId$/,
  },
  {
    area: "commands",
    codex: "Commands have the variable CODEX_APPLY_PATCH_PRESERVE_LINE_ENDINGS.",
    engine: "They do not have it.",
    reason: "Only Codex's own apply_patch program reads it.",
    scenarios: ["command.env"],
    path: /aggregatedOutput$/,
  },
  {
    area: "commands",
    codex: "`command/exec` reports exit code 1 for a command that it terminated in a terminal.",
    engine: "It reports 137, as for a command without a terminal.",
    reason: "Programs and models know this code.",
    scenarios: ["exec.streams"],
    path: /exitCode$/,
  },
];
