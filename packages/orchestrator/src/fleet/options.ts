import { checkOptions, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { TrackerKind } from "../domain/tracker.ts";
import type { LogSink } from "../observe/log.ts";

/** Options of {@link Fleet.open}. */
export interface FleetOptions {
  /** The path of WORKFLOW.md; default `WORKFLOW.md` in the working directory. */
  readonly workflow?: string | undefined;
  /** The state folder; default `$XDG_STATE_HOME/codexwright/fleet/<scope>`. */
  readonly data?: string | undefined;
  /** The environment for variables of WORKFLOW.md; default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Adapters for trackers, besides those of this package. */
  readonly kinds?: readonly TrackerKind[] | undefined;
  /** The port of the HTTP API, instead of `server.port`. 0: any free port. */
  readonly port?: number | undefined;
  /** Ends by itself when no issue is eligible and no run goes on. */
  readonly once?: boolean | undefined;
  /** Receives the lines of the log; default: standard error. An empty list keeps them all back. */
  readonly log?: readonly LogSink[] | undefined;
  /** `text`: `key=value` pairs. `json`: an object for each line. */
  readonly logFormat?: "text" | "json" | undefined;
}

const OPTIONS: Table<FleetOptions> = {
  workflow: is.nonEmptyText,
  data: is.nonEmptyText,
  env: is.recordOf(is.text),
  kinds: is.listOf(is.object),
  port: is.integer(0, 65_535),
  once: is.flag,
  log: is.listOf(is.func),
  logFormat: is.oneOf("text", "json"),
};

export function checkFleetOptions(options: FleetOptions): void {
  checkOptions("Fleet.open()", options, OPTIONS);
}
