import fc from "fast-check";
import {
  NO_TOKENS,
  type Claim,
  type ClaimFacts,
  type Issue,
  type RunInfo,
  type RunTotals,
  type Settings,
  type Situation,
} from "@codexwright/orchestrator/internal";

export const NOW: number = Date.parse("2026-05-01T12:00:00.000Z");

/** The settings of a fleet with few limits. */
export function settingsWith(changes: {
  readonly tracker?: Partial<Settings["tracker"]>;
  readonly agent?: Partial<Settings["agent"]>;
  readonly budget?: Partial<Settings["budget"]>;
  readonly stallTimeoutMs?: number | null;
}): Settings {
  return {
    tracker: {
      kind: "memory",
      provider: {},
      requiredLabels: [],
      activeStates: ["Todo", "In Progress"],
      terminalStates: ["Done"],
      ...changes.tracker,
    },
    polling: { intervalMs: 30_000 },
    workspace: { root: "/nowhere" },
    hooks: { afterCreate: null, beforeRun: null, afterRun: null, beforeRemove: null, timeoutMs: 60_000 },
    agent: {
      maxConcurrentAgents: 10,
      maxTurns: 20,
      maxRetryBackoffMs: 300_000,
      maxConcurrentAgentsByState: {},
      maxAttempts: 10,
      maxSessions: 10,
      onQuestion: "block",
      sessionLimitMs: 21_600_000,
      ...changes.agent,
    },
    codex: {
      command: "codex app-server",
      approvalPolicy: "never",
      threadSandbox: "workspace-write",
      turnSandboxPolicy: null,
      turnTimeoutMs: 3_600_000,
      readTimeoutMs: 5000,
      stallTimeoutMs: changes.stallTimeoutMs === undefined ? 300_000 : changes.stallTimeoutMs,
    },
    budget: { issueTokens: 1000, dayTokens: 10_000, ...changes.budget },
    database: { url: null, leaseMs: 30_000 },
    worker: { slots: 5, sshHosts: [], maxConcurrentAgentsPerHost: null },
    server: { port: null, host: "127.0.0.1" },
  };
}

export function issueWith(changes: Partial<Issue>): Issue {
  return {
    id: "1",
    native_ref: null,
    identifier: "ONE-1",
    title: "A title",
    description: null,
    priority: null,
    state: "Todo",
    branch_name: null,
    url: null,
    assignee_id: null,
    labels: [],
    blocked_by: [],
    dispatchable: true,
    created_at: null,
    updated_at: null,
    ...changes,
  };
}

const RUN: RunInfo = {
  runId: "r1",
  host: "here",
  startedAt: "2026-05-01T11:00:00.000Z",
  phase: "StreamingTurn",
  threadId: null,
  turnId: null,
  sessionId: null,
  turnCount: 1,
  serverPid: null,
  lastEvent: null,
  lastMessage: null,
  lastEventAt: null,
  tokens: NO_TOKENS,
  model: null,
};

function factsOf(issue: Issue, changes: Partial<ClaimFacts>): ClaimFacts {
  return {
    issueId: issue.id,
    issue,
    attempt: null,
    retryKind: null,
    lastError: null,
    failures: 0,
    sessions: 0,
    spent: NO_TOKENS,
    host: null,
    workspacePath: null,
    threadId: null,
    claimedAt: "2026-05-01T10:00:00.000Z",
    ...changes,
  };
}

export function running(issue: Issue, changes: Partial<ClaimFacts> = {}): Claim & { state: "running" } {
  return { ...factsOf(issue, changes), state: "running", run: RUN };
}

export function retrying(issue: Issue, changes: Partial<ClaimFacts> = {}): Claim & { state: "retrying" } {
  return { ...factsOf(issue, changes), state: "retrying", dueAt: "2026-05-01T12:00:10.000Z" };
}

export function queued(issue: Issue): Claim {
  return { ...factsOf(issue, {}), state: "queued", since: "2026-05-01T11:59:00.000Z" };
}

export function blocked(issue: Issue): Claim {
  const reason = { kind: "max_attempts", attempts: 10 } as const;
  return { ...factsOf(issue, {}), state: "blocked", reason, since: "2026-05-01T11:59:00.000Z" };
}

export function situationWith(
  snapshot: Partial<Situation["snapshot"]>,
  settings: Settings = settingsWith({}),
  preflight: Situation["preflight"] = [],
): Situation {
  return {
    settings,
    snapshot: {
      claims: [],
      paused: null,
      draining: false,
      waiting: null,
      today: NO_TOKENS,
      ...snapshot,
    },
    preflight,
    now: NOW,
  };
}

