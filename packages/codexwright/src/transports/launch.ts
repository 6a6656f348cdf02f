import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import path from "node:path";
import { AbortedError, InvalidArgumentError } from "../rpc/errors.ts";
import { ResourceExhaustedError } from "../rpc/resource-exhausted.ts";
import type { Transport } from "../rpc/transport.ts";
import { startProcess } from "../system/start-process.ts";
import { configFlags } from "./config-flags.ts";
import { findCommand, type FoundCommand } from "./command.ts";
import { findCodex } from "./find-codex.ts";
import { Guard, type GuardOptions } from "./guard.ts";
import { LeaseEndedError } from "./lease.ts";
import { CodexNotFoundError } from "./not-found.ts";
import { ProcessTransport } from "./process.ts";
import type { StdioOptions } from "./stdio.ts";

/** Finds the binary, starts it, and returns its transport. */
export async function launch(options: StdioOptions, cwd: string, signal: AbortSignal): Promise<Transport> {
  if (signal.aborted) throw new AbortedError("starting codex", "notSent", signal.reason);
  const { lease, maxLineBytes, onStderr } = options;
  const { child, guard, notStarted } = await startCodex(options, cwd, [], { lease });
  return new ProcessTransport(child, { onStderr, maxLineBytes, guard, lease, notStarted });
}

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly guard: Guard;
  readonly notStarted: FoundCommand["notStarted"];
}

/**
 * Finds the binary and starts `codex app-server` in its own process group, with these flags in addition to the
 * configuration. With the option `command`, starts that command in the same way, without flags.
 *
 * The guard is started first, so that no server ever runs without a guard. Both starts overlap. If one start fails, the
 * process of the other is ended.
 */
export async function startCodex(
  options: StdioOptions,
  cwd: string,
  flags: readonly string[],
  guardOptions?: GuardOptions,
): Promise<Started> {
  requireFolder("cwd", cwd);
  if (options.codexHome !== undefined) requireFolder("codexHome", options.codexHome);
  const lease = guardOptions?.lease;
  if (lease?.remainingMs === 0) throw new LeaseEndedError("no server was started", "notSent");
  const guard = new Guard(guardOptions);
  const env = { ...environment(options), ...guard.env };
  const { command } = options;
  const found =
    command === undefined ? foundCodex(options, flags, env) : findCommand(command, cwd, env["PATH"]);
  const [guarded, started] = await Promise.allSettled([guard.start(), start(found, cwd, env)]);
  if (started.status === "rejected") {
    await guard.end();
    throw started.reason;
  }
  const child = started.value;
  if (guarded.status === "rejected") {
    await kill(child);
    throw guarded.reason;
  }
  guard.watch(child.pid);
  if (lease && !guard.isPossible) {
    await kill(child);
    throw new InvalidArgumentError("lease must be undefined on a system without /bin/sh");
  }
  return { child, guard, notStarted: found.notStarted };
}

/** Kills a server that has received no request yet, and closes its descriptors. */
async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
  const ended =
    child.exitCode === null && child.signalCode === null ? once(child, "exit") : Promise.resolve();
  child.kill("SIGKILL");
  await ended;
  for (const stream of child.stdio) stream?.destroy();
}

/** Finds Codex, and adds its helper tools to PATH. */
function foundCodex(
  { codexPath, config = {} }: StdioOptions,
  flags: readonly string[],
  env: Record<string, string>,
): FoundCommand {
  const { command, toolsPath } = findCodex({ codexPath, env });
  // An empty entry in PATH would mean the current folder.
  if (toolsPath) env["PATH"] = [toolsPath, env["PATH"]].filter(Boolean).join(path.delimiter);
  return { file: command, args: ["app-server", ...configFlags(config), ...flags] };
}

async function start(
  { file, args, advice }: FoundCommand,
  cwd: string,
  env: Record<string, string>,
): Promise<ChildProcessWithoutNullStreams> {
  const options = { cwd, env, detached: process.platform !== "win32" };
  try {
    return (await startProcess(file, args, options)) as ChildProcessWithoutNullStreams;
  } catch (error) {
    if (error instanceof ResourceExhaustedError) throw error;
    const { code = "no code" } = error as NodeJS.ErrnoException;
    throw new CodexNotFoundError(`${file} could not be started (${code})`, [file], error, advice);
  }
}

function environment(options: StdioOptions): Record<string, string> {
  const merged: Record<string, string | undefined> = { ...process.env };
  if (options.codexHome !== undefined) merged["CODEX_HOME"] = path.resolve(options.codexHome);
  Object.assign(merged, options.env);
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function requireFolder(option: string, folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new InvalidArgumentError(`${option} is ${folder}, which is not a folder: create it first`);
}
