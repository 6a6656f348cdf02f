import path from "node:path";
import { replay, ReplayMismatchError, type Recording } from "codexwright/recording";
import { CommandError, EXIT, usageError } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { SharedOptions } from "../shared/options.ts";
import { fieldsOf } from "../shared/fields.ts";
import { withTap, type Tap } from "../shared/tap.ts";
import type { InnerCommand } from "./inner-command.ts";
import { loadRecording } from "./load.ts";
import { playThrough } from "./play-through.ts";
import { serveRecording } from "./serve-recording.ts";

export interface ReplayOptions extends SharedOptions {
  readonly serve?: string;
}

/** Plays a recording: against itself, to another command, or to any client. */
export async function replayCommand(
  invocation: Invocation<ReplayOptions>,
  inner: InnerCommand,
): Promise<number> {
  const { options, args, cwd } = invocation;
  const [name = "", ...argv] = args;
  const file = path.resolve(cwd, name);
  if (options.serve !== undefined && argv.length > 0) throw usageError("use --serve or a command, not both");
  if (argv.length > 0) {
    inner.check(argv, options);
    return await toCommand(file, argv, inner);
  }
  return options.serve === undefined
    ? await againstItself(file, invocation)
    : await toClients(file, options.serve, invocation);
}

async function againstItself(file: string, { output }: Invocation<ReplayOptions>): Promise<number> {
  const report = await playThrough(await loadRecording(file));
  const { connections, sent, received, unanswered, problems } = report;
  const isWhole = problems.length === 0;
  output.json({ type: "replay", isWhole, ...report });
  const over = `${connections} connection${connections === 1 ? "" : "s"}`;
  const counts = `${sent} sent, ${received} received, ${unanswered} unanswered, ${over}`;
  output.styled(`${isWhole ? output.style.green("whole") : output.style.red("not whole")}: ${counts}\n`);
  for (const problem of problems) output.text(`  ${problem}\n`);
  return isWhole ? EXIT.done : EXIT.failed;
}

async function toCommand(file: string, argv: readonly string[], inner: InnerCommand): Promise<number> {
  const recording = await loadRecording(file);
  const server = replay(recording);
  let isTold = false;
  const mismatch = async (): Promise<Error | undefined> =>
    await server[Symbol.asyncDispose]().then(() => undefined, asCommandError);
  const tap: Tap = {
    wrap: () => server,
    standsAlone: true,
    folder: folderIn(recording),
    // A command that differs from the recorded one loses its server. Report the difference, not the lost
    // connection.
    reason: async () => {
      const reason = await mismatch();
      isTold = reason !== undefined;
      return reason;
    },
  };
  const code = await withTap(tap, () => inner.run(argv));
  const reason = isTold ? undefined : await mismatch();
  if (reason !== undefined) throw reason;
  return code;
}

/** The folder of the first thread in a recording. */
function folderIn(recording: Recording): string | undefined {
  for (const line of recording) {
    const { cwd, thread } = fieldsOf(fieldsOf(fieldsOf(line)["message"])["result"]);
    if (typeof cwd === "string" && thread !== undefined) return cwd;
  }
  return undefined;
}

async function toClients(file: string, url: string, { output }: Invocation<ReplayOptions>): Promise<number> {
  const isWire = url === "stdio://";
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
  try {
    const listening = (at: string): void => {
      // With stdio, stdout carries the protocol.
      if (isWire) return;
      output.json({ type: "serving", url: at });
      output.text(`Serving the recording on ${at}\n`);
    };
    await serveRecording(await loadRecording(file), url, listening, stop.signal);
  } catch (error) {
    throw asCommandError(error);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
  if (!stop.signal.aborted) output.remark("The client did everything that is recorded.");
  return stop.signal.aborted ? EXIT.interrupted : EXIT.done;
}

function asCommandError(error: unknown): Error {
  if (!(error instanceof ReplayMismatchError)) return error as Error;
  return new CommandError("replay_mismatch", EXIT.failed, error.message, [
    "The client differs from the recorded client: compare with `codexwright inspect`.",
  ]);
}
