import type { Place } from "./errors.ts";
import type { Json, JsonObject } from "./json.ts";

/** The typed view of the front matter of a WORKFLOW.md, with defaults and variables resolved. */
export interface Settings {
  readonly tracker: {
    readonly kind: string;
    /** The adapter's own settings, as written, except that `$VAR` of its documented keys is resolved. */
    readonly provider: JsonObject;
    /** Normalized. A blank label matches nothing. */
    readonly requiredLabels: readonly string[];
    readonly activeStates: readonly string[];
    readonly terminalStates: readonly string[];
  };
  readonly polling: { readonly intervalMs: number };
  /** An absolute path. */
  readonly workspace: { readonly root: string };
  readonly hooks: {
    readonly afterCreate: string | null;
    readonly beforeRun: string | null;
    readonly afterRun: string | null;
    readonly beforeRemove: string | null;
    readonly timeoutMs: number;
  };
  readonly agent: {
    readonly maxConcurrentAgents: number;
    readonly maxTurns: number;
    readonly maxRetryBackoffMs: number;
    /** By normalized state. */
    readonly maxConcurrentAgentsByState: Readonly<Record<string, number>>;
    readonly maxAttempts: number;
    readonly maxSessions: number;
    readonly onQuestion: "block" | "decline" | "fail";
    readonly sessionLimitMs: number;
  };
  readonly codex: {
    readonly command: string;
    /** Passed to the app-server as they are. */
    readonly approvalPolicy: Json;
    readonly threadSandbox: Json;
    readonly turnSandboxPolicy: Json;
    /** Limit of silence in a turn. */
    readonly turnTimeoutMs: number;
    readonly readTimeoutMs: number;
    /** null: off. */
    readonly stallTimeoutMs: number | null;
  };
  /** null: no limit. */
  readonly budget: { readonly issueTokens: number | null; readonly dayTokens: number | null };
  readonly database: { readonly url: string | null; readonly leaseMs: number };
  readonly worker: {
    readonly slots: number;
    readonly sshHosts: readonly string[];
    readonly maxConcurrentAgentsPerHost: number | null;
  };
  readonly server: { readonly port: number | null; readonly host: string };
}

/** A WORKFLOW.md that was read and checked. Runs keep the one that they began with. */
export interface Workflow {
  /** A hash of the contents. */
  readonly version: string;
  /** The absolute path of the file. */
  readonly path: string;
  readonly settings: Settings;
  /** The front matter as written: unknown keys too, variables not resolved. Contains no resolved secrets. */
  readonly config: JsonObject;
  readonly promptTemplate: string;
  /** The place in the file where `promptTemplate` begins. */
  readonly promptStart: Place;
  /** For people: unknown keys, ignored entries, literal secrets. */
  readonly warnings: readonly string[];
}
