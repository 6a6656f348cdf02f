import { closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type { TransportFactory } from "codexwright";
import { record, type RecordedTransport } from "codexwright/recording";
import { CommandError, EXIT } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import { namingLimit } from "../shared/system-limit.ts";
import { withTap } from "../shared/tap.ts";
import type { InnerCommand } from "./inner-command.ts";

/** Runs another command and records what it says to Codex and hears from it, without secrets. */
export async function recordCommand(
  { options, args, output, cwd }: Invocation,
  inner: InnerCommand,
): Promise<number> {
  const [name = "", ...argv] = args;
  inner.check(argv, options);
  const file = path.resolve(cwd, name);
  if (!existsSync(path.dirname(file))) {
    throw new CommandError("not_found", EXIT.notFound, `there is no folder ${path.dirname(file)}`);
  }
  requireWritable(file, name);
  const recorders: RecordedTransport[] = [];
  const wrap = (factory: TransportFactory): TransportFactory => {
    if (recorders.length > 0) throw new Error("a command opens one connection only");
    const recorder = record(factory, file, { onError: () => {} });
    recorders.push(recorder);
    return recorder;
  };
  const code = await withTap({ wrap, standsAlone: false }, () => inner.run(argv));
  const [recorder] = recorders;
  if (!recorder) {
    output.remark("Nothing was recorded: the command did not get as far as talking to Codex.");
    return code;
  }
  await recorder.flush();
  output.remark(`Recorded in ${name}. Look at it with \`codexwright inspect ${name}\`.`);
  return code;
}

/** Told before the command runs: a turn whose recording cannot be kept has been paid for all the same. */
function requireWritable(file: string, name: string): void {
  const old = statSync(file, { throwIfNoEntry: false });
  // Whoever reads a pipe would take the try for its end.
  if (old && !old.isFile() && !old.isDirectory()) return;
  try {
    closeSync(openSync(file, "a"));
    // The recorder makes it when the command connects, which it may never do.
    if (!old) rmSync(file);
  } catch (error) {
    const limit = namingLimit(error);
    if (limit !== error) throw limit;
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new CommandError("recording_failed", EXIT.failed, `${name} cannot be written: ${code}`);
  }
}
