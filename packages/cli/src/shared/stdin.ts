import { fstatSync } from "node:fs";
import { CommandError, EXIT } from "./command-error.ts";
import { aside } from "./output.ts";
import { readText } from "./read-text.ts";
import { namingLimit } from "./system-limit.ts";

/** How long the command waits for stdin before it prints that it is waiting. */
const PATIENCE_MS = 1_000;

/** Our standard input, in the form that its readers need. */
export interface Stdin {
  readonly isTerminal: boolean;
  readonly isPiped: () => boolean;
  /** Reads it to its end. */
  readonly read: () => Promise<string>;
}

export const STDIN: Stdin = {
  get isTerminal() {
    return process.stdin.isTTY;
  },
  isPiped,
  read: readStdin,
};

/**
 * Whether stdin carries text: it is a pipe, a socket or a file. Terminals, `/dev/null` and other devices do not count:
 * they were inherited from the caller and may never end.
 */
function isPiped(): boolean {
  try {
    const stat = fstatSync(process.stdin.fd);
    return stat.isFIFO() || stat.isSocket() || stat.isFile() || stat.isDirectory();
  } catch {
    return false;
  }
}

/**
 * Reads stdin to its end. The command never waits silently, not even with `--quiet`: stderr says what it
 * waits for.
 */
export async function readStdin(): Promise<string> {
  const waiting = setTimeout(() => {
    const end = process.stdin.isTTY ? "end it with Ctrl-D" : "close it, or use `< /dev/null` for no input";
    aside(`Reading standard input until it ends: ${end}.\n`);
  }, PATIENCE_MS);
  try {
    // Node would treat a folder as an empty stream.
    if (fstatSync(process.stdin.fd).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    return await readText(process.stdin, "standard input");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const limit = namingLimit(error);
    if (limit !== error || error instanceof CommandError) throw limit;
    throw new CommandError("stdin_unreadable", EXIT.failed, `cannot read standard input: ${code}`, [
      "Use `< /dev/null` for no input.",
    ]);
  } finally {
    clearTimeout(waiting);
  }
}
