import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { AbortedError, InvalidArgumentError } from "../rpc/errors.ts";
import type { Transport, TransportFactory } from "../rpc/transport.ts";
import { configFlags } from "./config-flags.ts";
import { CodexNotFoundError, findCodex, type FoundCodex } from "./find-codex.ts";
import { ProcessTransport } from "./process.ts";

export { CodexNotFoundError } from "./find-codex.ts";

/** How to start `codex app-server`. */
export interface StdioOptions {
  /** The binary; else CODEX_PATH, `codex` on PATH, an installed `@openai/codex`. */
  readonly codexPath?: string | undefined;
  /** The server's CODEX_HOME; it must exist. */
  readonly codexHome?: string | undefined;
  /** The folder the server is started in; default: ours. */
  readonly cwd?: string | undefined;
  /** Merged over our own environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Configuration overrides, given as `-c key=value`. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Gets what the server writes to stderr, as it comes. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

/**
 * Speaks to a `codex app-server` of our own over its stdin and stdout.
 *
 * The process gets a process group of its own, so that a Ctrl-C meant for us does not reach it and the
 * whole group can be ended; when our process dies, its stdin closes and it ends by itself.
 */
export function stdio(options: StdioOptions = {}): TransportFactory {
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const factory = async (signal: AbortSignal): Promise<Transport> => {
    if (signal.aborted) throw new AbortedError("starting codex", "notSent", signal.reason);
    requireFolder("cwd", cwd);
    if (options.codexHome !== undefined) requireFolder("codexHome", options.codexHome);
    const env = environment(options);
    const found = findCodex({ codexPath: options.codexPath, env, from: [cwd, import.meta.dirname] });
    const child = await start(found, ["app-server", ...configFlags(options.config ?? {})], cwd, env);
    return new ProcessTransport(child, options.onStderr);
  };
  return Object.assign(factory, { cwd });
}

async function start(
  found: FoundCodex,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<ChildProcessWithoutNullStreams> {
  if (found.toolsPath) env["PATH"] = `${found.toolsPath}${path.delimiter}${env["PATH"] ?? ""}`;
  // Half the time of importing this library would go into this module, which not every program needs.
  const { spawn } = await import("node:child_process");
  const child = spawn(found.command, args, { cwd, env, detached: process.platform !== "win32" });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause: NodeJS.ErrnoException) => {
      reject(
        new CodexNotFoundError(
          `${found.command} could not be started (${cause.code ?? "no code"})`,
          [found.command],
          cause,
        ),
      );
    });
  });
  return child;
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
  throw new InvalidArgumentError(`${option} is ${folder}, which is not a folder: make it first`);
}
