import { closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import type { TransportFactory } from "codexwright";
import { record, type RecordedTransport } from "codexwright/recording";
import { CommandError, EXIT } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import { namingLimit } from "../shared/system-limit.ts";
import { withTap } from "../shared/tap.ts";
import type { InnerCommand } from "./inner-command.ts";

/** Runs another command and records its messages to and from Codex, without secrets. */
export async function recordCommand(
  { options, args, output, cwd }: Invocation,
  inner: InnerCommand,
): Promise<number> {
  const [name = "", ...argv] = args;
  inner.check(argv, options);
  const file = path.resolve(cwd, name);
  if (!existsSync(path.dirname(file))) {
    throw new CommandError("not_found", EXIT.notFound, `folder ${path.dirname(file)} does not exist`);
  }
  requireWritable(file, name);
  const recorders: RecordedTransport[] = [];
  const wrap = (factory: TransportFactory): TransportFactory => {
    if (recorders.length > 0) throw new Error("a command can open only one connection");
    const recorder = record(factory, file, { onError: () => {} });
    recorders.push(recorder);
    return recorder;
  };
  const code = await withTap({ wrap, standsAlone: false }, () => inner.run(argv));
  const [recorder] = recorders;
  if (!recorder) {
    output.remark("Nothing was recorded: the command ended before it connected to Codex.");
    return code;
  }
  await recorder.flush();
  output.remark(`Recorded in ${name}. View it with \`codexwright inspect ${name}\`.`);
  return code;
}

/**
 * Checks, before the command runs, that the recording can be written. The turn costs tokens even if its recording is
 * lost.
 */
function requireWritable(file: string, name: string): void {
  const old = statSync(file, { throwIfNoEntry: false });
  // Opening a pipe and closing it again would end it for its reader.
  if (old && !old.isFile() && !old.isDirectory()) return;
  try {
    closeSync(openSync(file, "a"));
    // The recorder creates the file when the command connects, which may never happen.
    if (!old) rmSync(file);
  } catch (error) {
    const limit = namingLimit(error);
    if (limit !== error) throw limit;
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new CommandError("recording_failed", EXIT.failed, `cannot write ${name}: ${code}`);
  }
}
