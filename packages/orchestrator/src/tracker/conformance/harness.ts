import type { Tracker, TrackerConfig } from "../../domain/tracker.ts";

/** An issue to create. */
export interface SampleIssue {
  readonly title: string;
  readonly state: string;
  readonly description?: string;
  /** As people type them: with blanks, duplicates and upper case. */
  readonly labels?: readonly string[];
  readonly priority?: number;
  /** The ids of issues that block it. */
  readonly blockedBy?: readonly string[];
}

/** Failures of a provider. */
export type Breakage =
  /** The provider does not answer. */
  | "unreachable"
  /** The credential is refused. */
  | "unauthorized"
  /** The answer says that it failed, for example with status 500. */
  | "failing"
  /** The answer ends in the middle, or one of its pages is missing. */
  | "truncated"
  /** The provider refuses more requests for some time. */
  | "rate_limited";

/**
 * A provider for the checks, with the adapter on it. Each check gets a new one, without issues. A method that is missing,
 * or that returns false, is something that the provider cannot do; checks that need it are skipped.
 */
export interface TrackerHarness extends AsyncDisposable {
  /** Opens the adapter. The warnings of the adapter go to `warn`. */
  open(config: Pick<TrackerConfig, "activeStates" | "terminalStates" | "warn">): Promise<Tracker>;
  /** States that the provider has. Default: those of the adapter's profile. */
  readonly states?: { readonly active: readonly string[]; readonly terminal: readonly string[] };
  /** Creates an issue and returns its id. */
  create(issue: SampleIssue): Promise<string>;
  change(id: string, change: Partial<SampleIssue>): Promise<void>;
  /** Makes an issue invisible for the adapter. */
  remove(id: string): Promise<void>;
  /** Makes the record of an issue one that the adapter cannot use. */
  spoil?(id: string): Promise<void>;
  /** Makes every call fail until it is mended. Returns false if the provider cannot fail in this way. */
  break?(how: Breakage): Promise<boolean>;
  mend?(): Promise<void>;
  /** The number of requests that the provider has received. */
  requests?(): number;
  /** A credential that no error or warning may contain. */
  readonly secret?: string;
}
