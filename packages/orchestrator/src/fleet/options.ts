import { InvalidArgumentError } from "codexwright/rpc";
import { checkOptions, needed, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { Answer } from "../domain/orders.ts";
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
  /** Serves the HTTP API also if no port is set: on any free one. */
  readonly serve?: boolean | undefined;
  /** Ends by itself when no issue is eligible, no run goes on, and no retry waits. */
  readonly once?: boolean | undefined;
  /** Receives the lines of the log; default: standard error. An empty list keeps them all back. */
  readonly log?: readonly LogSink[] | undefined;
  /** `text`: `key=value` pairs. `json`: an object for each line. */
  readonly logFormat?: "text" | "json" | undefined;
  /** Aborts the start: then `open` rejects, and nothing is left running. Later, it closes the fleet. */
  readonly signal?: AbortSignal | undefined;
}

/** The person or program that gives an order, for the record. */
export interface OrderOptions {
  /** Default: `program`. */
  readonly by?: string | undefined;
}

/** An order with a reason, which everyone sees who looks at the fleet. */
export interface ReasonOptions extends OrderOptions {
  readonly reason?: string | undefined;
}

export interface DrainOptions extends OrderOptions {
  /** Interrupts the turns that go on. */
  readonly now?: boolean | undefined;
}

export interface DiffOptions {
  /** The id of a run; default: all runs. */
  readonly run?: string | undefined;
}

export interface EventOptions {
  /** Begins after the event with this number; default: with the start of this fleet. */
  readonly after?: bigint | undefined;
  /** Ends the events. */
  readonly signal?: AbortSignal | undefined;
}

const OPTIONS: Table<FleetOptions> = {
  workflow: is.nonEmptyText,
  data: is.nonEmptyText,
  env: is.recordOf(is.text),
  kinds: is.listOf(is.object),
  port: is.integer(0, 65_535),
  serve: is.flag,
  once: is.flag,
  log: is.listOf(is.func),
  logFormat: is.oneOf("text", "json"),
  signal: is.signal,
};

const EVENT: is.Check<bigint> = {
  expects: "a bigint ≥ 0",
  fits: (value) => typeof value === "bigint" && value >= 0n,
  quotes: true,
};

/** The options of the methods. */
export const METHODS: {
  readonly order: Table<OrderOptions>;
  readonly reason: Table<ReasonOptions>;
  readonly drain: Table<DrainOptions>;
  readonly events: Table<EventOptions>;
  readonly diff: Table<DiffOptions>;
} = {
  order: { by: is.nonEmptyText },
  reason: { by: is.nonEmptyText, reason: is.nonEmptyText },
  drain: { by: is.nonEmptyText, now: is.flag },
  events: { after: EVENT, signal: is.signal },
  diff: { run: is.nonEmptyText },
};

export function checkFleetOptions(options: FleetOptions): void {
  checkOptions("Fleet.open()", options, OPTIONS);
}

/** Throws `invalid_argument` for the name of an issue. A method of JavaScript may get anything. */
export function checkIssueName(method: string, name: string): void {
  checkOptions(`fleet.${method}()`, { issue: name }, { issue: needed(is.nonEmptyText) });
}

/** Throws `invalid_argument` unless the answer has either a text or JSON. */
export function checkAnswer(answer: Answer): void {
  checkOptions<{ text?: string; json?: unknown }>("fleet.answer()", answer, {
    text: is.nonEmptyText,
    json: is.anything,
  });
  if ("text" in answer === "json" in answer)
    throw new InvalidArgumentError("the answer of fleet.answer() must have either text or json");
}
