import type { Checks, Load } from "../lib/load.ts";

/** The message limit for peers that reject long messages by default. */
export const MOST_BYTES: number = 512 * 1024 * 1024;

/** Loads a package from the peer's folder. */
export type LoadPackage = (name: string) => Promise<unknown>;

export type Question = "approval" | "tool";

/** The times that the server reports at the end of a measure that asks questions. */
export interface Took {
  readonly p50Us: number;
  readonly p99Us: number;
}

/**
 * Another library that runs against the bench's server, used through its public interface as documented.
 * Methods are absent if it lacks the feature; the list of peers has the reason.
 */
export interface Peer extends AsyncDisposable {
  /** Prepares a stream, and returns the function to measure. */
  stream(load: Load, checks: Checks): Promise<() => Promise<void>>;
  /** Sends one minimal request. */
  request?(): Promise<unknown>;
  /** Answers the server's questions, from the start of a turn to its end. */
  answer?(kind: Question): Promise<() => Promise<Took>>;
}

export type OpenPeer = (load: LoadPackage, server: string) => Promise<Peer>;
