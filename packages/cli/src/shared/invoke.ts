import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { CommandError, EXIT, usageError } from "./command-error.ts";
import type { SharedOptions } from "./options.ts";
import { outputOf, tellError, type Output } from "./output.ts";
import { reasonOf } from "./tap.ts";

/** The input of a command's implementation: the parsed options, and where to print. */
export interface Invocation<Options extends SharedOptions = SharedOptions> {
  readonly options: Options;
  /** The arguments that are not options, including everything after `--`. */
  readonly args: readonly string[];
  readonly output: Output;
  /** The working folder, which exists. */
  readonly cwd: string;
}

/**
 * A command's implementation. It returns the exit code, or nothing for 0. Errors that it throws are reported
 * and mapped to exit codes.
 */
export type Implementation<Options extends SharedOptions> = (
  invocation: Invocation<Options>,
) => Promise<number | void>;

/** Runs an implementation, reports its errors, and sets the exit code. */
export async function invoke<Options extends SharedOptions>(
  options: Options,
  args: readonly string[],
  load: () => Promise<Implementation<Options>>,
): Promise<void> {
  // Only one listener, even if one command runs inside another.
  process.stdout.off("error", giveUp).once("error", giveUp);
  try {
    const implementation = await load();
    const cwd = folderOf(options.cwd);
    const code = await implementation({ options, args, output: outputOf(options), cwd });
    process.exitCode = code ?? EXIT.done;
  } catch (error) {
    process.exitCode = tellError(await reasonOf(error), options.json === true);
  }
}

/** Called when the reader of our output is gone, as in `codexwright … | head`. Cleans up and exits, as after Ctrl-C. */
function giveUp({ code, message }: NodeJS.ErrnoException): void {
  // A closed terminal fails with EIO.
  const isReaderGone = code === "EPIPE" || (code === "EIO" && process.stdout.isTTY);
  // For example a full disk: the result is lost, even if the command succeeded.
  if (!isReaderGone) {
    const lost = new CommandError("unexpected", EXIT.failed, `cannot write to stdout: ${message}`);
    const exitCode = tellError(lost, false);
    process.once("exit", () => (process.exitCode = exitCode));
  }
  if (!process.emit("SIGINT")) process.exit(EXIT.interrupted);
}

/** Resolves symbolic links, as `cd` does: threads are found by the folder they were used in. */
function folderOf(cwd: string | undefined): string {
  const folder = path.resolve(cwd ?? process.cwd());
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(folder);
  throw usageError(`--cwd is ${folder}, which is not a folder`);
}
