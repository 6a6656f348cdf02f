import { ListenError, type ListenOptions } from "codexwright/server";
import type { AuthFlags } from "../serve/auth.ts";
import { CommandError, EXIT, usageError } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { SharedOptions } from "../shared/options.ts";
import type { Output } from "../shared/output.ts";
import { authOf, type CodexAuthFlags } from "./listener-auth.ts";
import { overridesOf, type OverrideFlags } from "./overrides.ts";
import { serveEngine, type EngineEvent } from "./serve-engine.ts";

export interface AppServerOptions extends SharedOptions, OverrideFlags, AuthFlags, CodexAuthFlags {
  readonly listen: string;
  readonly stdio?: boolean;
  readonly allowOrigin?: readonly string[];
}

/** The maximum number of connected clients. Each may have megabytes of unsent data. */
const MAX_CONNECTIONS = 128;

/** Serves clients with an engine of our own. */
export async function appServer({ options, output, cwd }: Invocation<AppServerOptions>): Promise<number> {
  const url = options.stdio ? "stdio://" : options.listen;
  if (url === "stdio://" && output.isJson) {
    throw usageError("--json needs --listen ws://… or unix://…: otherwise stdout carries the protocol");
  }
  const listen = await listenOptions(options, url, output);
  try {
    const { forced } = await serveEngine({
      url,
      listen,
      cwd,
      overrides: overridesOf(options),
      onEvent: (event) => tell(event, listen, output),
      onFailure: (error) => output.remark(`unexpected error of the engine: ${stackOf(error)}`),
    });
    return forced ? EXIT.interrupted : EXIT.done;
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new CommandError("listen_failed", EXIT.failed, error.message, [
      "Choose another address; port 0 means any free port.",
    ]);
  }
}

async function listenOptions(options: AppServerOptions, url: string, output: Output): Promise<ListenOptions> {
  const { remark, auth } = (await authOf(options, url)) ?? {};
  if (remark !== undefined) output.remark(remark);
  if (url === "stdio://") return {};
  if (!/^(?:ws|unix):\/\/./.test(url)) {
    throw usageError(`--listen is ${url}: must be stdio://, ws://HOST:PORT or unix://PATH`);
  }
  return { auth, allowedOrigins: options.allowOrigin, maxConnections: MAX_CONNECTIONS };
}

/** Prints what `codex app-server` prints, which clients parse to find the port. */
function tell(event: EngineEvent, { auth }: ListenOptions, output: Output): void {
  output.json(event);
  switch (event.type) {
    case "serving": {
      const isOpen = event.url.startsWith("ws://") && !auth;
      const warning = isOpen
        ? "\n  every user of this machine can connect and run commands as you: use --token-file or unix://PATH"
        : "";
      return output.remark(`codexwright app-server\n  listening on: ${event.url}${warning}`);
    }
    case "stopping":
      return output.remark("Waiting for running turns. Send the signal again to stop immediately.");
    case "stopped":
      return output.remark(event.forced ? "Stopped without waiting." : "Stopped.");
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
