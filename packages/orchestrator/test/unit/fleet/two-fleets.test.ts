import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect } from "vitest";
import { FolderLock, identityOf, temporaryFolderOf, type NewIssue } from "@codexwright/orchestrator/internal";
import { rejection } from "../../../../test-support/src/events.ts";
import { verifies } from "../../../../test-support/src/verifies.ts";
import { eventually, FleetWorld, removeTemplate } from "../../support/fleet-world.ts";

const ISSUES: readonly NewIssue[] = [
  { identifier: "A", title: "A", state: "Todo" },
  { identifier: "B", title: "B", state: "Todo" },
];

afterAll(removeTemplate);

/** A second state folder, with an empty database. */
async function otherData(world: FleetWorld): Promise<string> {
  const data = path.join(world.folder, "other");
  await mkdir(data);
  await cp(path.join(world.data, "db"), path.join(data, "db"), { recursive: true });
  return data;
}

verifies(
  "fleet.life.second",
  "a second fleet on the same workflow is refused, and the first one works on",
  async () => {
    await using world = await FleetWorld.open(ISSUES);
    const data = await otherData(world);
    const fleet = await world.start();
    await world.run(1);
    for (const options of [{}, { data }, { data: path.join(world.folder, "new") }]) {
      const refused = await rejection(world.start(options));
      expect(refused).toMatchObject({ code: "fleet_already_runs" });
      expect(String(refused)).toContain(`process ${process.pid} uses`);
    }
    expect(world.runs).toHaveLength(2);
    expect(world.runs.map(({ control }) => control.signal.aborted)).toEqual([false, false]);
    await fleet.close();
    await world.start({ data });
    await world.run(3);
  },
);

verifies("fleet.life.second", "fleets of two workflows can share the root of their workspaces", async () => {
  await using world = await FleetWorld.open(ISSUES);
  const data = await otherData(world);
  await world.start();
  await world.run(1);
  const workflow = path.join(world.folder, "OTHER.md");
  await cp(world.workflow, workflow);
  await world.start({ data, workflow });
  await world.run(3);
  expect(world.runs.map(({ control }) => control.signal.aborted)).toEqual([false, false, false, false]);
});

verifies(
  "fleet.life.second",
  "a fleet with another state folder first ends the agents that the last one has left",
  async () => {
    await using world = await FleetWorld.open(ISSUES);
    const data = await otherData(world);
    await (await world.start()).close();
    const began = world.runs.length;
    // As if the first fleet and the guard of its agent had been killed.
    const agent = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    const ended = once(agent, "exit");
    const run = path.join(world.data, "runs", "left");
    await mkdir(run, { recursive: true });
    const server = { ...identityOf(agent.pid ?? 0), mark: null };
    const owner = { pid: process.pid, startedAt: "another boot 1" };
    const temporary = temporaryFolderOf(path.join(world.data, "state", "A"));
    await mkdir(temporary);
    await writeFile(
      path.join(run, "run.json"),
      JSON.stringify({ runId: "left", identifier: "A", owner, server }),
    );
    try {
      await world.start({ data });
      expect(await ended).toEqual([null, "SIGKILL"]);
      expect([run, temporary].filter((folder) => existsSync(folder))).toEqual([]);
      await world.run(began);
    } finally {
      agent.kill("SIGKILL");
    }
  },
);

verifies(
  "fleet.life.second",
  "a changed root that another fleet has is not put into force before it is free",
  async () => {
    await using world = await FleetWorld.open(ISSUES);
    const fleet = await world.start();
    await world.run(1);
    const root = path.join(world.folder, "changed");
    const folder = path.join(root, ".fleets", fleet.scope);
    await mkdir(folder, { recursive: true });
    const lock = await FolderLock.take(folder);
    world.issues.put({ identifier: "C", title: "C", state: "Todo" });
    const old = await readFile(world.workflow, "utf8");
    await writeFile(world.workflow, old.replace(/root: .*/, `root: ${root}`));
    const error = await eventually(async () => {
      fleet.refresh();
      return (await fleet.store.read(fleet.scope)).tick.error ?? undefined;
    });
    expect(error).toContain("The new WORKFLOW.md cannot be put into force: A fleet runs here already");
    expect(world.runs.map(({ control }) => control.signal.aborted)).toEqual([false, false]);
    lock.release();
    await eventually(() => {
      fleet.refresh();
      return world.runs[2];
    });
    expect(world.runs[2]?.task.workflow.settings.workspace.root).toBe(root);
  },
);
