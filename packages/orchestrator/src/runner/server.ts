import { CodexClient, type CodexClientOptions } from "codexwright";
import type { Settings } from "../domain/settings.ts";
import type { ServerLease } from "codexwright/stdio";

/** How an app-server for one run is started. */
export interface ServerPlan {
  readonly settings: Settings;
  /** The folder of the issue. */
  readonly folder: string;
  /** The folder for temporary files. */
  readonly temporary: string;
  readonly lease: ServerLease;
  /** Names of variables that the server must not inherit. */
  readonly secretEnv: readonly string[];
}

/** The command for which the library looks for the binary itself, also in node_modules. */
const DEFAULT_COMMAND = "codex app-server";

/** Starting a server can take longer than answering a request: a shell reads the user's profile first. */
const LEAST_START_MS = 15_000;

/** Returns a client that starts the app-server in the folder when it connects. */
export function serverClient(plan: ServerPlan): CodexClient {
  const { command, readTimeoutMs } = plan.settings.codex;
  const options: CodexClientOptions = {
    cwd: plan.folder,
    ...(command.trim() !== DEFAULT_COMMAND && { command }),
    env: environmentOf(plan),
    lease: plan.lease,
    clientName: "codexwright-fleet",
    clientTitle: "codexwright fleet",
    requestTimeoutMs: readTimeoutMs,
    startupTimeoutMs: Math.max(readTimeoutMs, LEAST_START_MS),
  };
  return new CodexClient(options);
}

/** Variables are added to those of this process. undefined removes one. */
function environmentOf({ secretEnv, temporary }: ServerPlan): Record<string, string | undefined> {
  const removed = secretEnv.map((name) => [name, undefined] as const);
  return { ...Object.fromEntries(removed), TMPDIR: temporary };
}
