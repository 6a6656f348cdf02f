import type { BlockReason, Question } from "./claim.ts";
import type { Issue } from "./issue.ts";
import type { Tokens } from "./tokens.ts";

/** The names of SPEC.md section 10.6 for failures, and those that only we have. */
export type FailureCode =
  | "codex_not_found"
  | "response_timeout"
  | "turn_timeout"
  | "port_exit"
  | "response_error"
  | "turn_failed"
  | "turn_cancelled"
  | "turn_input_required"
  | "approval_required"
  | "stalled"
  | "session_limit"
  | "hook_failed"
  | "hook_timeout"
  | "workspace_root"
  | "workspace_escape"
  | "workspace_outside"
  | "workspace_error"
  | "template_parse_error"
  | "template_render_error"
  | "tracker_error"
  | "disk_full"
  | "unexpected";

/** Why a run was stopped from outside. */
export type StopReason =
  | "terminal"
  | "inactive"
  | "unroutable"
  | "gone"
  | "operator"
  | "drain"
  | "fenced"
  /** The app-server was silent for too long. The run ends as `failed` with the code `stalled`. */
  | "stalled";

/** How a run ended. */
export type Outcome =
  /** All turns are done. `issue` is the last refresh, null if the tracker no longer shows the issue. */
  | { readonly kind: "completed"; readonly issue: Issue | null }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly message: string }
  | {
      readonly kind: "stopped";
      readonly why: StopReason;
      readonly by: string | null;
      readonly reason: string | null;
    }
  | { readonly kind: "question"; readonly question: Question }
  /** The account's usage limit is reached until `retryAt`. */
  | { readonly kind: "limited"; readonly retryAt: string; readonly message: string }
  /** `tokens` were used of the budget `limit`: that of the issue over all its runs, or that of the UTC day. */
  | {
      readonly kind: "over_budget";
      readonly budget: "issue" | "day";
      readonly tokens: number;
      readonly limit: number;
    }
  /** The issue was no longer eligible before anything was started. */
  | { readonly kind: "stale"; readonly issue: Issue | null };

/** The results of a run besides its outcome. */
export interface RunTotals {
  readonly startedAt: string;
  readonly endedAt: string;
  readonly tokens: Tokens;
  readonly turns: number;
  readonly threadId: string | null;
  readonly workspacePath: string | null;
  readonly model: string | null;
  /** The trees of the workspace before and after the run, for `diff` and `revert`. */
  readonly checkpoints: { readonly before: string | null; readonly after: string | null };
}

/** The next state of a claim after a run, decided by `policy/`. */
export type Transition =
  | {
      readonly to: "retrying";
      readonly attempt: number;
      readonly retryKind: "continuation" | "failure" | "lost" | "moved";
      readonly delayMs: number;
      readonly error: string | null;
      readonly failures: number;
      readonly sessions: number;
      /** Set if the whole scope must wait, for example for the account's usage limit. */
      readonly scopeWaitsUntil?: string;
    }
  | { readonly to: "blocked"; readonly reason: BlockReason; readonly error: string | null }
  | { readonly to: "released"; readonly why: string; readonly cleanup: boolean };
