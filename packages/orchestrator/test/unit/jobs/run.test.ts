import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { issue } from "../../support/issues.ts";
import { temporaryStore } from "../../support/job-store.ts";
import { COMPLETED, tokens, totals } from "../../support/runs.ts";

const WORKFLOW = { version: "v1", path: "/WORKFLOW.md", text: "Do it." };
const HOST = { name: "here", slots: 5 };
const LEASE_MS = 30_000;

verifies("fleet.jobs.run", "an issue is admitted, runs, waits for its retry and is released", async () => {
  await using temporary = await temporaryStore();
  const { store } = temporary;
  await store.putScope("s", WORKFLOW);
  const limits = { global: 1, byState: {} };
  expect(await store.admit("s", [{ issue: issue(1) }, { issue: issue(2) }], limits)).toEqual([
    { issueId: "id-1", refused: null },
    { issueId: "id-2", refused: "no_slot" },
  ]);
  const [grant] = await store.pull("s", HOST, 5, LEASE_MS);
  if (grant === undefined) throw new Error("no run");
  expect(grant).toMatchObject({ claim: { issueId: "id-1", attempt: null }, workflowVersion: "v1" });
  await store.report(grant, { phase: "StreamingTurn", tokens: tokens(5) });
  expect((await store.read("s")).today.totalTokens).toBe(5);

  const settled = await store.settle(grant, COMPLETED, totals({ tokens: tokens(7) }), () => ({
    to: "retrying",
    attempt: 1,
    retryKind: "continuation",
    delayMs: 0,
    error: null,
    failures: 0,
    sessions: 1,
  }));
  expect(settled).toBe("settled");
  expect(await store.settle(grant, COMPLETED, totals(), () => expect.unreachable())).toBe("fenced");
  const snapshot = await store.read("s");
  expect(snapshot.today.totalTokens).toBe(7);
  expect(snapshot.totals.totalTokens).toBe(7);
  expect(snapshot.claims).toMatchObject([
    { state: "retrying", attempt: 1, sessions: 1, spent: { totalTokens: 7 } },
  ]);

  const [due] = await store.due("s", 10);
  if (due === undefined) throw new Error("no retry");
  await store.release("s", "id-1", { why: "it is done", cleanup: false, due });
  const record = await store.issue("s", "id-1");
  expect(record.claim).toBeNull();
  expect(record.runs).toMatchObject([{ outcome: "completed", tokens: { totalTokens: 7 } }]);
  expect(record.events.map(({ event }) => event)).toEqual([
    "claim.admitted",
    "run.started",
    "run.ended",
    "claim.retrying",
    "claim.released",
  ]);
});
