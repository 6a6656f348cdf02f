import { AbortedError, type CloseReason, type Transport, type TransportFactory } from "codexwright";
import { listen, type ListenOptions } from "codexwright/server";
import { CommandError, EXIT } from "../shared/command-error.ts";
import { Gateway } from "@codexwright/gateway";

/** Events while serving. */
export type ServeEvent =
  | { readonly type: "serving"; readonly url: string; readonly codexVersion: string }
  | { readonly type: "clients"; readonly count: number }
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "upstreamLost"; readonly message: string }
  | { readonly type: "restarted"; readonly codexVersion: string }
  | { readonly type: "stopping" }
  | { readonly type: "stopped"; readonly forced: boolean };

export interface LifecycleOptions {
  /** Starts an app-server. */
  readonly transport: TransportFactory;
  readonly url: string;
  readonly auth?: ListenOptions["auth"];
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Whether to replace a lost app-server. */
  readonly restart: boolean;
  /** Stops serving as soon as the running turns have ended. */
  readonly stop: AbortSignal;
  /** Stops without waiting for running turns. */
  readonly force: AbortSignal;
  readonly onEvent: (event: ServeEvent) => void;
  readonly clock?: () => number;
}

/** An app-server that ran this long did not fail at its start. */
const STABLE_MS = 60_000;
const MAX_LOSSES = 5;
/** The maximum number of connected clients. Each may have megabytes of unsent data. */
const MAX_CONNECTIONS = 128;

/** Serves until it is stopped, or the app-server is lost for good. */
export async function serveUntilStopped(options: LifecycleOptions): Promise<void> {
  const { onEvent, stop, force, clock = Date.now } = options;
  const stopped = new Promise<"stop">((resolve) => {
    if (stop.aborted) resolve("stop");
    else stop.addEventListener("abort", () => resolve("stop"), { once: true });
  });
  let current: Gateway | undefined;
  const open = async (): Promise<Gateway> =>
    await Gateway.open({
      transport: options.transport,
      signal: stop,
      onWarning: (message) => onEvent({ type: "warning", message }),
      onClients: (count) => onEvent({ type: "clients", count }),
    });
  // Without an app-server, new connections are closed. The clients try again.
  const accept = (transport: Transport): void =>
    current ? current.accept(transport) : void transport.close();

  let gateway: Gateway | undefined;
  try {
    gateway = await open();
    current = gateway;
    await using listener = await listen({ accept }, options.url, {
      auth: options.auth,
      allowedOrigins: options.allowedOrigins,
      maxConnections: MAX_CONNECTIONS,
    });
    onEvent({ type: "serving", url: listener.url, codexVersion: gateway.version });
    let startedAt = clock();
    for (let losses = 0; ;) {
      const outcome = await Promise.race([stopped, gateway.ended]);
      if (outcome === "stop") {
        onEvent({ type: "stopping" });
        await gateway.shutdown(force);
        return onEvent({ type: "stopped", forced: force.aborted });
      }
      current = undefined;
      const message = lossOf(outcome);
      onEvent({ type: "upstreamLost", message });
      await gateway[Symbol.asyncDispose]();
      losses = clock() - startedAt < STABLE_MS ? losses + 1 : 1;
      if (!options.restart || losses > MAX_LOSSES) throw lost(message, options.restart);
      gateway = await open();
      startedAt = clock();
      current = gateway;
      onEvent({ type: "restarted", codexVersion: gateway.version });
    }
  } catch (error) {
    // An app-server that was still starting when we were stopped is not an error.
    if (!(stop.aborted && error instanceof AbortedError)) throw error;
    onEvent({ type: "stopped", forced: force.aborted });
  } finally {
    await gateway?.[Symbol.asyncDispose]();
  }
}

function lossOf({ message, stderrTail }: CloseReason): string {
  const last = stderrTail?.trim().split("\n").at(-1);
  return last ? `${message}: ${last}` : message;
}

function lost(message: string, restarts: boolean): CommandError {
  const advice = restarts
    ? [`It was lost ${MAX_LOSSES + 1} times in a row. \`codexwright doctor\` finds problems with the set-up.`]
    : ["Start it again, or use `--restart`. Clients resume their threads with thread/resume."];
  return new CommandError("upstream_lost", EXIT.failed, `lost the app-server: ${message}`, advice);
}
