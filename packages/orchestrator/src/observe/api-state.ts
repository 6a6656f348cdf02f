import type { BlockReason, Claim } from "../domain/claim.ts";
import type { Json } from "../domain/json.ts";
import type { HostInfo, Snapshot } from "../domain/snapshot.ts";
import { addTokens, type Tokens } from "../domain/tokens.ts";

/** Tokens under the names of SPEC.md. */
export interface ApiTokens {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
}

/** The fields that every row of an issue has. */
export interface ApiIssueRow {
  readonly issue_id: string;
  readonly issue_identifier: string;
  readonly issue_url: string | null;
  readonly title: string;
  readonly state: string;
  readonly attempt: number | null;
  readonly retry_kind: string | null;
}

export interface ApiRunning extends ApiIssueRow {
  readonly session_id: string | null;
  readonly turn_count: number;
  readonly phase: string;
  readonly host: string;
  readonly model: string | null;
  readonly last_event: string | null;
  readonly last_message: string | null;
  readonly started_at: string;
  readonly last_event_at: string | null;
  readonly tokens: ApiTokens;
}

export interface ApiRetrying extends ApiIssueRow {
  readonly due_at: string;
  readonly error: string | null;
  readonly host: string | null;
}

export interface ApiBlocked extends ApiIssueRow {
  readonly since: string;
  readonly reason: BlockReason["kind"];
  /** For people: one line. */
  readonly message: string;
  readonly question: {
    readonly kind: string;
    readonly text: string;
    readonly method: string;
    readonly params: Json;
    readonly asked_at: string;
  } | null;
}

/** The answer of `GET /api/v1/state`: SPEC.md 13.7.2 with fields of our own. */
export interface ApiState {
  readonly generated_at: string;
  readonly counts: {
    readonly running: number;
    readonly retrying: number;
    readonly blocked: number;
    readonly queued: number;
  };
  readonly running: readonly ApiRunning[];
  readonly queued: readonly (ApiIssueRow & { readonly since: string })[];
  readonly retrying: readonly ApiRetrying[];
  readonly blocked: readonly ApiBlocked[];
  readonly hosts: readonly {
    readonly name: string;
    readonly slots: number;
    readonly running: number;
    readonly draining: boolean;
    readonly seen_at: string;
  }[];
  readonly codex_totals: ApiTokens & { readonly seconds_running: number };
  readonly today: ApiTokens & { readonly limit: number | null };
  readonly rate_limits: Json;
  readonly paused: { readonly by: string; readonly reason: string | null; readonly at: string } | null;
  readonly draining: boolean;
  readonly waiting: { readonly until: string; readonly why: string } | null;
  readonly tick: {
    readonly host: string | null;
    readonly at: string | null;
    readonly polled_at: string | null;
    readonly error: string | null;
  };
  readonly workflow: {
    readonly path: string;
    readonly version: string | null;
    readonly error: string | null;
  };
  readonly max_concurrent_agents: number;
}

/** The facts about the settings that a state shows. */
export interface StateAbout {
  readonly workflowPath: string;
  readonly workflowError: string | null;
  readonly maxConcurrentAgents: number;
  readonly dayTokens: number | null;
}

