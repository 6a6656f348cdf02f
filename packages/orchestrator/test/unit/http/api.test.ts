import fc from "fast-check";
import { FleetError } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { expect } from "vitest";
import { anIssue, asking, retrying, running } from "../../support/fake-fleet.ts";
import { served } from "../../support/served.ts";

verifies(
  ["fleet.http.state", "symphony.17.4.snapshot", "symphony.17.4.entries"],
  "the state has the shape of SPEC.md, and our fields",
  async () => {
    await using api = await served();
    api.fleet.claims = [
      running(anIssue("MT-649")),
      retrying(anIssue("MT-650"), "no available orchestrator slots"),
      asking(anIssue("MT-651"), "Which database?"),
    ];
    api.fleet.snapshot = { paused: { by: "ann", reason: "a release", at: "2026-02-24T20:00:00.000Z" } };
    const { status, body, headers } = await api.get("/api/v1/state");
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toMatchObject({
      counts: { running: 1, retrying: 1, blocked: 1, queued: 0 },
      running: [
        {
          issue_id: "id-MT-649",
          issue_identifier: "MT-649",
          issue_url: "https://tracker.example/MT-649",
          state: "in progress",
          session_id: "thread-1-turn-1",
          turn_count: 7,
          last_event: "turn_completed",
          started_at: "2026-02-24T20:10:12.000Z",
          tokens: { input_tokens: 1200, output_tokens: 800, total_tokens: 2000 },
        },
      ],
      retrying: [
        {
          issue_identifier: "MT-650",
          attempt: 3,
          due_at: "2026-02-24T20:16:00.000Z",
          error: "no available orchestrator slots",
        },
      ],
      blocked: [{ issue_identifier: "MT-651", reason: "question", message: "Which database?" }],
      hosts: [{ name: "laptop", slots: 10, running: 1 }],
      // Of the runs that have ended, and of the one that goes on.
      codex_totals: { input_tokens: 1200, output_tokens: 800, total_tokens: 2000 },
      today: { total_tokens: 0, limit: 1_000_000 },
      rate_limits: null,
      paused: { by: "ann", reason: "a release" },
      workflow: { path: "/project/WORKFLOW.md", version: "v1", error: null },
    });
    const totals = body["codex_totals"] as { seconds_running: number };
    expect(totals.seconds_running).toBeGreaterThan(12);
    expect(Number.isNaN(Date.parse(String(body["generated_at"])))).toBe(false);
  },
);

verifies("fleet.http.issue", "an issue shows its claim; an unknown one is 404", async () => {
  await using api = await served();
  api.fleet.claims = [running(anIssue("MT-1"))];
  api.fleet.records.set("gone", {
    runs: [
      {
        runId: "r1",
        attempt: null,
        host: "laptop",
        startedAt: "2026-02-24T20:00:00.000Z",
        endedAt: "2026-02-24T20:01:00.000Z",
        outcome: "failed: turn_failed",
        message: "the model refused",
        tokens: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, totalTokens: 2 },
        turns: 1,
        threadId: null,
        workspacePath: "/workspaces/gone",
        model: null,
        checkpoints: { before: null, after: null },
      },
    ],
  });
  const claimed = await api.get("/api/v1/MT-1");
  expect(claimed.body).toMatchObject({
    issue_identifier: "MT-1",
    issue_id: "id-MT-1",
    status: "running",
    workspace: { path: "/workspaces/id-MT-1" },
    running: { turn_count: 7 },
    retry: null,
    logs: { codex_session_logs: [] },
    recent_events: [],
    last_error: null,
  });
  expect((await api.get("/api/v1/id-MT-1")).body["issue_identifier"]).toBe("MT-1");
  const released = await api.get("/api/v1/gone");
  expect(released.body).toMatchObject({
    status: "released",
    attempts: { restart_count: 1, current_retry_attempt: null },
    last_error: "the model refused",
    workspace: { path: "/workspaces/gone" },
  });
  // The identifier of an issue need not be its id.
  const known = {
    issueId: "gone",
    identifier: "MT-9",
    issue: null,
    eligible: false,
    verdicts: [],
    claim: null,
  };
  api.fleet.explanations.set("MT-9", { ...known, next: [] });
  expect((await api.get("/api/v1/MT-9")).body).toMatchObject({ issue_id: "gone", status: "released" });
  api.fleet.explanations.set("MT-3", { ...known, issueId: "id-3", identifier: "MT-3", next: [] });
  expect((await api.get("/api/v1/MT-3")).status).toBe(404);
  const unknown = await api.get("/api/v1/MT-2");
  expect(unknown.status).toBe(404);
  expect(unknown.body).toEqual({
    error: { code: "issue_not_found", message: 'the fleet has no issue "MT-2"' },
  });
});

