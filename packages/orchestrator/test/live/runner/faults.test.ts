import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect } from "vitest";
import { exec, fail, hang, reply } from "@codexwright/testing";
import { ServerLease } from "codexwright/stdio";
import { Workspace } from "codexwright/workspace";
import { RunStop, type Outcome } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, processesOf } from "@codexwright/test-support/world";
import { runWorld, type ObservedRun } from "../../support/run-world.ts";

describe("the end of a run", () => {
  verifies(
    [
      "fleet.runner.outcomes",
      "fleet.runner.turn-ends",
      "symphony.17.5.stderr",
      "spec001.exit",
      "spec001.failed",
      "spec001.error-answer",
    ],
    "has a failure code for each kind of fault",
    async () => {
      await using world = await runWorld([fail(400)]);
      const code = async (command: string, changes = {}): Promise<Outcome> =>
        (await world.run({ codex: { command, ...changes } })).outcome;
      expect(await code("codexwright-no-such-program --serve")).toMatchObject({ code: "codex_not_found" });
      expect(await code("echo broken >&2; exit 3")).toMatchObject({
        code: "port_exit",
        message: expect.stringContaining("broken") as string,
      });
      const refused = await world.run({ codex: { approvalPolicy: { granular: "no map" } } });
      expect(refused.outcome).toMatchObject({ kind: "failed", code: "response_error" });
      const turn = await world.run();
      expect(turn.outcome).toMatchObject({ kind: "failed", code: "turn_failed" });
      expect(endsOf(turn)).toEqual([{ turn: 1, outcome: "failed", reason: "turn_failed" }]);
    },
    PINNED,
  );

  verifies(
    [
      "fleet.runner.outcomes",
      "fleet.runner.leaves-nothing",
      "symphony.17.5.turn-timeout",
      "spec001.exit",
      "spec001.turn-timeout",
    ],
    "a server that dies in a turn is port_exit, and one that is silent is turn_timeout",
    async () => {
      await using world = await runWorld([hang(), hang()]);
      const died = await world.run({
        heard: (event) => event === "thread.started" && kill(world.server.root),
      });
      expect(died.outcome).toMatchObject({ kind: "failed", code: "port_exit" });
      const silent = await world.run({ codex: { turnTimeoutMs: 500 } });
      expect(silent.outcome).toMatchObject({ kind: "failed", code: "turn_timeout" });
      expect(processesOf(world.server.root)).toEqual([]);
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.stalled", "spec001.stall"],
    "a run that is stopped because of silence fails as stalled",
    async () => {
      await using world = await runWorld([hang()]);
      const stop = new AbortController();
      const run = await world.run({
        signal: stop.signal,
        silence: (ms) => ms > 1500 && stop.abort(new RunStop("stalled")),
      });
      expect(run.outcome).toMatchObject({ kind: "failed", code: "stalled" });
      expect(processesOf(world.server.root)).toEqual([]);
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.limited", "symphony.17.5.signals", "spec001.usage", "symphony.17.5.usage"],
    "a usage limit is not a failure, and the outcome says until when to wait",
    async () => {
      const ends = Math.floor(Date.now() / 1000) + 7200;
      const headers = {
        "x-codex-primary-used-percent": "100",
        "x-codex-primary-window-minutes": "300",
        "x-codex-primary-reset-at": `${ends}`,
      };
      await using world = await runWorld([fail(429, { code: "usage_limit_reached", headers })]);
      const { outcome, rateLimits } = await world.run();
      expect(rateLimits.at(-1)).toMatchObject({
        rateLimits: { primary: { usedPercent: 100, resetsAt: ends } },
      });
      expect(outcome).toMatchObject({ kind: "limited", retryAt: new Date(ends * 1000).toISOString() });
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.budget-issue", "spec001.usage"],
    "the budget of an issue counts earlier runs, and a run without budget starts nothing",
    async () => {
      await using world = await runWorld([
        exec("true", { usage: { inputTokens: 400, outputTokens: 200 } }),
        reply("never"),
      ]);
      const spent = { inputTokens: 500, cachedInputTokens: 0, outputTokens: 0, totalTokens: 500 };
      const run = await world.run({ budget: { issueTokens: 1000 }, claim: { spent } });
      expect(run.outcome).toEqual({ kind: "over_budget", budget: "issue", tokens: 1100, limit: 1000 });
      const nothing = await world.run({ budget: { issueTokens: 500 }, claim: { spent } });
      expect(nothing.outcome).toMatchObject({ kind: "over_budget" });
      expect(nothing.phases).toEqual([]);
    },
    PINNED,
  );

  verifies(
    "fleet.runner.budget-day",
    "the budget of the day ends a run that other runs have used it up for",
    async () => {
      await using world = await runWorld([exec("true"), reply("never")]);
      let left = 1000;
      const run = await world.run({
        budget: { dayTokens: 1000 },
        dayTokensLeft: () => left,
        heard: (event) => event === "tool.started" && (left = -50),
      });
      expect(run.outcome).toEqual({ kind: "over_budget", budget: "day", tokens: 1050, limit: 1000 });
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.hooks", "symphony.17.2.before-run", "symphony.17.2.after-run", "symphony.17.2.population"],
    "hooks run around the run, and after_run also after a stop",
    async () => {
      await using world = await runWorld([exec("sleep 600"), reply("one")]);
      const log = path.join(world.server.root, "hooks.txt");
      const hooks = {
        afterCreate: `echo create >> ${log}`,
        beforeRun: `echo before >> ${log}`,
        afterRun: `echo after >> ${log}`,
      };
      const stop = new AbortController();
      await world.run({
        hooks,
        signal: stop.signal,
        heard: (event) => event === "tool.started" && stop.abort(new RunStop("gone")),
      });
      await world.run({ hooks });
      const failed = await world.run({ hooks: { ...hooks, beforeRun: "echo no; exit 1" } });
      expect(failed.outcome).toMatchObject({ kind: "failed", code: "hook_failed" });
      expect(failed.phases).not.toContain("LaunchingAgentProcess");
      expect(await readFile(log, "utf8")).toBe("create\nbefore\nafter\nbefore\nafter\nafter\n");
    },
    PINNED,
  );

  verifies(
    "fleet.runner.checkpoints",
    "the trees before and after the run show what it changed",
    async () => {
      await using world = await runWorld([exec("echo new > new.txt"), reply("done")]);
      const { totals } = await world.run();
      const { before, after } = totals.checkpoints;
      if (before === null || after === null) throw new Error("a checkpoint is missing");
      await using workspace = await Workspace.at(totals.workspacePath ?? "", {
        checkpoints: path.join(world.stateFolder, "checkpoints"),
      });
      const diff = await workspace.diff({ tree: before }, { tree: after });
      expect(diff).toContain("new.txt");
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.temporary", "fleet.runner.leaves-nothing"],
    "a run writes to its workspace and its own temporary folder, and not beside them",
    async () => {
      const script = "mktemp && echo $TMPDIR && touch ../neighbour/stolen; true";
      await using world = await runWorld([exec(script), reply("done"), exec(script), reply("done")]);
      const neighbour = path.join(world.root, "neighbour");
      await mkdir(neighbour, { recursive: true });
      const run = await world.run();
      expect(run.outcome.kind).toBe("completed");
      const output = JSON.stringify(world.model.requests[1]?.body);
      const [temporary] = /\/[^ "\\]*\/codexwright-[0-9a-f]{12}(?=\\)/.exec(output) ?? [""];
      expect(path.dirname(temporary)).toBe(tmpdir());
      expect(existsSync(temporary)).toBe(false);
      expect(await readdir(neighbour)).toEqual([]);
      // The same command reaches the neighbour with the policy that Codex has by default.
      const turnSandboxPolicy = {
        type: "workspaceWrite",
        writableRoots: [],
        networkAccess: false,
        excludeTmpdirEnvVar: false,
        excludeSlashTmp: false,
      };
      await world.run({ codex: { turnSandboxPolicy } });
      expect(await readdir(neighbour)).toEqual(["stolen"]);
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.environment", "spec001.environment", "symphony.17.5.tools-secrets"],
    "the server does not inherit secrets of the tracker, and outcomes and questions do not have them",
    async () => {
      process.env["CODEXWRIGHT_TEST_TRACKER_TOKEN"] = "s3cr3t-value";
      try {
        await using world = await runWorld([exec("env"), fail(400, { message: "s3cr3t-value" })]);
        const run = await world.run({ secretEnv: ["CODEXWRIGHT_TEST_TRACKER_TOKEN"] });
        expect(JSON.stringify(world.model.requests[1]?.body)).not.toContain("s3cr3t-value");
        expect(JSON.stringify(run.outcome)).not.toContain("s3cr3t-value");
      } finally {
        delete process.env["CODEXWRIGHT_TEST_TRACKER_TOKEN"];
      }
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.leaves-nothing", "fleet.runner.outcomes"],
    "a lease that is over ends the server, and the run fails",
    async () => {
      await using world = await runWorld([hang()]);
      const lease = new ServerLease(60_000);
      const run = await world.run({
        lease,
        heard: (event) => event === "thread.started" && lease.renew(1),
      });
      expect(run.outcome).toMatchObject({ kind: "failed", code: "port_exit" });
      expect(processesOf(world.server.root)).toEqual([]);
    },
    PINNED,
  );
});

function endsOf({ events }: ObservedRun): readonly unknown[] {
  return events.filter(({ event }) => event === "turn.completed").map(({ data }) => data);
}

function kill(root: string): void {
  for (const pid of processesOf(root)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