export function tokens(totalTokens: number): typeof NO_TOKENS {
  return { ...NO_TOKENS, totalTokens };
}

export function totalsWith(totalTokens: number): RunTotals {
  return {
    startedAt: "2026-05-01T11:00:00.000Z",
    endedAt: "2026-05-01T12:00:00.000Z",
    tokens: tokens(totalTokens),
    turns: 1,
    threadId: null,
    workspacePath: null,
    model: null,
    checkpoints: { before: null, after: null },
  };
}

/** States, with the names of properties that every object has, and in any case. */
export const anyState: fc.Arbitrary<string> = fc.constantFrom(
  "Todo",
  " todo",
  "In Progress",
  "Done",
  "DONE ",
  "Backlog",
  "constructor",
  "__proto__",
  "",
);

const anyTime = fc.constantFrom(
  null,
  "not a time",
  "",
  "2026-01-01T00:00:00Z",
  "2026-01-01T01:00:00+01:00",
  "2026-04-01T00:00:00.5Z",
);

export const anyIssue: fc.Arbitrary<Issue> = fc
  .record({
    id: fc.constantFrom("1", "2", "3", "4", "5", "6", "7", "8", ""),
    identifier: fc.constantFrom("A-1", "A-2", "Z-1", "ä-1", " "),
    title: fc.constantFrom("A title", "", "{{ issue.title }}"),
    state: anyState,
    priority: fc.oneof(fc.constant(null), fc.integer({ min: -2, max: 7 }), fc.double()),
    labels: fc.subarray(["codex", "help", "constructor"]),
    dispatchable: fc.boolean(),
    created_at: anyTime,
    updated_at: anyTime,
  })
  .map((fields) => issueWith(fields));

/** Issues of which many are eligible. */
export const goodIssue: fc.Arbitrary<Issue> = fc
  .record({
    id: fc.integer({ min: 1, max: 20 }).map(String),
    state: fc.constantFrom("Todo", "In Progress", " TODO "),
    priority: fc.constantFrom(null, 1, 2, 3),
    created_at: anyTime,
  })
  .map((fields) => issueWith({ ...fields, identifier: `A-${fields.id}` }));

export const anySettings: fc.Arbitrary<Settings> = fc
  .record({
    maxConcurrentAgents: fc.integer({ min: 0, max: 6 }),
    byState: fc.dictionary(
      fc.constantFrom("todo", "in progress", "constructor"),
      fc.integer({ min: 1, max: 3 }),
    ),
    requiredLabels: fc.subarray(["codex", ""]),
    activeStates: fc.subarray(["Todo", "in progress", "constructor", "Done"]),
    issueTokens: fc.constantFrom(null, 0, 1000),
    dayTokens: fc.constantFrom(null, 0, 10_000),
    maxAttempts: fc.integer({ min: 1, max: 5 }),
    maxSessions: fc.integer({ min: 1, max: 5 }),
    maxRetryBackoffMs: fc.integer({ min: 0, max: 10_000_000 }),
  })
  .map((each) =>
    settingsWith({
      tracker: { requiredLabels: each.requiredLabels, activeStates: each.activeStates },
      agent: {
        maxConcurrentAgents: each.maxConcurrentAgents,
        maxConcurrentAgentsByState: each.byState,
        maxAttempts: each.maxAttempts,
        maxSessions: each.maxSessions,
        maxRetryBackoffMs: each.maxRetryBackoffMs,
      },
      budget: { issueTokens: each.issueTokens, dayTokens: each.dayTokens },
    }),
  );

const anyClaim: fc.Arbitrary<Claim> = fc
  .tuple(goodIssue, fc.constantFrom(running, retrying, queued, blocked))
  .map(([issue, make]) => make(issue));

export const anySituation: fc.Arbitrary<Situation> = fc
  .record({
    settings: fc.oneof(anySettings, fc.constant(settingsWith({}))),
    claims: fc.uniqueArray(anyClaim, { maxLength: 6, selector: ({ issueId }) => issueId }),
    paused: fc.constantFrom(null, null, null, { by: "me", reason: null, at: "2026-05-01T11:00:00Z" }),
    draining: fc.constantFrom(false, false, false, true),
    waiting: fc.constantFrom(
      null,
      null,
      { until: "2026-05-01T11:00:00Z", why: "a limit" },
      { until: "2026-05-01T13:00:00Z", why: "a limit" },
    ),
    today: fc.constantFrom(0, 9999, 10_000).map(tokens),
    isReady: fc.constantFrom(true, true, true, false),
  })
  .map(({ settings, isReady, ...snapshot }) =>
    situationWith(snapshot, settings, [{ rule: "disk_space", ok: isReady, why: "The disk has space." }]),
  );
