import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { exec, reply, toolCall } from "@codexwright/testing";
import { tool, jsonSchema } from "codexwright";
import { RunStop, TrackerError } from "@codexwright/orchestrator/internal";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { runWorld } from "../../support/run-world.ts";

describe("the turns of a run", () => {
  verifies(
    ["fleet.runner.turns", "spec001.same-thread"],
    "sends the prompt, then continues on the same thread until the issue leaves the active states",
    async () => {
      await using world = await runWorld([
        exec("echo work > file.txt"),
        reply("one"),
        reply("two"),
        reply("three"),
      ]);
      const states = ["Todo", "In Progress", "In Progress", "Done"];
      const run = await world.run({ states: (count) => states[count] ?? null, prompt: "Do the work." });
      expect(run.outcome).toMatchObject({ kind: "completed", issue: { state: "Done" } });
      expect(run.totals.turns).toBe(3);
      expect(new Set(run.sessions.map(({ threadId }) => threadId)).size).toBe(1);
      expect(run.phases).toEqual([
        "PreparingWorkspace",
        "BuildingPrompt",
        "LaunchingAgentProcess",
        "InitializingSession",
        "StreamingTurn",
        "Finishing",
      ]);
      const texts = world.model.requests.map((request) => JSON.stringify(request.body));
      // The prompt is sent once, and is part of the thread from then on.
      expect(texts.at(-1)?.split("Do the work.").length).toBe(2);
      expect(texts.at(-1)).toContain("This is turn 3 of at most 20");
      const [workspace] = await world.workspaces();
      expect(await readFile(path.join(world.root, workspace ?? "", "file.txt"), "utf8")).toBe("work\n");
    },
    PINNED,
  );

  verifies(
    [
      "fleet.runner.session-events",
      "symphony.17.5.sessions",
      "symphony.17.5.usage",
      "spec001.session-id",
      "spec001.usage",
    ],
    "reports a session as thread and turn, the process, the tokens and the model",
    async () => {
      await using world = await runWorld([reply("done", { usage: { inputTokens: 100, outputTokens: 20 } })]);
      const run = await world.run();
      const [session] = run.sessions.filter(({ turnId }) => turnId !== null);
      const started = run.events.find(({ event }) => event === "session.started");
      expect(started?.sessionId).toBe(`${session?.threadId}-${session?.turnId}`);
      expect(run.serverPid).toBeGreaterThan(0);
      expect(run.tokens.totalTokens).toBe(120);
      expect(run.totals.tokens).toEqual(run.tokens);
      expect(run.totals.model).toBeTruthy();
    },
    PINNED,
  );

  verifies(
    "fleet.runner.max-turns",
    "ends normally after agent.max_turns turns, also if there are more than the library's own limit",
    async () => {
      const turns = 13;
      await using world = await runWorld(Array.from({ length: turns }, (_, index) => reply(`${index}`)));
      const run = await world.run({ states: () => "Todo", agent: { maxTurns: turns } });
      expect(run.outcome).toMatchObject({ kind: "completed", issue: { state: "Todo" } });
      expect(run.totals.turns).toBe(turns);
    },
    PINNED,
  );

  verifies(
    "fleet.runner.refresh-fails",
    "fails if the tracker cannot be asked after a turn, and ends normally if it no longer shows the issue",
    async () => {
      await using world = await runWorld([reply("one"), reply("two"), reply("three")]);
      const error = new TrackerError("tracker_status", "the tracker answered 502");
      const failed = await world.run({ states: (count) => (count === 0 ? "Todo" : error) });
      expect(failed.outcome).toMatchObject({ kind: "failed", code: "tracker_error" });
      const retryAt = Date.now() + 60_000;
      const limit = new TrackerError("tracker_rate_limited", "slow down", { retryAt });
      const limited = await world.run({ states: (count) => (count === 0 ? "Todo" : limit) });
      expect(limited.outcome).toMatchObject({ kind: "limited", retryAt: new Date(retryAt).toISOString() });
      const gone = await world.run({ states: (count) => (count === 0 ? "Todo" : null) });
      expect(gone.outcome).toEqual({ kind: "completed", issue: null });
    },
    PINNED,
  );

  verifies(
    "fleet.runner.stale",
    "starts nothing for an issue that is no longer eligible",
    async () => {
      await using world = await runWorld([]);
      for (const state of ["Done", "Backlog", null]) {
        const run = await world.run({ states: () => state });
        expect(run.outcome.kind).toBe("stale");
        expect(run.phases).toEqual([]);
      }
      expect(await world.workspaces()).toEqual([]);
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.resume", "fleet.runner.told", "spec001.resume"],
    "a later run resumes the thread, and starts a new one if a setting of the thread has changed",
    async () => {
      await using world = await runWorld([reply("one"), reply("two"), reply("three")]);
      const first = await world.run();
      const claim = { attempt: 1, retryKind: "failure", lastError: "port_exit: it died" } as const;
      const second = await world.run({ claim });
      expect(second.totals.threadId).toBe(first.totals.threadId);
      expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain("ended early: port_exit: it died");
      const third = await world.run({ codex: { threadSandbox: "read-only" }, claim: { attempt: 1 } });
      expect(third.totals.threadId).not.toBe(first.totals.threadId);
      expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain("its files were kept");
    },
    PINNED,
  );

  verifies(
    "fleet.runner.resume-lost",
    "starts a new thread if the server has lost the old one",
    async () => {
      await using world = await runWorld([reply("one"), reply("two")]);
      const first = await world.run();
      const { rm } = await import("node:fs/promises");
      await rm(path.join(world.server.codexHome, "sessions"), { recursive: true });
      const second = await world.run({ claim: { attempt: 1, retryKind: "failure", lastError: "port_exit" } });
      expect(second.outcome.kind).toBe("completed");
      expect(second.totals.threadId).not.toBe(first.totals.threadId);
      expect(second.events.some(({ message }) => message.includes("could not be resumed"))).toBe(true);
    },
    PINNED,
  );

  verifies(
    "fleet.runner.drain",
    "ends after the current turn when the fleet drains",
    async () => {
      await using world = await runWorld([reply("one"), reply("two")]);
      const drain = new AbortController();
      const run = await world.run({
        states: () => "Todo",
        drain: drain.signal,
        heard: (event) => event === "message" && drain.abort(),
      });
      expect(run.outcome).toMatchObject({ kind: "completed", issue: { state: "Todo" } });
      expect(run.totals.turns).toBe(1);
    },
    PINNED,
  );

  verifies(
    ["fleet.runner.stop", "fleet.runner.turn-ends"],
    "ends at once when the run is stopped, and names who stopped it",
    async () => {
      await using world = await runWorld([exec("sleep 600"), reply("never")]);
      const stop = new AbortController();
      const run = await world.run({
        signal: stop.signal,
        heard: (event) =>
          event === "tool.started" && stop.abort(new RunStop("operator", "anna", "not this one")),
      });
      expect(run.outcome).toEqual({
        kind: "stopped",
        why: "operator",
        by: "anna",
        reason: "not this one",
      });
      const ends = run.events.filter(({ event }) => event === "turn.completed");
      expect(ends.map(({ data }) => data?.["outcome"])).toEqual(["cancelled"]);
    },
    PINNED,
  );

  verifies(
    "fleet.runner.tools",
    "tools of the tracker act only while the grant holds",
    async () => {
      let writes = 0;
      const update = tool({
        name: "issue_update",
        description: "Changes the issue.",
        input: jsonSchema({ type: "object", properties: {} }),
        run: () => {
          writes++;
          return "changed";
        },
      });
      let holds = true;
      await using world = await runWorld([
        toolCall("issue_update", {}),
        reply("one"),
        toolCall("issue_update", {}),
        reply("two"),
      ]);
      const options = { tools: [update], holds: () => holds };
      await world.run(options);
      expect(writes).toBe(1);
      holds = false;
      const fenced = await world.run(options);
      expect(writes).toBe(1);
      expect(fenced.outcome.kind).toBe("completed");
      expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain("has lost the issue");
    },
    PINNED,
  );
});
