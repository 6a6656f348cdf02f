import type { Requirement } from "./requirement.ts";

/** What models, commands and files can do to the command, and must not. */
export const CLI_UNSAFE = [
  {
    id: "cli.unsafe.sequences",
    statement:
      "No control sequence of a model's, a command's or a file's reaches the terminal, by whatever way it comes.",
  },
  {
    id: "cli.unsafe.hidden",
    statement: "What somebody decides on, or what was executed, is shown with everything in it.",
  },
  {
    id: "cli.unsafe.size",
    statement:
      "Long lines, outputs, diffs and code blocks are shown in short, and do not hold up the command.",
  },
  {
    id: "cli.unsafe.leftovers",
    statement: "However a command ends, no process and no folder is left, and the terminal is as it was.",
  },
] as const satisfies readonly Requirement[];
