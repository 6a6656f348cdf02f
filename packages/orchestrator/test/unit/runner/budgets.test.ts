import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { wireScript, type WireStep } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { processesOf } from "@codexwright/test-support/world";
import { runWith, type ObservedRun, type RunChanges } from "../../support/run-world.ts";
import { tokens } from "../../support/runs.ts";

const TURN = { id: "turn", items: [], status: "inProgress", error: null };

/** A report of the totals of a thread. */
function usage(totalTokens: unknown, threadId = "thread"): WireStep {
  const total = { totalTokens, inputTokens: totalTokens, cachedInputTokens: 0, outputTokens: 0 };
  const tokenUsage = { total, last: total, modelContextWindow: null };
  return { send: { method: "thread/tokenUsage/updated", params: { threadId, turnId: "turn", tokenUsage } } };
}

/** The thread starts an agent of its own. */
function subAgent(id: string): WireStep {
  const item = {
    type: "collabAgentToolCall",
    id: `call-${id}`,
    tool: "spawnAgent",
    status: "completed",
    senderThreadId: "thread",
    receiverThreadIds: [id],
    prompt: null,
    agentsStates: {},
  };
  return { send: { method: "item/started", params: { threadId: "thread", turnId: "turn", item } } };
}

/** Runs an issue on a server that sends these reports in a turn that never ends. */
async function runOn(steps: readonly WireStep[], changes: RunChanges): Promise<ObservedRun> {
  const folder = await mkdtemp(path.join(tmpdir(), "budgets-"));
  const thread = { id: "thread", cwd: "/", turns: [], status: { type: "idle" } };
  using server = wireScript({
    script: [
      { on: "fs/getMetadata", result: { isDirectory: true, isFile: false, isSymlink: false } },
      { on: "thread/start", result: { thread, model: "m", approvalPolicy: "never" } },
      { on: "thread/name/set", result: {} },
      { on: "turn/start", result: { turn: TURN } },
      { send: { method: "turn/started", params: { threadId: "thread", turn: TURN } } },
      ...steps,
      { on: "turn/interrupt", result: {} },
      {
        send: {
          method: "turn/completed",
          params: { threadId: "thread", turn: { ...TURN, status: "interrupted" } },
        },
      },
    ],
  });
  try {
    const command = `exec '${server.executable}'`;
    const place = {
      folder,
      root: path.join(folder, "w"),
      stateFolder: path.join(folder, "s"),
      command,
    };
    const run = await runWith(place, { ...changes, codex: { readTimeoutMs: 2_000, ...changes.codex } });
    expect(processesOf(folder)).toEqual([]);
    return run;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const LIMIT = { budget: { issueTokens: 1_000 } };

verifies("security.s113", "an agent that goes on for ever is ended by the budget of its issue", async () => {
  const shapes: Readonly<Record<string, readonly WireStep[]>> = {
    "one report": [usage(1_001)],
    "many small ones": Array.from({ length: 500 }, (_, index) => usage(10 * index)),
    "totals that go down": [usage(600), usage(0), usage(600)],
    "totals that repeat, and then rise": [usage(900), usage(900), usage(900), usage(1_001)],
    "not a number first": [usage("x"), usage(null), usage(Number.NaN), usage({}), usage(1_001)],
    "a report that is not whole": [
      { send: { method: "thread/tokenUsage/updated", params: { threadId: "thread", turnId: "turn" } } },
      usage(1_001),
    ],
    "more than a number can hold": [usage(1e308)],
    "two sub-agents": [subAgent("a"), subAgent("b"), usage(400), usage(400, "a"), usage(400, "b")],
    "a sub-agent alone": [subAgent("a"), usage(1_001, "a")],
  };
  for (const [name, steps] of Object.entries(shapes)) {
    const { outcome } = await runOn(steps, LIMIT);
    expect([name, outcome]).toMatchObject([name, { kind: "over_budget", budget: "issue", limit: 1_000 }]);
  }
});

verifies("security.s113", "tokens of earlier runs count, and a budget of 0 starts nothing", async () => {
  const earlier = { ...LIMIT, claim: { spent: tokens(950) } };
  expect((await runOn([usage(51)], earlier)).outcome).toMatchObject({ kind: "over_budget", tokens: 1_001 });
  for (const left of [0, -1, -1e9]) {
    const day = { budget: { issueTokens: null, dayTokens: 10 }, dayTokensLeft: () => left };
    const { outcome, phases, serverPid } = await runOn([usage(1)], day);
    expect([outcome.kind, phases, serverPid]).toEqual(["over_budget", [], null]);
  }
});

verifies("security.s113", "without a budget, the same agent is ended by its silence only", async () => {
  const { outcome } = await runOn([usage(1_000_000)], {
    budget: { issueTokens: null },
    codex: { turnTimeoutMs: 300 },
  });
  expect(outcome).toMatchObject({ kind: "failed", code: "turn_timeout" });
});
