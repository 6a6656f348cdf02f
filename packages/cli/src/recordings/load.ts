import { statSync } from "node:fs";
import { readRecording, type Recording } from "codexwright/recording";
import { CommandError, EXIT } from "../shared/command-error.ts";

/** Refuses a file that is not there, and a folder. */
export function requireFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    throw new CommandError("file_unreadable", EXIT.failed, `${file} is a folder, not a recording`);
  }
  if (found) return;
  throw new CommandError("not_found", EXIT.notFound, `there is no recording ${file}`, [
    "Make one: codexwright record <file> -- run <task>",
  ]);
}

/** A recording, read and checked. */
export async function loadRecording(file: string): Promise<Recording> {
  requireFile(file);
  return await readRecording(file);
}
