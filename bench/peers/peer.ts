import type { Checks, Load } from "../lib/load.ts";

/** For peers that refuse long messages unless told otherwise. */
export const MOST_BYTES: number = 512 * 1024 * 1024;

/** Loads a package of the peer's own folder. */
export type LoadPackage = (name: string) => Promise<unknown>;

export type Question = "approval" | "tool";

/** What the server of a question measure tells at its end. */
export interface Took {
  readonly p50Us: number;
  readonly p99Us: number;
}

/**
 * Another library at work on the bench's server, by its public interface as its documentation says. What it cannot
 * do it does not have; the list of peers says why.
 */
export interface Peer extends AsyncDisposable {
  /** Makes everything ready for a stream, and returns what is measured. */
  stream(load: Load, checks: Checks): Promise<() => Promise<void>>;
  /** One request of the smallest kind. */
  request?(): Promise<unknown>;
  /** Answers the server's questions, from the start of a turn to its end. */
  answer?(kind: Question): Promise<() => Promise<Took>>;
}

export type OpenPeer = (load: LoadPackage, server: string) => Promise<Peer>;
