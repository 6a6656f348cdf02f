import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect } from "vitest";
import { identityOf, markOf, reap, RunFolder } from "@codexwright/orchestrator/internal";
import { until } from "../../../../test-support/src/events.ts";
import { processesOf } from "../../../../test-support/src/world.ts";
import { verifies } from "../../../../test-support/src/verifies.ts";
import { aGrant } from "../../support/fake-jobs.ts";
import { anIssue } from "../../support/snapshots.ts";
import { WorkerWorld } from "../../support/worker-world.ts";

const ON_LINUX = {
  skip: process.platform !== "linux" && "the system does not show the environment of a process",
};

describe("the end of a worker", () => {
  verifies("fleet.worker.drain", "lets turns end, or interrupts them", async () => {
    await using world = await WorkerWorld.open();
    const { jobs, clock, runs } = world;
    jobs.queued.push(aGrant("a"), aGrant("b"));
    await using worker = world.worker({ host: () => ({ name: "host-1", slots: 5 }) });
    worker.start();
    await clock.advanceUntil(() => runs.length === 2);
    let isDrained = false;
    const drained = (async () => {
      await worker.drain({ now: false });
      isDrained = true;
    })();
    jobs.queued.push(aGrant("c"));
    await clock.advance(5_000);
    expect(runs).toHaveLength(2);
    expect(runs.map(({ control }) => [control.drain.aborted, control.signal.aborted])).toEqual([
      [true, false],
      [true, false],
    ]);
    runs[0]?.end({ kind: "completed", issue: anIssue("a") });
    await clock.advanceUntil(() => jobs.settled.length === 1);
    expect(isDrained).toBe(false);
    await worker.drain({ now: true });
    await drained;
    expect(jobs.settled[1]).toMatchObject({
      outcome: { kind: "stopped", why: "drain" },
      transition: { to: "retrying", retryKind: "continuation" },
    });
    expect(await readdir(path.join(world.folder, "runs"))).toEqual([]);
  });

  verifies("fleet.worker.reaper", "gives runs back only after their processes have ended", async () => {
    await using world = await WorkerWorld.open();
    await using worker = world.worker();
    expect(await worker.recover()).toBe(1);
    expect(world.jobs.calls).toEqual(["requeueLost"]);
  });

  verifies(
    "fleet.worker.reaper",
    "ends the server of a dead worker and its commands, in whatever session they are",
    async () => {
      await using world = await WorkerWorld.open();
      const runs = path.join(world.folder, "runs");
      // A server that leads a group, with a command that has left it.
      const server = spawn("/bin/sh", ["-c", "setsid sleep 600 & echo ready; exec sleep 600"], {
        detached: true,
        stdio: ["ignore", "pipe", "ignore"],
        env: { ...process.env, CODEXWRIGHT_GUARD: `mark-${world.folder}` },
      });
      const exited = once(server, "exit");
      await once(server.stdout, "data");
      const pid = server.pid ?? 0;
      const mark = `mark-${world.folder}`;
      // While a process replaces its program, the system shows no environment.
      await until(() => markOf(pid) !== null);
      expect(markOf(pid)).toBe(`CODEXWRIGHT_GUARD=${mark}`);
      const marked = (): number => processesOf(mark).length;
      await until(() => marked() === 2);

      const removed: string[] = [];
      const removeRest = async (identifier: string): Promise<void> => {
        removed.push(identifier);
        if (removed.length > 1) await Promise.reject(new Error("cannot remove"));
      };

      // Its worker is alive: nothing is ended.
      const folder = new RunFolder(runs, "run-1", "ABC-1");
      folder.server(pid);
      expect(await reap(runs, removeRest)).toBe(0);
      expect(marked()).toBe(2);
      expect(removed).toEqual([]);

      // Its worker is dead, but the server's id now belongs to another process.
      const file = path.join(folder.path, "run.json");
      const dead = { pid: 2 ** 22 + 1, startedAt: "never" };
      const written = { runId: "run-1", identifier: "ABC-1", owner: dead };
      await writeFile(
        file,
        JSON.stringify({ ...written, server: { pid, startedAt: "another", mark: null } }),
      );
      expect(await reap(runs, removeRest)).toBe(1);
      expect(marked()).toBe(2);

      await mkdir(folder.path, { recursive: true });
      const server1 = { ...identityOf(pid), mark: markOf(pid) };
      await writeFile(file, JSON.stringify({ ...written, server: server1 }));
      await mkdir(path.join(runs, "run-2"));
      expect(await reap(runs, removeRest)).toBe(1);
      await exited;
      expect(marked()).toBe(0);
      expect(await readdir(runs)).toEqual([]);
      expect(removed).toEqual(["ABC-1", "ABC-1"]);
    },
    ON_LINUX,
  );
});
