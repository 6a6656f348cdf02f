import { AbortedError, type ExecHandle, type ExecOptions as LibraryOptions } from "codexwright";
import type { SandboxPolicy } from "codexwright/protocol";
import { CommandError, EXIT } from "./shared/command-error.ts";
import { connect } from "./shared/connect.ts";
import type { Invocation } from "./shared/invoke.ts";
import type { SharedOptions } from "./shared/options.ts";
import type { Output } from "./shared/output.ts";
import { writeBytes } from "./shared/terminal.ts";

export interface ExecOptions extends SharedOptions {
  readonly sandbox?: "read-only" | "workspace-write" | "danger-full-access";
  /** The time limit in milliseconds. */
  readonly timeout?: number;
}

/**
 * Runs a command in the sandbox. On a terminal, the command gets its own terminal; otherwise it gets our stdin, and its
 * stdout and stderr are passed on.
 */
export async function exec({ options, args, output, cwd }: Invocation<ExecOptions>): Promise<number> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && !output.isJson;
  await using connection = await connect(options, cwd);
  const settings: LibraryOptions = {
    cwd,
    sandboxPolicy: options.sandbox && policyOf(options.sandbox, cwd),
    timeoutMs: options.timeout,
    ...(isTerminal ? { tty: sizeOf() } : { stdin: !process.stdin.isTTY }),
  };
  await using command = connection.codex.exec(args, settings);
  const release = isTerminal ? passTerminal(command) : passStdin(command);
  try {
    const [result] = await Promise.all([
      command.result,
      pass(command, "stdout", output),
      pass(command, "stderr", output),
    ]);
    output.json({
      type: "exit",
      exitCode: result.exitCode,
      timedOut: result.timedOut,
      durationMs: Math.round(result.durationMs),
    });
    if (result.timedOut) {
      throw new CommandError(
        "command_timeout",
        EXIT.limit,
        `the command did not end within ${options.timeout} ms`,
      );
    }
    return result.exitCode;
  } catch (error) {
    // The command is aborted only by a signal, or when the reader of our output is gone.
    if (!(error instanceof AbortedError)) throw error;
    throw new CommandError("interrupted", EXIT.interrupted, "The command was interrupted.");
  } finally {
    release();
  }
}

function policyOf(sandbox: NonNullable<ExecOptions["sandbox"]>, cwd: string): SandboxPolicy {
  switch (sandbox) {
    case "read-only":
      return { type: "readOnly", networkAccess: false };
    case "danger-full-access":
      return { type: "dangerFullAccess" };
    default:
      return {
        type: "workspaceWrite",
        writableRoots: [cwd],
        networkAccess: false,
        excludeTmpdirEnvVar: false,
        excludeSlashTmp: false,
      };
  }
}

function sizeOf(): { readonly cols: number; readonly rows: number } {
  return { cols: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
}

/** Sends every key, even Ctrl-C, and every new size of the terminal to the command. */
function passTerminal(command: ExecHandle): () => void {
  const { stdin } = process;
  const write = (bytes: Buffer): void => void command.stdin.write(bytes).catch(() => {});
  const resize = (): void => void command.resize(sizeOf()).catch(() => {});
  stdin.setRawMode(true).on("data", write);
  process.stdout.on("resize", resize);
  return () => {
    stdin.off("data", write).setRawMode(false).pause();
    process.stdout.off("resize", resize);
  };
}

function passStdin(command: ExecHandle): () => void {
  const { stdin } = process;
  const kill = (): void => void command[Symbol.asyncDispose]();
  process.on("SIGINT", kill).on("SIGTERM", kill);
  const write = (bytes: Buffer): void => void command.stdin.write(bytes).catch(() => {});
  const end = (): void => void command.stdin.end().catch(() => {});
  if (!stdin.isTTY) stdin.on("data", write).on("end", end);
  return () => {
    process.off("SIGINT", kill).off("SIGTERM", kill);
    // Our stdin may stay open forever, which would keep the process alive.
    if (!stdin.isTTY) stdin.off("data", write).off("end", end).destroy();
  };
}

async function pass(command: ExecHandle, stream: "stdout" | "stderr", output: Output): Promise<void> {
  if (output.isJson) {
    for await (const text of decoded(command[stream])) output.json({ type: "output", stream, text });
    return;
  }
  for await (const bytes of command[stream]) writeBytes(stream, bytes);
}

/** Decodes bytes as text without splitting a character. A character that stays incomplete is still reported. */
export async function* decoded(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) {
    const text = decoder.decode(bytes, { stream: true });
    if (text !== "") yield text;
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}
