import type { Issue } from "./issue.ts";
import type { Json } from "./json.ts";
import type { Tokens } from "./tokens.ts";

/** Why a run is not the first one of its issue. */
export type RetryKind = "continuation" | "failure" | "lost" | "moved";

/** The phases of a run that has not ended. */
export type RunPhase =
  | "PreparingWorkspace"
  | "BuildingPrompt"
  | "LaunchingAgentProcess"
  | "InitializingSession"
  | "StreamingTurn"
  | "Finishing";

/** A question of an agent that needs a person. */
export interface Question {
  /** `input`: the model asks the user; `approval`: Codex asks for permission; `elicitation`: an MCP server asks. */
  readonly kind: "input" | "approval" | "elicitation";
  /** For people: what is asked. */
  readonly text: string;
  /** The method and params of the server request, without secrets. */
  readonly method: string;
  readonly params: Json;
  readonly askedAt: string;
}

/** Why a claim waits for a person. */
export type BlockReason =
  | { readonly kind: "question"; readonly question: Question }
  | { readonly kind: "max_attempts"; readonly attempts: number }
  | { readonly kind: "no_progress"; readonly sessions: number }
  | { readonly kind: "issue_budget"; readonly tokens: number; readonly limit: number }
  | { readonly kind: "stopped"; readonly by: string; readonly reason: string | null };

/** A run as the job store shows it while it goes on. */
export interface RunInfo {
  readonly runId: string;
  readonly host: string;
  readonly startedAt: string;
  readonly phase: RunPhase;
  readonly threadId: string | null;
  readonly turnId: string | null;
  /** `<threadId>-<turnId>`. */
  readonly sessionId: string | null;
  readonly turnCount: number;
  readonly serverPid: number | null;
  readonly lastEvent: string | null;
  readonly lastMessage: string | null;
  readonly lastEventAt: string | null;
  /** Tokens of this run so far. */
  readonly tokens: Tokens;
  readonly model: string | null;
}

/** The fields that a claim has in every state. */
export interface ClaimFacts {
  readonly issueId: string;
  /** The last snapshot of the tracker. */
  readonly issue: Issue;
  /** null for the first run, from 1 for later ones. */
  readonly attempt: number | null;
  readonly retryKind: RetryKind | null;
  readonly lastError: string | null;
  /** Failures in a row. */
  readonly failures: number;
  /** Normal ends in a row with the issue unchanged. */
  readonly sessions: number;
  /** Tokens of all runs of the issue that have ended. */
  readonly spent: Tokens;
  /** The host that has the workspace and the thread. */
  readonly host: string | null;
  readonly workspacePath: string | null;
  readonly threadId: string | null;
  readonly claimedAt: string;
}

/** The row that reserves an issue. An issue without a row is unclaimed or released. */
export type Claim = ClaimFacts &
  (
    | { readonly state: "queued"; readonly since: string }
    | { readonly state: "running"; readonly run: RunInfo }
    | { readonly state: "retrying"; readonly dueAt: string }
    | { readonly state: "blocked"; readonly reason: BlockReason; readonly since: string }
  );

export type ClaimState = Claim["state"];
