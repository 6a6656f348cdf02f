import type { Explanation } from "../domain/explanation.ts";
import type { IssueChanges } from "../domain/snapshot.ts";
import type { JobStore, Scope } from "../jobs/port.ts";

/** The fleet, as the HTTP API uses it. Everything else is read from the job store and written to it. */
export interface ServedFleet {
  readonly scope: Scope;
  readonly store: JobStore;
  /** The settings in force now that people compare the state with. */
  about(): FleetAbout;
  /** Asks for a tick now. Requests that arrive before it begins share it. */
  refresh(): { readonly coalesced: boolean };
  /** By identifier or id. undefined if neither the tracker nor the job store knows the issue. */
  explain(issue: string, signal: AbortSignal): Promise<Explanation | undefined>;
  /** The changes of a run, or of all runs of an issue. Rejects with `issue_not_found` or `run_not_found`. */
  changes(issue: string, runId: string | undefined, signal: AbortSignal): Promise<IssueChanges>;
  /** Starts no more runs, lets turns end, and then ends the fleet. With `now`, interrupts the turns. */
  drain(options: { readonly by: string; readonly now: boolean }): void;
}

/** Facts of a fleet that the job store does not have. */
export interface FleetAbout {
  /** The absolute path of WORKFLOW.md. */
  readonly workflowPath: string;
  /** The problem of the file as it is now, if the last good version is used instead. */
  readonly workflowError: string | null;
  readonly maxConcurrentAgents: number;
  /** The budget of a UTC day. null: no limit. */
  readonly dayTokens: number | null;
}

export interface HttpOptions {
  readonly fleet: ServedFleet;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The secret for orders, and off loopback for everything. */
  readonly token: string;
  readonly limits?: HttpLimits;
}

/** Limits that tests make smaller. */
export interface HttpLimits {
  /** For a read of the job store; default: 5 s. */
  readonly readMs?: number;
  /** For an explanation, which can ask the tracker; default: 30 s. */
  readonly explainMs?: number;
  /** For the head of a request; default: 10 s. A whole request may take half as long again. */
  readonly headMs?: number;
  /** How long a connection may make no progress; default: 45 s. */
  readonly idleMs?: number;
  /** Between the comments that keep a stream of events open; default: 15 s. */
  readonly heartbeatMs?: number;
  /** The maximum number of open streams of events; default: 64. */
  readonly maxStreams?: number;
}

/** A server that listens. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts to listen. `http/serve.ts` has the implementation. */
export type ServeHttp = (options: HttpOptions) => Promise<HttpServer>;
