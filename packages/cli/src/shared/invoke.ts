import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import { CommandError, EXIT, usageError } from "./command-error.ts";
import type { SharedOptions } from "./options.ts";
import { outputOf, tellError, type Output } from "./output.ts";
import { reasonOf } from "./tap.ts";

/** What a command's implementation gets: the parsed options, and where to print. */
export interface Invocation<Options extends SharedOptions = SharedOptions> {
  readonly options: Options;
  /** Words that are no options; everything after `--` too. */
  readonly args: readonly string[];
  readonly output: Output;
  /** The folder to work in, checked. */
  readonly cwd: string;
}

/** Does what a command is for; the code to exit with, 0 where it gives none. Its errors are told and mapped to codes. */
export type Implementation<Options extends SharedOptions> = (
  invocation: Invocation<Options>,
) => Promise<number | void>;

/** Runs an implementation, tells of its errors, and sets the exit code. */
export async function invoke<Options extends SharedOptions>(
  options: Options,
  args: readonly string[],
  load: () => Promise<Implementation<Options>>,
): Promise<void> {
  // Once, also where one command runs inside another.
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

/** `codexwright … | head`: if no one reads the output, go on only to clean up, as after a Ctrl-C. */
function giveUp({ code, message }: NodeJS.ErrnoException): void {
  // A terminal that was closed is EIO.
  const isReaderGone = code === "EPIPE" || (code === "EIO" && process.stdout.isTTY);
  // A full disk, say: the result is lost, however well the command ended.
  if (!isReaderGone) {
    const lost = new CommandError("unexpected", EXIT.failed, `stdout cannot be written: ${message}`);
    const exitCode = tellError(lost, false);
    process.once("exit", () => (process.exitCode = exitCode));
  }
  if (!process.emit("SIGINT")) process.exit(EXIT.interrupted);
}

/** Without links, as after `cd`: threads are found by the folder they were used in. */
function folderOf(cwd: string | undefined): string {
  const folder = path.resolve(cwd ?? process.cwd());
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(folder);
  throw usageError(`--cwd is ${folder}, which is not a folder`);
}
