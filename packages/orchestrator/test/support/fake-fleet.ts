import type { Claim, ClaimFacts } from "../../src/domain/claim.ts";
import type { FleetEvent, NewFleetEvent } from "../../src/domain/events.ts";
import type { Explanation } from "../../src/domain/explanation.ts";
import type { Issue } from "../../src/domain/issue.ts";
import type { Order } from "../../src/domain/orders.ts";
import type { Snapshot } from "../../src/domain/snapshot.ts";
import type { ServedFleet } from "../../src/http/port.ts";
import type { IssueRecord, JobStore } from "../../src/jobs/port.ts";

const NO_TOKENS = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, totalTokens: 0 };
const SOME_TOKENS = { inputTokens: 1200, cachedInputTokens: 200, outputTokens: 800, totalTokens: 2000 };
const AT = "2026-02-24T20:10:12.000Z";

export function anIssue(identifier: string, fields: Partial<Issue> = {}): Issue {
  return {
    id: `id-${identifier}`,
    native_ref: null,
    identifier,
    title: `Title of ${identifier}`,
    description: null,
    priority: 1,
    state: "in progress",
    branch_name: null,
    url: `https://tracker.example/${identifier}`,
    assignee_id: null,
    labels: [],
    blocked_by: [],
    dispatchable: true,
    created_at: AT,
    updated_at: AT,
    ...fields,
  };
}

function facts(issue: Issue): ClaimFacts {
  return {
    issueId: issue.id,
    issue,
    attempt: null,
    retryKind: null,
    lastError: null,
    failures: 0,
    sessions: 0,
    spent: NO_TOKENS,
    host: "laptop",
    workspacePath: `/workspaces/${issue.id}`,
    threadId: "thread-1",
    claimedAt: AT,
  };
}

export function running(issue: Issue, fields: { lastMessage?: string } = {}): Claim {
  return {
    ...facts(issue),
    state: "running",
    run: {
      runId: `run-${issue.id}`,
      host: "laptop",
      startedAt: AT,
      phase: "StreamingTurn",
      threadId: "thread-1",
      turnId: "turn-1",
      sessionId: "thread-1-turn-1",
      turnCount: 7,
      serverPid: 1,
      lastEvent: "turn_completed",
      lastMessage: fields.lastMessage ?? null,
      lastEventAt: AT,
      tokens: SOME_TOKENS,
      model: "scripted",
    },
  };
}

export function retrying(issue: Issue, error: string): Claim {
  return {
    ...facts(issue),
    state: "retrying",
    attempt: 3,
    retryKind: "failure",
    lastError: error,
    dueAt: "2026-02-24T20:16:00.000Z",
  };
}

export function asking(issue: Issue, text: string): Claim {
  const question = {
    kind: "input",
    text,
    method: "item/tool/requestUserInput",
    params: {},
    askedAt: AT,
  } as const;
  return { ...facts(issue), state: "blocked", since: AT, reason: { kind: "question", question } };
}

/** A fleet in memory. Tests set its fields. */
export interface FakeFleet extends ServedFleet {
  claims: Claim[];
  snapshot: Partial<Snapshot>;
  explanations: Map<string, Explanation>;
  patch: string;
  records: Map<string, Partial<IssueRecord>>;
  /** Runs before every read, for faults. */
  before: () => Promise<void>;
  readonly asked: { readonly issueId: string; readonly order: Order }[];
  readonly calls: string[];
  /** Streams of events that are open. */
  readonly streams: () => number;
  /** Events that readers have taken. */
  readonly taken: () => number;
  emit(event: NewFleetEvent): void;
}

export function fakeFleet(): FakeFleet {
  const events: FleetEvent[] = [];
  const heard = new Set<() => void>();
  const calls: string[] = [];
  const asked: FakeFleet["asked"] = [];
  let streams = 0;
  let taken = 0;
  let pending = false;
  const store: Partial<JobStore> = {
    backend: "embedded",
    read: async () => {
      await fleet.before();
      return {
        at: AT,
        claims: fleet.claims,
        hosts: [{ name: "laptop", slots: 10, running: 1, draining: false, seenAt: AT }],
        paused: null,
        draining: false,
        waiting: null,
        totals: { ...NO_TOKENS, seconds: 12 },
        today: NO_TOKENS,
        rateLimits: null,
        tick: { host: "laptop", at: AT, polledAt: AT, error: null },
        workflowVersion: "v1",
        ...fleet.snapshot,
      };
    },
    issue: async (_, issueId) => {
      await fleet.before();
      const claim = fleet.claims.find((each) => each.issueId === issueId) ?? null;
      return { claim, runs: [], events: [], ...fleet.records.get(issueId) };
    },
    ask: async (_, issueId, order) => void asked.push({ issueId, order }),
    pause: async (_, by, reason) => void calls.push(`pause ${by} ${reason}`),
    resume: async (_, by) => void calls.push(`resume ${by}`),
    emit: async (_, list) => list.forEach((event) => fleet.emit(event)),
    lastEvents: async (_, most) => {
      await fleet.before();
      return most === 0 ? [] : events.slice(-most);
    },
    async *events(_, after, signal) {
      streams += 1;
      try {
        let at = after;
        while (!signal.aborted) {
          const next = events.find(({ seq }) => seq > at);
          if (next) {
            at = next.seq;
            taken += 1;
            yield next;
            continue;
          }
          await new Promise<void>((resolve) => {
            heard.add(resolve);
            signal.addEventListener("abort", () => resolve(), { once: true });
          });
        }
      } finally {
        streams -= 1;
      }
    },
  };
  const fleet: FakeFleet = {
    scope: "test",
    store: store as JobStore,
    claims: [],
    snapshot: {},
    explanations: new Map(),
    patch: "",
    records: new Map(),
    before: async () => {},
    asked,
    calls,
    streams: () => streams,
    taken: () => taken,
    emit: (event) => {
      const seq = BigInt(events.length + 1);
      const rest = { issueId: null, identifier: null, runId: null, sessionId: null, data: {} };
      events.push({ ...rest, ...event, seq, at: AT });
      for (const wake of heard) wake();
      heard.clear();
    },
    about: () => ({
      workflowPath: "/project/WORKFLOW.md",
      workflowError: null,
      maxConcurrentAgents: 10,
      dayTokens: 1_000_000,
    }),
    refresh: () => {
      const coalesced = pending;
      pending = true;
      calls.push("refresh");
      return { coalesced };
    },
    explain: async (name) => fleet.explanations.get(name),
    changes: async (identifier, runId) => {
      calls.push(`changes ${identifier} ${runId ?? "all"}`);
      return await Promise.resolve({
        issueId: `id-${identifier}`,
        identifier,
        runs: ["r1"],
        patch: fleet.patch,
      });
    },
    drain: ({ by, now }) => void calls.push(`drain ${by} ${now}`),
  };
  return fleet;
}
