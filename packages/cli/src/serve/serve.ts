import { stdio } from "codexwright";
import { ListenError } from "codexwright/server";
import { CommandError, EXIT } from "../shared/command-error.ts";
import type { Invocation } from "../shared/invoke.ts";
import type { SharedOptions } from "../shared/options.ts";
import type { Output } from "../shared/output.ts";
import { write } from "../shared/terminal.ts";
import { chooseAuth, type AuthFlags } from "./auth.ts";
import { serveUntilStopped, type ServeEvent } from "./lifecycle.ts";

export interface ServeOptions extends SharedOptions, AuthFlags {
  readonly listen: string;
  readonly allowOrigin?: readonly string[];
  readonly restart?: boolean;
}

/**
 * Serves one Codex to many clients until a signal arrives. A second signal stops without waiting for running
 * turns.
 */
export async function serve({ options, output, cwd }: Invocation<ServeOptions>): Promise<number> {
  const chosen = await chooseAuth(options, options.listen, process.stderr.isTTY);
  if (chosen.remark !== undefined) output.remark(chosen.remark);
  const stop = new AbortController();
  const force = new AbortController();
  const onSignal = (): void => (stop.signal.aborted ? force.abort() : stop.abort());
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  try {
    await serveUntilStopped({
      transport: stdio({ codexPath: options.codexPath, cwd }),
      url: options.listen,
      auth: chosen.auth,
      allowedOrigins: options.allowOrigin,
      restart: options.restart ?? false,
      stop: stop.signal,
      force: force.signal,
      onEvent: (event) => {
        tell(event, output);
        if (event.type === "serving" && chosen.token !== undefined) {
          write("stderr", `Token for this run (shown only here): ${chosen.token}\n`);
        }
      },
    });
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new CommandError("listen_failed", EXIT.failed, error.message, [
      "Choose another address; port 0 means any free port. `codexwright doctor --listen <url>` checks an address.",
    ]);
  } finally {
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
  }
  return force.signal.aborted ? EXIT.interrupted : EXIT.done;
}

function tell(event: ServeEvent, output: Output): void {
  output.json(event);
  switch (event.type) {
    case "serving":
      return output.text(`Serving Codex ${event.codexVersion} on ${event.url}\n`);
    case "clients":
      return output.remark(event.count === 1 ? "1 client" : `${event.count} clients`);
    case "warning":
      return output.remark(`warning: ${event.message}`);
    case "upstreamLost":
      return output.remark(`lost the app-server: ${event.message}`);
    case "restarted":
      return output.remark(`started a new app-server (Codex ${event.codexVersion})`);
    case "stopping":
      return output.remark("Waiting for running turns. Send the signal again to stop immediately.");
    case "stopped":
      return output.remark(event.forced ? "Stopped without waiting." : "Stopped.");
  }
}
