import type { Explanation } from "../domain/explanation.ts";
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
  /** The secret for orders, and off loopback for everything. At least 16 characters. */
  readonly token: string;
}

/** A server that listens. */
export interface HttpServer extends AsyncDisposable {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts to listen. `http/serve.ts` has the implementation. */
export type ServeHttp = (options: HttpOptions) => Promise<HttpServer>;