verifies("fleet.http.identifiers", "identifiers with any characters reach the fleet unchanged", async () => {
  await using api = await served();
  // URLs resolve these two before they are sent, so such an issue is addressed by its id.
  const identifier = fc
    .string({ unit: "binary", minLength: 1, maxLength: 30 })
    .filter((text) => text !== "." && text !== "..");
  const odd = fc.constantFrom(
    "a/b",
    "%2F",
    "%252f",
    "a b",
    "../../etc",
    "?x=1",
    "#1",
    "ä–😀",
    "a\\b",
    "\u0000",
    "+",
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(odd, identifier), async (name) => {
      api.fleet.claims = [running(anIssue(name))];
      const { status, body } = await api.post(`/api/v1/${encodeURIComponent(name)}/stop`, { by: "ann" });
      expect({ status, name: body["issue_identifier"] }).toEqual({ status: 202, name });
      const shown = await api.get(`/api/v1/${encodeURIComponent(name)}`);
      expect(shown.body["issue_identifier"] ?? name).toBe(name);
    }),
    { seed: 34, numRuns: 200, examples: [["%2F"], ["%25"], ["state"]] },
  );
  expect((await api.get("/api/v1/%ff")).status).toBe(400);
});

verifies(
  "fleet.http.refresh",
  "a refresh asks for a tick, and says whether one was already due",
  async () => {
    await using api = await served();
    const first = await api.post("/api/v1/refresh");
    expect(first.status).toBe(202);
    expect(first.body).toMatchObject({ queued: true, coalesced: false, operations: ["poll", "reconcile"] });
    const bare = await fetch(`${api.server.url}/api/v1/refresh`, {
      method: "POST",
      headers: { authorization: "Bearer the-token-of-this-test" },
    });
    expect(await bare.json()).toMatchObject({ coalesced: true });
    expect(api.fleet.calls).toEqual(["refresh", "refresh"]);
  },
);

verifies("fleet.http.orders", "orders reach the job store with the person who gave them", async () => {
  await using api = await served();
  api.fleet.claims = [asking(anIssue("MT-1"), "Which?")];
  const claim = {
    issueId: "id-MT-9",
    identifier: "MT-9",
    issue: null,
    eligible: false,
    verdicts: [],
    claim: null,
  };
  api.fleet.explanations.set("MT-9", { ...claim, next: [] });
  expect((await api.post("/api/v1/MT-1/stop", { by: "ann", reason: " no\nlonger " })).body).toEqual({
    accepted: true,
    order: "stop",
    issue_id: "id-MT-1",
    issue_identifier: "MT-1",
  });
  await api.post("/api/v1/MT-1/answer", { by: "ann", text: "PostgreSQL\n15" });
  await api.post("/api/v1/MT-1/answer", { json: { decision: "accept" } });
  await api.post("/api/v1/MT-9/retry");
  await api.post("/api/v1/MT-1/clean", { by: "ann" });
  expect(api.fleet.asked).toEqual([
    { issueId: "id-MT-1", order: { kind: "stop", by: "ann", reason: "no longer" } },
    { issueId: "id-MT-1", order: { kind: "answer", by: "ann", answer: { text: "PostgreSQL\n15" } } },
    { issueId: "id-MT-1", order: { kind: "answer", by: "HTTP", answer: { json: { decision: "accept" } } } },
    { issueId: "id-MT-9", order: { kind: "retry", by: "HTTP" } },
    { issueId: "id-MT-1", order: { kind: "clean", by: "ann" } },
  ]);
  api.fleet.calls.length = 0;
  await api.post("/api/v1/pause", { by: "ann", reason: "a release" });
  await api.post("/api/v1/resume", { by: "ann" });
  await api.post("/api/v1/drain", { by: "ann", now: true });
  expect(api.fleet.calls).toEqual(["pause ann a release", "resume ann", "refresh", "drain ann true"]);
  expect((await api.post("/api/v1/MT-8/stop")).status).toBe(404);
});

