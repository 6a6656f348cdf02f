import type { ClaimFacts, Issue, RunInfo } from "@codexwright/orchestrator/internal";
import { NO_TOKENS } from "@codexwright/orchestrator/internal";

export const AT = "2026-02-24T20:15:30.000Z";

export function anIssue(id: string, fields: Partial<Issue> = {}): Issue {
  return {
    id,
    native_ref: null,
    identifier: id.toUpperCase(),
    title: `title of ${id}`,
    description: null,
    priority: null,
    state: "Todo",
    branch_name: null,
    url: `https://tracker.example/${id}`,
    assignee_id: null,
    labels: [],
    blocked_by: [],
    dispatchable: true,
    created_at: null,
    updated_at: null,
    ...fields,
  };
}

export function facts(id: string, fields: Partial<ClaimFacts> = {}): ClaimFacts {
  return {
    issueId: id,
    issue: anIssue(id),
    attempt: null,
    retryKind: null,
    lastError: null,
    failures: 0,
    sessions: 0,
    spent: NO_TOKENS,
    host: null,
    workspacePath: null,
    threadId: null,
    claimedAt: AT,
    ...fields,
  };
}

export function aRun(fields: Partial<RunInfo> = {}): RunInfo {
  return {
    runId: "run-1",
    host: "host-1",
    startedAt: AT,
    phase: "StreamingTurn",
    threadId: null,
    turnId: null,
    sessionId: null,
    turnCount: 0,
    serverPid: null,
    lastEvent: null,
    lastMessage: null,
    lastEventAt: null,
    tokens: NO_TOKENS,
    model: null,
    ...fields,
  };
}
