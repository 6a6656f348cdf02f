import type { Claim } from "./claim.ts";
import type { Json } from "./json.ts";
import type { Tokens } from "./tokens.ts";

export interface HostInfo {
  readonly name: string;
  readonly slots: number;
  readonly running: number;
  readonly draining: boolean;
  readonly seenAt: string;
}

/** Who paused a scope, and why. */
export interface Pause {
  readonly by: string;
  readonly reason: string | null;
  readonly at: string;
}

/** The state of a scope, read in one transaction. */
export interface Snapshot {
  readonly at: string;
  readonly claims: readonly Claim[];
  readonly hosts: readonly HostInfo[];
  readonly paused: Pause | null;
  readonly draining: boolean;
  /** Nothing is dispatched before this time, for example because of a usage limit. */
  readonly waiting: { readonly until: string; readonly why: string } | null;
  /** The tokens and seconds of all runs that have ended. */
  readonly totals: Tokens & { readonly seconds: number };
  /** Tokens of this UTC day, of ended and running runs. */
  readonly today: Tokens;
  readonly rateLimits: Json;
  readonly tick: {
    readonly host: string | null;
    readonly at: string | null;
    /** The last poll of the tracker that succeeded. */
    readonly polledAt: string | null;
    readonly error: string | null;
  };
  readonly workflowVersion: string | null;
}

/** The files that runs of an issue have changed. */
export interface IssueChanges {
  readonly issueId: string;
  readonly identifier: string;
  /** The ids of the runs, the oldest first. Empty if the workspace was removed. */
  readonly runs: readonly string[];
  /** Empty if the runs have changed nothing. */
  readonly patch: string;
}

/** A run that has ended. */
export interface PastRun {
  readonly runId: string;
  readonly attempt: number | null;
  readonly host: string;
  readonly startedAt: string;
  readonly endedAt: string;
  /** The kind of the outcome, with its code if it has one: `completed`, `failed: turn_timeout`. */
  readonly outcome: string;
  readonly message: string | null;
  readonly tokens: Tokens;
  readonly turns: number;
  readonly threadId: string | null;
  readonly workspacePath: string | null;
  readonly model: string | null;
  readonly checkpoints: { readonly before: string | null; readonly after: string | null };
}
