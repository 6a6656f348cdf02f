import { EngineServer } from "@codexwright/engine";
import { engineDefaults } from "@codexwright/engine/node";
import { listen, type ListenOptions } from "codexwright/server";

/** Events of a listener. */
export type EngineEvent =
  | { readonly type: "serving"; readonly url: string; readonly codexVersion: string }
  | { readonly type: "stopping" }
  | { readonly type: "stopped"; readonly forced: boolean };

export interface ServeEngineOptions {
  /** `stdio://`, `ws://HOST:PORT` or `unix://PATH`. */
  readonly url: string;
  readonly listen?: ListenOptions;
  readonly cwd: string;
  /** Settings that take precedence over config.toml. */
  readonly overrides: readonly string[];
  /** Called for listeners. */
  readonly onEvent: (event: EngineEvent) => void;
  /** Called with each unexpected error of the engine. */
  readonly onFailure: (error: unknown) => void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** How long the process may live after the engine has closed. */
const LINGER_MS = 2_000;

/**
 * Serves clients until stdin ends or a signal arrives. A listener then waits for running turns, and a second signal ends
 * that wait. Over stdio the only client is gone, so its turns are interrupted. Returns whether turns were cut short by a
 * second signal.
 */
export async function serveEngine(options: ServeEngineOptions): Promise<{ readonly forced: boolean }> {
  const { url, cwd, overrides, onEvent, onFailure } = options;
  const isStdio = url === "stdio://";
  const stop = new AbortController();
  const force = new AbortController();
  const onSignal = (): void => (stop.signal.aborted ? force.abort() : stop.abort());
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    const server = new EngineServer({ ...(await engineDefaults({ cwd, overrides })), onFailure });
    try {
      const stopped = new Promise<void>((resolve) => {
        if (stop.signal.aborted) resolve();
        else stop.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      const listener = await listen(server, url, options.listen);
      try {
        if (!isStdio) onEvent({ type: "serving", url: listener.url, codexVersion: server.version });
        await Promise.race([stopped, listener.closed]);
        if (!isStdio) onEvent({ type: "stopping" });
        await server.shutdown({ signal: isStdio ? AbortSignal.abort() : force.signal });
        if (!isStdio) onEvent({ type: "stopped", forced: force.signal.aborted });
      } finally {
        await listener.close();
      }
    } finally {
      await server.close();
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
  // A command that cannot be ended, or a broken package, must not keep the process alive.
  setTimeout(() => process.exit(), LINGER_MS).unref();
  return { forced: force.signal.aborted };
}
