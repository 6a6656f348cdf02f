import { statSync } from "node:fs";
import { readRecording, type Recording } from "codexwright/recording";
import { CommandError, EXIT } from "../shared/command-error.ts";

/** Throws if the file does not exist or is a folder. */
export function requireFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) {
    throw new CommandError("file_unreadable", EXIT.failed, `${file} is a folder, not a recording`);
  }
  if (found) return;
  throw new CommandError("not_found", EXIT.notFound, `no recording at ${file}`, [
    "Record one: codexwright record <file> -- run <task>",
  ]);
}

/** Reads and checks a recording. */
export async function loadRecording(file: string): Promise<Recording> {
  requireFile(file);
  return await readRecording(file);
}