/** Turns a snapshot into the answer of the API. `now` is in milliseconds since 1970. */
export function apiState(snapshot: Snapshot, about: StateAbout, now: number): ApiState {
  const { claims, totals } = snapshot;
  const running = claims.filter((claim) => claim.state === "running");
  const queued = claims.filter((claim) => claim.state === "queued");
  const retrying = claims.filter((claim) => claim.state === "retrying");
  const blocked = claims.filter((claim) => claim.state === "blocked");
  const live = running.map(({ run }) => run);
  const seconds = live.reduce((sum, run) => sum + secondsSince(run.startedAt, now), totals.seconds);
  return {
    generated_at: new Date(now).toISOString(),
    counts: {
      running: running.length,
      retrying: retrying.length,
      blocked: blocked.length,
      queued: queued.length,
    },
    running: running.map((claim) => runningRow(claim)),
    queued: queued.map((claim) => ({ ...issueRow(claim), since: claim.since })),
    retrying: retrying.map((claim) => retryingRow(claim)),
    blocked: blocked.map((claim) => blockedRow(claim)),
    hosts: snapshot.hosts.map(hostRow),
    codex_totals: {
      ...apiTokens(live.reduce<Tokens>((sum, run) => addTokens(sum, run.tokens), totals)),
      seconds_running: Math.round(seconds * 10) / 10,
    },
    today: { ...apiTokens(snapshot.today), limit: about.dayTokens },
    rate_limits: snapshot.rateLimits,
    paused: snapshot.paused,
    draining: snapshot.draining,
    waiting: snapshot.waiting,
    tick: {
      host: snapshot.tick.host,
      at: snapshot.tick.at,
      polled_at: snapshot.tick.polledAt,
      error: snapshot.tick.error,
    },
    workflow: {
      path: about.workflowPath,
      version: snapshot.workflowVersion,
      error: about.workflowError,
    },
    max_concurrent_agents: about.maxConcurrentAgents,
  };
}

export function apiTokens(tokens: Tokens): ApiTokens {
  return {
    input_tokens: tokens.inputTokens,
    cached_input_tokens: tokens.cachedInputTokens,
    output_tokens: tokens.outputTokens,
    total_tokens: tokens.totalTokens,
  };
}

export function issueRow({ issueId, issue, attempt, retryKind }: Claim): ApiIssueRow {
  return {
    issue_id: issueId,
    issue_identifier: issue.identifier,
    issue_url: issue.url,
    title: issue.title,
    state: issue.state,
    attempt,
    retry_kind: retryKind,
  };
}

export function runningRow(claim: Claim & { readonly state: "running" }): ApiRunning {
  const { run } = claim;
  return {
    ...issueRow(claim),
    session_id: run.sessionId,
    turn_count: run.turnCount,
    phase: run.phase,
    host: run.host,
    model: run.model,
    last_event: run.lastEvent,
    last_message: run.lastMessage,
    started_at: run.startedAt,
    last_event_at: run.lastEventAt,
    tokens: apiTokens(run.tokens),
  };
}

export function retryingRow(claim: Claim & { readonly state: "retrying" }): ApiRetrying {
  return { ...issueRow(claim), due_at: claim.dueAt, error: claim.lastError, host: claim.host };
}

export function blockedRow(claim: Claim & { readonly state: "blocked" }): ApiBlocked {
  const { reason } = claim;
  const question = reason.kind === "question" ? reason.question : null;
  return {
    ...issueRow(claim),
    since: claim.since,
    reason: reason.kind,
    message: blockMessage(reason),
    question: question && {
      kind: question.kind,
      text: question.text,
      method: question.method,
      params: question.params,
      asked_at: question.askedAt,
    },
  };
}

/** One line for people. */
export function blockMessage(reason: BlockReason): string {
  switch (reason.kind) {
    case "question":
      return reason.question.text;
    case "max_attempts":
      return `${reason.attempts} attempts in a row failed`;
    case "no_progress":
      return `${reason.sessions} runs in a row ended without a change of the issue`;
    case "issue_budget":
      return `the issue has used ${reason.tokens} of its ${reason.limit} tokens`;
    default:
      return reason.reason === null ? `stopped by ${reason.by}` : `stopped by ${reason.by}: ${reason.reason}`;
  }
}

function hostRow(host: HostInfo): ApiState["hosts"][number] {
  const { name, slots, running, draining, seenAt } = host;
  return { name, slots, running, draining, seen_at: seenAt };
}

/** Clocks of two machines can differ, so a start can be in the future. */
function secondsSince(start: string, now: number): number {
  return Math.max(0, (now - Date.parse(start)) / 1000) || 0;
}
