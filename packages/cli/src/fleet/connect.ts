import { userInfo } from "node:os";
import type { FleetClient, FleetPlace } from "@codexwright/orchestrator/cli";
import type { SharedOptions } from "../shared/options.ts";
import { loadFleet } from "./load.ts";

/** The options of commands for a fleet that runs. */
export interface RunningOptions extends SharedOptions {
  readonly workflow?: string;
  readonly data?: string;
}

/** Finds the fleet on this machine that the options name. Rejects with `fleet_not_running`. */
export async function connectFleet({ workflow, data }: RunningOptions, cwd: string): Promise<FleetClient> {
  const { FleetClient, placeOf } = await loadFleet();
  const place: FleetPlace = placeOf({ workflow, data, cwd, env: process.env });
  return await FleetClient.connect(place, userName());
}

/** The user, for the record of orders. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `uid ${process.getuid?.() ?? "?"}`;
  }
}

/** Aborts when the user presses Ctrl-C, or the process receives SIGTERM. */
export function untilInterrupted(): { readonly signal: AbortSignal; readonly release: () => void } {
  const abort = new AbortController();
  const stop = (): void => abort.abort();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  // Not `once`: a package that restores the cursor ends the process if it is the only listener.
  for (const name of names) process.on(name, stop);
  return {
    signal: abort.signal,
    release: () => {
      for (const name of names) process.off(name, stop);
    },
  };
}
