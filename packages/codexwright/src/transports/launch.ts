import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import path from "node:path";
import { AbortedError, InvalidArgumentError } from "../rpc/errors.ts";
import { ResourceExhaustedError } from "../rpc/resource-exhausted.ts";
import type { Transport } from "../rpc/transport.ts";
import { startProcess } from "../system/start-process.ts";
import { configFlags } from "./config-flags.ts";
import { findCodex, type FoundCodex } from "./find-codex.ts";
import { Guard, type GuardOptions } from "./guard.ts";
import { CodexNotFoundError } from "./not-found.ts";
import { ProcessTransport } from "./process.ts";
import type { StdioOptions } from "./stdio.ts";

/** Finds the binary, starts it, and returns its transport. */
export async function launch(options: StdioOptions, cwd: string, signal: AbortSignal): Promise<Transport> {
  if (signal.aborted) throw new AbortedError("starting codex", "notSent", signal.reason);
  const { child, guard } = await startCodex(options, cwd, []);
  return new ProcessTransport(child, options.onStderr, undefined, guard);
}

/**
 * Finds the binary and starts `codex app-server` in its own process group, with these flags in addition to the
 * configuration.
 *
 * The guard is started first, so that no server ever runs without a guard. Both starts overlap. If one start fails, the
 * process of the other is ended.
 */
export async function startCodex(
  options: StdioOptions,
  cwd: string,
  flags: readonly string[],
  guardOptions?: GuardOptions,
): Promise<{ readonly child: ChildProcessWithoutNullStreams; readonly guard: Guard }> {
  requireFolder("cwd", cwd);
  if (options.codexHome !== undefined) requireFolder("codexHome", options.codexHome);
  const guard = new Guard(guardOptions);
  const env = { ...environment(options), ...guard.env };
  const found = findCodex({ codexPath: options.codexPath, env });
  const args = ["app-server", ...configFlags(options.config ?? {}), ...flags];
  const [guarded, started] = await Promise.allSettled([guard.start(), start(found, args, cwd, env)]);
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
  return { child, guard };
}

/** Kills a server that has received no request yet, and closes its descriptors. */
async function kill(child: ChildProcessWithoutNullStreams): Promise<void> {
  const ended =
    child.exitCode === null && child.signalCode === null ? once(child, "exit") : Promise.resolve();
  child.kill("SIGKILL");
  await ended;
  for (const stream of child.stdio) stream?.destroy();
}

async function start(
  found: FoundCodex,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<ChildProcessWithoutNullStreams> {
  // An empty entry in PATH would mean the current folder.
  if (found.toolsPath) env["PATH"] = [found.toolsPath, env["PATH"]].filter(Boolean).join(path.delimiter);
  const options = { cwd, env, detached: process.platform !== "win32" };
  try {
    return (await startProcess(found.command, args, options)) as ChildProcessWithoutNullStreams;
  } catch (error) {
    if (error instanceof ResourceExhaustedError) throw error;
    const { code = "no code" } = error as NodeJS.ErrnoException;
    throw new CodexNotFoundError(`${found.command} could not be started (${code})`, [found.command], error);
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