verifies("fleet.http.orders", "an order that is not valid changes nothing", async () => {
  await using api = await served();
  api.fleet.claims = [asking(anIssue("MT-1"), "Which?")];
  const wrong: readonly (readonly [string, unknown, number])[] = [
    ["/api/v1/MT-1/stop", { raeson: "x" }, 400],
    ["/api/v1/MT-1/stop", { reason: 7 }, 400],
    ["/api/v1/MT-1/stop", { reason: "x".repeat(1001) }, 400],
    ["/api/v1/MT-1/stop", [], 400],
    ["/api/v1/MT-1/stop", "null", 400],
    ["/api/v1/MT-1/stop", "{", 400],
    ["/api/v1/MT-1/answer", {}, 400],
    ["/api/v1/MT-1/answer", { text: " " }, 400],
    ["/api/v1/MT-1/answer", { text: "a", json: 1 }, 400],
    ["/api/v1/MT-1/answer", { text: "a".repeat(300_000) }, 413],
    ["/api/v1/MT-1/answer", `{"json":${"[".repeat(100)}${"]".repeat(100)}}`, 400],
    ["/api/v1/MT-1/answer", `{"json":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
    ["/api/v1/drain", { now: "yes" }, 400],
    ["/api/v1/resume", { reason: "x" }, 400],
    ["/api/v1/refresh", { x: 1 }, 400],
  ];
  for (const [path, body, status] of wrong) {
    const answer = await api.post(path, body);
    expect({ path, body, status: answer.status }).toEqual({ path, body, status });
    expect(answer.body).toMatchObject({ error: { code: expect.any(String) as string } });
  }
  const plain = await api.post("/api/v1/MT-1/stop", {}, { "content-type": "text/plain" });
  expect(plain.status).toBe(415);
  expect([api.fleet.asked, api.fleet.calls]).toEqual([[], []]);
});

verifies("fleet.http.explain", "an explanation is the one of dispatch", async () => {
  await using api = await served();
  const explanation = {
    issueId: "id-MT-1",
    identifier: "MT-1",
    issue: anIssue("MT-1"),
    eligible: false,
    verdicts: [{ rule: "slot_free", ok: false, why: "10 of 10 agents run" }],
    claim: null,
    next: ["an agent ends"],
  };
  api.fleet.explanations.set("MT-1", explanation);
  expect((await api.get("/api/v1/MT-1/explain")).body).toEqual(explanation);
  expect((await api.get("/api/v1/MT-2/explain")).status).toBe(404);
});

verifies(
  ["fleet.http.diff", "security.s116"],
  "the changes of runs are a patch, for those who have the token",
  async () => {
    await using api = await served();
    api.fleet.patch = "+secret of the project\n";
    const without = await api.get("/api/v1/MT-1/diff");
    expect([without.status, JSON.stringify(without.body).includes("secret")]).toEqual([401, false]);
    const authorization = "Bearer the-token-of-this-test";
    const { status, body } = await api.get("/api/v1/MT-1/diff?run=r1", { authorization });
    expect([status, body]).toEqual([
      200,
      { issue_id: "id-MT-1", issue_identifier: "MT-1", runs: ["r1"], patch: "+secret of the project\n" },
    ]);
    await api.get("/api/v1/a%2Fb/diff", { authorization });
    expect(api.fleet.calls).toEqual(["changes MT-1 r1", "changes a/b all"]);
  },
);

verifies(
  "fleet.http.errors",
  "unknown paths are 404, and other methods 405 with the allowed ones",
  async () => {
    await using api = await served();
    for (const path of [
      "/api/v1",
      "/api/v1/",
      "/api/v2/state",
      "/x",
      "/api/v1/a/b",
      "/api/v1/a/stop/b",
      "/api/v1/state/",
    ]) {
      const { status, body } = await api.get(path);
      expect({ path, status, code: (body["error"] as { code: string }).code }).toEqual({
        path,
        status: 404,
        code: "not_found",
      });
    }
    for (const [method, path, allow] of [
      ["POST", "/api/v1/state", "GET"],
      ["DELETE", "/api/v1/state", "GET"],
      ["GET", "/api/v1/refresh", "POST"],
      ["PUT", "/api/v1/MT-1", "GET"],
      ["GET", "/api/v1/MT-1/stop", "POST"],
      ["POST", "/", "GET"],
    ] as const) {
      const response = await fetch(`${api.server.url}${path}`, {
        method,
        headers: { authorization: "Bearer the-token-of-this-test" },
      });
      const { error } = (await response.json()) as { error: { code: string } };
      expect([method, path, response.status, response.headers.get("allow"), error.code]).toEqual([
        method,
        path,
        405,
        allow,
        "method_not_allowed",
      ]);
    }
  },
);

verifies(
  ["fleet.http.errors", "symphony.17.4.unavailable"],
  "a database that is away, or does not answer, is 503",
  async () => {
    await using api = await served({ readMs: 50 });
    api.fleet.before = async () => {
      throw new FleetError("database_unavailable", "the database is away");
    };
    const error = { code: "database_unavailable", message: "the database is away" };
    for (const path of ["/api/v1/state", "/api/v1/MT-1", "/api/v1/events", "/api/v1/events?last=5"]) {
      const away = await api.get(path);
      expect([path, away.status, away.body]).toEqual([path, 503, { error }]);
    }
    const page = await fetch(api.server.url);
    expect([page.status, (await page.text()).includes("the database is away")]).toEqual([503, true]);
    api.fleet.before = async () => await new Promise<never>(() => {});
    const late = await api.get("/api/v1/state");
    expect([late.status, late.body]).toEqual([
      503,
      { error: { code: "timeout", message: "reading the state took longer than 50 ms" } },
    ]);
  },
);

verifies("fleet.http.errors", "an unexpected error shows nothing of its contents", async () => {
  await using api = await served();
  api.fleet.before = async () => {
    throw new TypeError("postgres://user:secret@host failed");
  };
  const { status, body } = await api.get("/api/v1/state");
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain("secret");
  const page = await fetch(api.server.url);
  expect(await page.text()).not.toContain("secret");
});
