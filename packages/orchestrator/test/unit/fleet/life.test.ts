import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { once } from "node:events";
import path from "node:path";
import { afterAll, describe, expect } from "vitest";
import { openEmbedded, type NewIssue } from "@codexwright/orchestrator/internal";
import { rejection, until } from "../../../../test-support/src/events.ts";
import { verifies } from "../../../../test-support/src/verifies.ts";
import { claimIn, eventually, FleetWorld, removeTemplate } from "../../support/fleet-world.ts";

function todo(id: string): NewIssue {
  return { identifier: id, title: id, state: "Todo" };
}

describe("the life of a fleet", () => {
  afterAll(removeTemplate);

  verifies(
    ["fleet.life.finish", "symphony.17.4.continuation"],
    "works on an issue until it is finished, and removes its workspace",
    async () => {
      await using world = await FleetWorld.open([todo("A")]);
      const fleet = await world.start();
      const first = await world.run(0);
      expect(first.task.claim).toMatchObject({ attempt: null, retryKind: null });
      const ended = performance.now();
      first.end();
      const second = await world.run(1);
      expect(performance.now() - ended).toBeGreaterThan(900);
      expect(second.task.claim).toMatchObject({ attempt: 1, retryKind: "continuation" });
      expect(existsSync(second.workspace)).toBe(true);
      const state = second.task.stateFolder;
      await mkdir(path.join(state, "checkpoints"), { recursive: true });
      world.issues.change("A", { state: "Done" });
      second.end();
      await claimIn(fleet, "A", "none");
      await until(() => !existsSync(second.workspace));
      await until(() => !existsSync(path.join(state, "checkpoints")));
      expect(await readdir(path.join(world.data, "runs"))).toEqual([]);
      expect(
        world.lines.some((line) => line.includes("issue_identifier=A") && line.includes("outcome=completed")),
      ).toBe(true);
    },
  );

  verifies(
    ["fleet.life.progress", "symphony.17.4.refresh"],
    "sees the progress of a run, also if a tick has seen it before",
    async () => {
      await using world = await FleetWorld.open([todo("A")], "agent:\n  max_sessions: 1\n");
      const fleet = await world.start();
      const first = await world.run(0);
      world.issues.change("A", { state: "In Progress" });
      fleet.refresh();
      await eventually(async () => {
        const { claims } = await fleet.store.read(fleet.scope);
        return claims[0]?.issue.state === "In Progress" || undefined;
      });
      first.end();
      const second = await world.run(1);
      expect(second.task.claim).toMatchObject({ retryKind: "continuation", sessions: 0 });
      second.end();
      expect(await claimIn(fleet, "A", "blocked")).toMatchObject({
        reason: { kind: "no_progress", sessions: 1 },
      });
    },
  );

  verifies(
    ["fleet.life.backoff", "symphony.17.4.backoff", "symphony.17.4.cap", "symphony.17.4.entries"],
    "tries a failed run again later, and tells it why",
    async () => {
      await using world = await FleetWorld.open([todo("A")], "agent:\n  max_retry_backoff_ms: 1500\n");
      const fleet = await world.start();
      const first = await world.run(0);
      first.end({ kind: "failed", code: "turn_failed", message: "it broke" });
      const claim = await claimIn(fleet, "A", "retrying");
      expect(claim).toMatchObject({ attempt: 1, failures: 1, lastError: "turn_failed: it broke" });
      const second = await world.run(1);
      expect(second.task.claim).toMatchObject({
        attempt: 1,
        retryKind: "failure",
        lastError: "turn_failed: it broke",
      });
      second.end({ kind: "failed", code: "turn_failed", message: "again" });
      const third = await world.run(2);
      expect(third.task.claim).toMatchObject({ attempt: 2, failures: 2 });
    },
  );

  verifies(
    ["fleet.life.reconcile", "symphony.17.4.inactive", "symphony.17.4.terminal"],
    "stops agents as the tracker says, and keeps or removes workspaces",
    async () => {
      await using world = await FleetWorld.open([todo("A"), todo("B"), todo("C"), todo("D")]);
      const fleet = await world.start();
      await world.run(3);
      world.issues.change("A", { state: "Done" });
      world.issues.change("B", { state: "Backlog" });
      world.issues.remove("C");
      fleet.refresh();
      await Promise.all(["A", "B", "C"].map(async (id) => await claimIn(fleet, id, "none")));
      await until(() => !existsSync(world.workspace("A")));
      expect(["B", "C", "D"].map((id) => existsSync(world.workspace(id)))).toEqual([true, true, true]);
      const reasons = world.runs.map(({ task, control }) => [
        task.claim.issueId,
        (control.signal.reason as { why?: string } | undefined)?.why,
      ]);
      expect(Object.fromEntries(reasons)).toEqual({ A: "terminal", B: "inactive", C: "gone", D: undefined });
    },
  );

  verifies(["fleet.life.stall", "symphony.17.4.stall"], "stops a silent agent and tries again", async () => {
    await using world = await FleetWorld.open([todo("A")], "codex:\n  stall_timeout_ms: 1000\n");
    const fleet = await world.start();
    const run = await world.run(0);
    run.observer.silence(1_001);
    expect(await claimIn(fleet, "A", "retrying")).toMatchObject({ retryKind: "failure", failures: 1 });
  });

  verifies("fleet.life.slot", "gives a free slot to the next issue at once", async () => {
    const settings = "agent:\n  max_concurrent_agents: 1\npolling:\n  interval_ms: 3600000\n";
    await using world = await FleetWorld.open([todo("A"), todo("B")], settings);
    await world.start();
    const first = await world.run(0);
    world.issues.change("A", { state: "Done" });
    first.end();
    const second = await world.run(1);
    expect(second.task.claim.issueId).toBe("B");
  });

  verifies(
    ["fleet.life.orders", "symphony.17.1.reload", "symphony.17.1.last-good", "symphony.17.6.validation"],
    "obeys an order and a changed workflow soon",
    async () => {
      const settings = "polling:\n  interval_ms: 3600000\n";
      await using world = await FleetWorld.open([todo("A")], settings);
      const fleet = await world.start();
      const run = await world.run(0);
      await fleet.store.ask(fleet.scope, "A", { kind: "stop", by: "ann", reason: "wrong" });
      expect(await claimIn(fleet, "A", "blocked")).toMatchObject({ reason: { kind: "stopped", by: "ann" } });
      expect(run.control.signal.reason).toMatchObject({ why: "operator", by: "ann" });
      await fleet.store.ask(fleet.scope, "A", { kind: "retry", by: "ann" });
      await world.run(1);

      await world.write("polling:\n  interval_ms: wrong\n");
      await until(() => world.lines.some((line) => line.includes("event=workflow.invalid")));
      world.issues.put(todo("B"));
      fleet.refresh();
      await eventually(async () => (await fleet.store.read(fleet.scope)).tick.error ?? undefined);
      expect(world.runs).toHaveLength(2);
      await world.write(`${settings}agent:\n  max_turns: 3\n`);
      const third = await world.run(2);
      expect(third.task.workflow.settings.agent.maxTurns).toBe(3);
      expect(world.runs[1]?.task.workflow.settings.agent.maxTurns).toBe(20);
    },
  );

  verifies(
    "fleet.life.away",
    "ends the agents before their lease if the database is away, and keeps their results",
    async () => {
      await using world = await FleetWorld.open([todo("A"), todo("B")], "database:\n  lease_ms: 10000\n");
      const fleet = await world.start();
      await world.run(1);
      const [a, b] = world.runs;
      await fleet.store.close();
      const since = performance.now();
      a?.end({ kind: "failed", code: "turn_failed", message: "it broke" });
      await until(() => world.runs.some(({ control }) => control.signal.aborted));
      expect(performance.now() - since).toBeLessThan(6_000);
      expect(b?.control.signal.reason).toMatchObject({ why: "fenced" });
      const spool = path.join(world.data, "spool");
      await eventually(
        async () => (await readdir(spool)).filter((name) => name.endsWith(".json")).length === 2 || undefined,
      );
      await fleet.close();

      const next = await world.start();
      expect(await readdir(spool)).toEqual([]);
      const { claims } = await next.store.read(next.scope);
      const of = (id: string | undefined) => claims.find(({ issueId }) => issueId === id);
      expect(of(a?.task.claim.issueId)).toMatchObject({ retryKind: "failure", failures: 1 });
      expect(of(b?.task.claim.issueId)).toMatchObject({ retryKind: "lost", failures: 0 });
    },
  );

  verifies("fleet.life.drain", "lets turns end, or interrupts them, and ends", async () => {
    await using world = await FleetWorld.open([todo("A"), todo("B")]);
    const fleet = await world.start();
    await world.run(1);
    await fleet.drain({ by: "ann", now: false });
    await fleet.done;
    expect(world.runs.map(({ control }) => control.signal.aborted)).toEqual([false, false]);
    const next = await world.start();
    const third = await world.run(2);
    expect(third.task.claim).toMatchObject({ retryKind: "continuation", failures: 0 });
    await next.close();
    await next.done;
    expect(third.control.signal.reason).toMatchObject({ why: "drain" });
  });

  verifies("fleet.life.once", "ends by itself when nothing is left to do", async () => {
    await using world = await FleetWorld.open([todo("A"), todo("B")], "agent:\n  max_concurrent_agents: 1\n");
    const fleet = await world.start({ once: true });
    for (const index of [0, 1]) {
      const run = await world.run(index);
      const { issueId } = run.task.claim;
      if (index === 0) run.end({ kind: "stopped", why: "operator", by: "ann", reason: null });
      else {
        world.issues.change(issueId, { state: "Done" });
        run.end();
      }
    }
    await fleet.done;
    expect(world.runs).toHaveLength(2);
    await using empty = await FleetWorld.open([]);
    await (
      await empty.start({ once: true })
    ).done;
  });

  verifies(["fleet.life.open", "fleet.life.served"], "leaves nothing behind if it cannot start", async () => {
    await using world = await FleetWorld.open([todo("A")], "agent:\n  max_turns: 0\n");
    expect(await rejection(world.start())).toMatchObject({ code: "workflow_invalid" });
    await world.write("");
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    await rejection(world.start({ port }));
    taken.close();
    expect(existsSync(path.join(world.data, "endpoint.json"))).toBe(false);
    expect(world.runs).toHaveLength(0);

    const fleet = await world.start({ port: 0 });
    expect(await rejection(world.start())).toMatchObject({ code: "fleet_already_runs" });
    const { url } = JSON.parse(await readFile(path.join(world.data, "endpoint.json"), "utf8")) as {
      url: string;
    };
    expect(url).toBe(fleet.url);
    await world.run(0);
    const state = (await (await fetch(`${url}/api/v1/state`)).json()) as { counts: { running: number } };
    expect(state.counts.running).toBe(1);
    await fleet.close();
    expect(existsSync(path.join(world.data, "endpoint.json"))).toBe(false);
    await (await openEmbedded({ folder: world.data })).close();
  });
});
