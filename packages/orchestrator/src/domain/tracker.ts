import type { Tool } from "codexwright";
import type { Issue } from "./issue.ts";
import type { JsonObject } from "./json.ts";

/** A key of `tracker.provider`. The documentation is made from these. */
export interface ProviderKey {
  readonly key: string;
  readonly what: string;
  readonly required: boolean;
  readonly default?: string;
  /** True if the value is a secret: `$VAR` is resolved, and the variable is removed from agents and hooks. */
  readonly secret?: true;
  /** The variable that is read if the key is missing. */
  readonly env?: string;
}

/** The properties of an adapter, for the documentation and for the checks of a WORKFLOW.md. */
export interface TrackerProfile {
  readonly kind: string;
  readonly summary: string;
  readonly keys: readonly ProviderKey[];
  /** The defaults; undefined if WORKFLOW.md must name them. */
  readonly activeStates: readonly string[] | undefined;
  readonly terminalStates: readonly string[] | undefined;
  /** For people: selection, pages and limits of the provider, how fields are normalized, errors. */
  readonly notes: Readonly<Record<"scope" | "paging" | "identity" | "normalization" | "errors", string>>;
  readonly tools: readonly { readonly name: string; readonly what: string; readonly mutates: boolean }[];
}

/** A tracker as one scope sees it. Every call is all or nothing; errors are `TrackerError`s. */
export interface Tracker extends AsyncDisposable {
  readonly profile: TrackerProfile;
  /** Returns the issues in these states. An empty list makes no request. */
  byStates(states: readonly string[], signal: AbortSignal): Promise<readonly Issue[]>;
  /** Returns the issues with these ids. An absent id is no longer visible in the scope. */
  byIds(ids: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Issue>>;
  /** Tools that agents of this issue can call. They run in our process, with the adapter's credential. */
  tools(issue: Issue): readonly Tool[];
  close(): Promise<void>;
}

export interface TrackerConfig {
  /** `tracker.provider`, with the variables of documented keys resolved. */
  readonly provider: JsonObject;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  /** The folder of WORKFLOW.md, an absolute path. */
  readonly folder: string;
  /** Receives what an operator should know, for example a malformed record that was left out. */
  readonly warn: (message: string) => void;
}

/** An adapter. */
export interface TrackerKind {
  readonly profile: TrackerProfile;
  /** Returns the problems of `tracker.provider`, each naming the key. Empty if there are none. */
  check(provider: JsonObject): readonly string[];
  open(config: TrackerConfig): Promise<Tracker>;
}
