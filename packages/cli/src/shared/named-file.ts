import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { CommandError, EXIT } from "./command-error.ts";
import { readText } from "./read-text.ts";
import { namingLimit } from "./system-limit.ts";

/**
 * Reads a file that an option names. Pipes such as `<(command)` work too.
 *
 * @param option the option's name on the command line
 */
export async function readNamed(option: string, file: string, cwd: string): Promise<string> {
  try {
    return await readText(createReadStream(path.resolve(cwd, file)), `${option} ${file}`);
  } catch (error) {
    throw unreadable(option, file, error);
  }
}

/** Throws if a file that an option names does not exist. */
export async function requireNamed(option: string, file: string, cwd: string): Promise<void> {
  try {
    if ((await stat(path.resolve(cwd, file))).isFile()) return;
  } catch (error) {
    throw unreadable(option, file, error);
  }
  throw unreadable(option, file, { code: "not a file" });
}

/** The error for a file that an option names and that cannot be opened. */
export function unreadable(option: string, file: string, error: unknown): unknown {
  const limit = namingLimit(error);
  if (limit !== error || error instanceof CommandError) return limit;
  const { code } = error as { readonly code: string };
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new CommandError("not_found", EXIT.notFound, `${option} ${file}: no such file`);
  }
  return new CommandError("file_unreadable", EXIT.failed, `${option} ${file}: cannot be read: ${code}`);
}
