import type { Claim } from "../domain/claim.ts";
import { hasChanged, type Issue } from "../domain/issue.ts";
import type { FailureCode, Outcome, RunTotals, StopReason, Transition } from "../domain/outcome.ts";
import type { Settings } from "../domain/settings.ts";
import { backoffMs, CONTINUATION_DELAY_MS, untilNextDay } from "./backoff.ts";
import { endOf, standingOf } from "./standing.ts";
import { shortened } from "./text.ts";

type Running = Claim & { readonly state: "running" };

/** A reset time further away than this is taken for a mistake of the server. */
const LONGEST_WAIT_MS = 8 * 86_400_000;

interface Ended {
  readonly claim: Running;
  readonly totals: RunTotals;
  readonly settings: Settings;
  readonly now: number;
}

/**
 * Decides what becomes of a claim after its run, by the settings of the workflow version of the run. The issue of the
 * claim is the one that the run began with.
 */
export function decide(
  claim: Running,
  outcome: Outcome,
  totals: RunTotals,
  settings: Settings,
  now: number,
): Transition {
  const ended = { claim, totals, settings, now };
  switch (outcome.kind) {
    case "completed":
      return afterCompleted(outcome.issue, ended);
    case "failed":
      return afterFailed(outcome.code, outcome.message, ended);
    case "stopped":
      return afterStopped(outcome.why, outcome, ended);
    case "question":
      return {
        to: "blocked",
        reason: { kind: "question", question: outcome.question },
        error: shortened(`the agent asked: ${outcome.question.text}`),
      };
    case "limited":
      return afterLimited(outcome.retryAt, outcome.message, ended);
    case "over_budget":
      return outcome.budget === "issue"
        ? { ...overIssueBudget(outcome.tokens, outcome.limit), error: "the budget of the issue was used up" }
        : afterDayBudget(outcome.tokens, outcome.limit, ended);
    default:
      return afterStale(outcome.issue, settings);
  }
}

function afterCompleted(issue: Issue | null, { claim, totals, settings }: Ended): Transition {
  const standing = standingOf(issue, settings);
  if (standing !== "workable" || issue === null) {
    return { to: "released", ...endOf(standing === "workable" ? "gone" : standing, issue) };
  }
  const over = spentBudget(claim, totals, settings);
  if (over !== undefined) return over;
  const sessions = hasChanged(claim.issue, issue) ? 0 : claim.sessions + 1;
  if (sessions >= settings.agent.maxSessions) {
    return { to: "blocked", reason: { kind: "no_progress", sessions }, error: null };
  }
  return {
    to: "retrying",
    attempt: 1,
    retryKind: "continuation",
    delayMs: CONTINUATION_DELAY_MS,
    error: null,
    failures: 0,
    sessions,
  };
}

function afterFailed(code: FailureCode, message: string, { claim, totals, settings }: Ended): Transition {
  const error = shortened(`${code}: ${message}`);
  const failures = claim.failures + 1;
  if (failures >= settings.agent.maxAttempts) {
    return { to: "blocked", reason: { kind: "max_attempts", attempts: failures }, error };
  }
  const over = spentBudget(claim, totals, settings);
  if (over !== undefined) return { ...over, error };
  const attempt = (claim.attempt ?? 0) + 1;
  const delayMs = backoffMs(attempt, settings);
  // A failure between two normal ends is not progress, so it does not reset their number.
  return {
    to: "retrying",
    attempt,
    retryKind: "failure",
    delayMs,
    error,
    failures,
    sessions: claim.sessions,
  };
}

function afterStopped(
  why: StopReason,
  { by, reason }: { readonly by: string | null; readonly reason: string | null },
  ended: Ended,
): Transition {
  const { claim } = ended;
  switch (why) {
    case "terminal":
    case "inactive":
    case "unroutable":
    case "gone":
      // The snapshot of the claim can be older than what made the run stop, so the text does not use it.
      return { to: "released", why: `reconciled: ${why}`, cleanup: why === "terminal" };
    case "operator":
      return {
        to: "blocked",
        reason: { kind: "stopped", by: by ?? "an operator", reason },
        error: shortened(`stopped by ${by ?? "an operator"}${reason === null ? "" : `: ${reason}`}`),
      };
    case "drain":
      return {
        ...uncounted(claim),
        retryKind: "continuation",
        delayMs: CONTINUATION_DELAY_MS,
        error: "the fleet ended during the run",
      };
    case "fenced":
      return { ...uncounted(claim), retryKind: "lost", delayMs: 0, error: "the host lost its lease" };
    default:
      return afterFailed("stalled", reason ?? "the app-server was silent for too long", ended);
  }
}

function afterLimited(retryAt: string, message: string, { claim, settings, now }: Ended): Transition {
  const wait = Date.parse(retryAt) - now;
  const delayMs = Number.isNaN(wait)
    ? settings.agent.maxRetryBackoffMs
    : Math.min(Math.max(wait, CONTINUATION_DELAY_MS), LONGEST_WAIT_MS);
  return {
    ...uncounted(claim),
    retryKind: "failure",
    delayMs,
    error: shortened(`limited: ${message}`),
    scopeWaitsUntil: new Date(now + delayMs).toISOString(),
  };
}

function afterDayBudget(tokens: number, limit: number, { claim, now }: Ended): Transition {
  return {
    ...uncounted(claim),
    retryKind: "failure",
    delayMs: untilNextDay(now),
    error: `the budget of the day is used: ${tokens} of ${limit} tokens`,
  };
}

function afterStale(issue: Issue | null, settings: Settings): Transition {
  const standing = standingOf(issue, settings);
  if (standing !== "workable") return { to: "released", ...endOf(standing, issue) };
  // The worker saw it differently, by other settings. The next tick looks again.
  return { to: "released", why: "the issue was not eligible when the run was to begin", cleanup: false };
}

/** A retry that does not count as an attempt. */
function uncounted(
  claim: Running,
): Pick<Transition & { to: "retrying" }, "to" | "attempt" | "failures" | "sessions"> {
  return {
    to: "retrying",
    attempt: Math.max(claim.attempt ?? 1, 1),
    failures: claim.failures,
    sessions: claim.sessions,
  };
}

function spentBudget(
  claim: Running,
  totals: RunTotals,
  { budget }: Settings,
): (Transition & { to: "blocked" }) | undefined {
  const tokens = claim.spent.totalTokens + totals.tokens.totalTokens;
  return budget.issueTokens !== null && tokens >= budget.issueTokens
    ? overIssueBudget(tokens, budget.issueTokens)
    : undefined;
}

function overIssueBudget(tokens: number, limit: number): Transition & { to: "blocked" } {
  return { to: "blocked", reason: { kind: "issue_budget", tokens, limit }, error: null };
}
