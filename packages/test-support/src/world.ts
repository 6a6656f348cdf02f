import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { CodexClient, type CodexClientOptions } from "codexwright";
import {
  realAppServer,
  scriptedModel,
  type ModelScript,
  type RealAppServerOptions,
} from "@codexwright/testing";

/** The Codex that the repository pins, which the client finds as an installed package. */
export const PINNED = { against: "pinned" } as const;

export interface WorldOptions extends Omit<RealAppServerOptions, "model"> {
  readonly client?: Partial<CodexClientOptions>;
}

export type LiveWorld = Awaited<ReturnType<typeof world>>;

/** A real server with a scripted model and a connected client, disposed together in the right order. */
export async function world(script: ModelScript, { client, ...options }: WorldOptions = {}) {
  const model = await scriptedModel(script);
  const server = await realAppServer({ model, ...options });
  const codex = new CodexClient({ ...server.clientOptions, ...client } as CodexClientOptions);
  const dispose = async (): Promise<void> => {
    await codex.disconnect();
    await server[Symbol.asyncDispose]();
    await model.close();
  };
  try {
    await codex.connect();
  } catch (error) {
    await dispose();
    throw error;
  }
  return { model, server, codex, [Symbol.asyncDispose]: dispose };
}

/** The processes of a world, found by the folder in their environment: app-servers and their child processes. */
export function processesOf(root: string): number[] {
  if (!existsSync("/proc")) return lines("pgrep", ["-f", root]).map(Number);
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && environmentOf(entry).includes(root))
    .map(Number);
}

/**
 * The app-servers of a world, without their child processes. Finds them by their arguments, because the lowest process
 * id is not always the server's: ids are reused.
 */
export function serversOf(root: string): number[] {
  // Our own command runs on Node or Bun, so its name comes first.
  return processesOf(root).filter((pid) => argumentsOf(pid).slice(1, 3).includes("app-server"));
}

/** Whether a process is the guard beside a server, which runs as long as the server does. */
export function isGuard(pid: number): boolean {
  return argumentsOf(pid).some((word) => word.includes("codexwright-guard"));
}

/** Empty for a process that has ended. */
function argumentsOf(pid: number): string[] {
  if (!existsSync("/proc"))
    return lines("ps", ["-o", "args=", "-p", String(pid)]).flatMap((line) => line.split(" "));
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** Kills these processes. Ignores a process that has already ended. */
export function killAll(pids: readonly number[], signal: NodeJS.Signals = "SIGKILL"): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return ""; // The process has ended in the meantime.
  }
}

function lines(command: string, args: readonly string[]): string[] {
  try {
    return execFileSync(command, args, { encoding: "utf8" }).split("\n").filter(Boolean);
  } catch {
    return [];
  }
}
