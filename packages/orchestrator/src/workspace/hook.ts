import type { ChildProcess } from "node:child_process";
import { Guard, startProcess } from "codexwright/internal/node";
import { HookError, type HookName } from "./errors.ts";
import { hold, type WorkspaceFolder } from "./folder.ts";
import { HookOutput } from "./hook-output.ts";

/** A script to run in a workspace. */
export interface Hook {
  readonly name: HookName;
  readonly script: string;
  readonly folder: WorkspaceFolder;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Texts that must not be in the output. */
  readonly secrets: readonly string[];
}

/** How a hook ended. */
export type HookEnd =
  | { readonly kind: "exited"; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: "timeout" }
  | { readonly kind: "aborted"; readonly reason: unknown };

/** How long a hook may take to end after SIGTERM. */
const GRACE_MS = 500;
/** How long we read what an ended hook has written. A program that left the group may hold the pipe forever. */
const DRAIN_MS = 500;
/** The longest delay of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Runs a hook with `bash -lc` in the workspace, and returns the end of its output.
 *
 * The hook is the leader of a process group. When it ends, or at the timeout, or when the signal aborts, or when our
 * process dies, all processes of the group are killed, and all that have inherited the hook's environment.
 *
 * Rejects with a `HookError` if the hook fails, with a `WorkspaceError` if the workspace is not safe to enter, and with
 * the reason of the signal if it aborts.
 */
export async function runHook(hook: Hook, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  const output = new HookOutput(hook.secrets);
  const end = await run(hook, output, signal);
  if (end.kind === "aborted") throw end.reason;
  const text = await output.text();
  if (end.kind === "timeout")
    throw new HookError("hook_timeout", hook.name, `did not end within ${hook.timeoutMs} ms`, text);
  if (end.code === 0) return text;
  const how = end.signal ? `was ended by ${end.signal}` : `exited with code ${end.code}`;
  throw new HookError("hook_failed", hook.name, how, text);
}

async function run(hook: Hook, output: HookOutput, signal: AbortSignal): Promise<HookEnd> {
  const guard = new Guard({ looks: 0 });
  const child = await start(hook, guard);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => output.push(chunk));
    stream?.on("error", () => {});
  }
  const exited = new Promise<HookEnd>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null)
      resolve({ kind: "exited", code: child.exitCode, signal: child.signalCode });
    child.once("exit", (code, by) => resolve({ kind: "exited", code, signal: by }));
  });
  try {
    const end = await first(exited, hook.timeoutMs, signal);
    if (end.kind !== "exited") {
      kill(child, "SIGTERM");
      await within(GRACE_MS, exited);
      kill(child, "SIGKILL");
    }
    return end;
  } finally {
    await guard.end();
    await within(DRAIN_MS, closed);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/** Starts the shell and its guard. Both starts overlap. The caller must end the guard. */
async function start(hook: Hook, guard: Guard): Promise<ChildProcess> {
  // The shell enters the folder that was checked, even if another program replaces it in this moment.
  const held = hold(hook.folder);
  try {
    const [guarded, started] = await Promise.allSettled([
      guard.start(),
      startProcess("bash", ["-lc", hook.script], {
        cwd: held.at(".").toString(),
        env: { ...hook.env, ...guard.env },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    ]);
    if (started.status === "rejected") {
      const { code = "no code" } = started.reason as NodeJS.ErrnoException;
      const problem = `could not be started: bash (${code})`;
      throw new HookError("hook_failed", hook.name, problem, "", { cause: started.reason });
    }
    guard.watch(started.value.pid);
    if (guarded.status === "rejected") {
      kill(started.value, "SIGKILL");
      throw guarded.reason;
    }
    return started.value;
  } catch (error) {
    await guard.end();
    throw error;
  } finally {
    held.close();
  }
}

async function first(exited: Promise<HookEnd>, timeoutMs: number, signal: AbortSignal): Promise<HookEnd> {
  const timer = new AbortController();
  const stop = AbortSignal.any([signal, timer.signal]);
  const timeout = setTimeout(() => timer.abort(), Math.min(timeoutMs, LONGEST_MS));
  const stopped = new Promise<HookEnd>((resolve) => {
    const onStop = (): void =>
      resolve(signal.aborted ? { kind: "aborted", reason: signal.reason } : { kind: "timeout" });
    if (stop.aborted) onStop();
    else stop.addEventListener("abort", onStop, { once: true });
  });
  try {
    return await Promise.race([exited, stopped]);
  } finally {
    clearTimeout(timeout);
  }
}

/** Waits for the work, but not longer than this. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(() => resolve(), ms);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}

/** Signals the group, unless its leader has ended: then the guard ends the rest. */
function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has just ended.
  }
}
