import type { Claim } from "../domain/claim.ts";
import type { FleetEvent } from "../domain/events.ts";
import type { JsonObject } from "../domain/json.ts";
import type { PastRun } from "../domain/snapshot.ts";
import {
  apiTokens,
  blockedRow,
  retryingRow,
  runningRow,
  type ApiBlocked,
  type ApiRetrying,
  type ApiRunning,
  type ApiTokens,
} from "./api-state.ts";

/** An event as the API sends it. */
export interface ApiEvent {
  readonly seq: string;
  readonly at: string;
  readonly event: string;
  readonly issue_id: string | null;
  readonly issue_identifier: string | null;
  readonly run_id: string | null;
  readonly session_id: string | null;
  readonly message: string;
  readonly data: JsonObject;
}

/** The answer of `GET /api/v1/<identifier>`: SPEC.md 13.7.2 with fields of our own. */
export interface ApiIssue {
  readonly issue_identifier: string;
  readonly issue_id: string;
  /** `released`: the fleet has worked on the issue, and has no claim on it now. */
  readonly status: Claim["state"] | "released";
  readonly workspace: { readonly path: string | null; readonly host: string | null };
  readonly attempts: { readonly restart_count: number; readonly current_retry_attempt: number | null };
  readonly running: ApiRunning | null;
  readonly retry: ApiRetrying | null;
  readonly blocked: ApiBlocked | null;
  readonly runs: readonly {
    readonly run_id: string;
    readonly attempt: number | null;
    readonly host: string;
    readonly started_at: string;
    readonly ended_at: string;
    readonly outcome: string;
    readonly message: string | null;
    readonly turns: number;
    readonly thread_id: string | null;
    readonly model: string | null;
    readonly tokens: ApiTokens;
    readonly checkpoints: { readonly before: string | null; readonly after: string | null };
  }[];
  /** Codex keeps the log of a session itself. */
  readonly logs: { readonly codex_session_logs: readonly [] };
  readonly recent_events: readonly ApiEvent[];
  readonly last_error: string | null;
  readonly tracked: JsonObject;
}

/** The records of one issue. */
export interface IssueFacts {
  readonly issueId: string;
  readonly identifier: string;
  readonly claim: Claim | null;
  readonly runs: readonly PastRun[];
  readonly events: readonly FleetEvent[];
}

export function apiIssue({ issueId, identifier, claim, runs, events }: IssueFacts): ApiIssue {
  const last = runs[0];
  const failed = last !== undefined && last.outcome !== "completed" ? last.message : null;
  return {
    issue_identifier: identifier,
    issue_id: issueId,
    status: claim?.state ?? "released",
    workspace: {
      path: claim?.workspacePath ?? last?.workspacePath ?? null,
      host: claim?.host ?? last?.host ?? null,
    },
    attempts: { restart_count: runs.length, current_retry_attempt: claim?.attempt ?? null },
    running: claim?.state === "running" ? runningRow(claim) : null,
    retry: claim?.state === "retrying" ? retryingRow(claim) : null,
    blocked: claim?.state === "blocked" ? blockedRow(claim) : null,
    runs: runs.map((run) => ({
      run_id: run.runId,
      attempt: run.attempt,
      host: run.host,
      started_at: run.startedAt,
      ended_at: run.endedAt,
      outcome: run.outcome,
      message: run.message,
      turns: run.turns,
      thread_id: run.threadId,
      model: run.model,
      tokens: apiTokens(run.tokens),
      checkpoints: run.checkpoints,
    })),
    logs: { codex_session_logs: [] },
    recent_events: events.map(apiEvent),
    last_error: claim?.lastError ?? failed,
    tracked: claim === null ? {} : trackedOf(claim),
  };
}

export function apiEvent(event: FleetEvent): ApiEvent {
  return {
    // JSON has no integers of this size.
    seq: String(event.seq),
    at: event.at,
    event: event.event,
    issue_id: event.issueId,
    issue_identifier: event.identifier,
    run_id: event.runId,
    session_id: event.sessionId,
    message: event.message,
    data: event.data,
  };
}

/** The fields of the tracker that people look for. Descriptions can be megabytes long. */
function trackedOf({ issue }: Claim): JsonObject {
  return {
    title: issue.title,
    state: issue.state,
    priority: issue.priority,
    url: issue.url,
    labels: issue.labels,
    updated_at: issue.updated_at,
  };
}
