import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm, statfs, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { openEmbedded } from "@codexwright/orchestrator/internal";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { issue } from "../../support/issues.ts";
import { temporaryStore } from "../../support/job-store.ts";
import { HERE, LEASE_MS, nextDue, retry, settled, started, UNLIMITED, wanted } from "./conformance/bench.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../../..");

/** A process with an open store: 6 issues, of which 3 run, 1 waits for its retry in the hands of a ticker, 2 wait. */
const PROCESS = `
import { openEmbedded } from "@codexwright/orchestrator/internal";
const [folder, issues] = process.argv.slice(1);
const store = await openEmbedded({ folder });
await store.putScope("s", { version: "v1", path: "/WORKFLOW.md", text: "" });
await store.admit("s", JSON.parse(issues).map((issue) => ({ issue })), { global: 100, byState: {} });
const tokens = { inputTokens: 5, cachedInputTokens: 0, outputTokens: 0, totalTokens: 5 };
const host = { name: "here", slots: 4 };
const [first, ...others] = await store.pull("s", host, 4, 3_600_000);
const time = new Date().toISOString();
const totals = { startedAt: time, endedAt: time, tokens, turns: 1, threadId: null, workspacePath: "/w", model: null, checkpoints: {} };
const next = { to: "retrying", attempt: 1, retryKind: "continuation", delayMs: 0, error: null, failures: 0, sessions: 1 };
await store.settle(first, { kind: "completed", issue: null }, totals, () => next);
await store.due("s", 10);
for (const grant of others) await store.report(grant, { tokens, threadId: "thread", serverPid: 4711 });
console.log("ready");
setInterval(() => {}, 1000);
`;

async function temporaryFolder(): Promise<{ folder: string; [Symbol.asyncDispose](): Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "job-folder-"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

verifies(
  "fleet.jobs.folder",
  "a killed process frees its folder, and its runs start again at once",
  async () => {
    await using temporary = await temporaryFolder();
    const { folder } = temporary;
    const issues = JSON.stringify([1, 2, 3, 4, 5, 6].map((number) => issue(number)));
    const other = spawn(process.execPath, ["--input-type=module", "-e", PROCESS, folder, issues], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(other, "exit");
    try {
      await once(createInterface(other.stdout), "line");
      const refused = await rejection(openEmbedded({ folder }));
      expect(refused).toMatchObject({ code: "fleet_already_runs" });
      expect(String(refused)).toContain(`process ${other.pid}`);
    } finally {
      other.kill("SIGKILL");
      await exited;
    }
    await using store = await openEmbedded({ folder });
    expect(await store.requeueLost("s")).toBe(3);
    expect(await store.requeueLost("s")).toBe(0);
    const { claims, totals, today } = await store.read("s");
    expect(claims.map(({ state }) => state).toSorted()).toEqual([
      "queued",
      "queued",
      "retrying",
      "retrying",
      "retrying",
      "retrying",
    ]);
    // One run was settled, three were lost.
    expect([totals.totalTokens, today.totalTokens]).toEqual([20, 20]);
    const due = await store.due("s", 10);
    expect(due).toHaveLength(4);
    const kinds = due.map(({ claim }) => `${claim.retryKind} ${claim.attempt} ${claim.threadId}`);
    expect(kinds.toSorted()).toEqual(["continuation 1 null", ...Array<string>(3).fill("lost 1 thread")]);
    const candidates = due.map((each) => ({ issue: each.claim.issue, due: each }));
    await store.admit("s", candidates, UNLIMITED);
    expect(await store.pull("s", HERE, 10, LEASE_MS)).toHaveLength(6);
  },
);

verifies("fleet.jobs.folder", "what a dead process held besides runs is free at once", async () => {
  await using temporary = await temporaryFolder();
  const { folder } = temporary;
  const dead = await openEmbedded({ folder });
  await dead.putScope("s", { version: "v1", path: "/WORKFLOW.md", text: "" });
  await settled(dead, await started(dead, "s", issue(1)), retry(0));
  const ticking = deferred();
  const over = deferred();
  const tick = dead.tick("s", "here", async () => {
    ticking.resolve();
    await over.promise;
  });
  await ticking.promise;
  await nextDue(dead, "s");
  // The database is copied in this moment, as a kill would leave it.
  const copy = path.join(folder, "copy");
  await mkdir(copy);
  await cp(path.join(folder, "db"), path.join(copy, "db"), { recursive: true });
  over.resolve();
  await tick;
  await dead.close();
  await using store = await openEmbedded({ folder: copy });
  expect(await store.due("s", 10)).toEqual([]);
  expect(await store.tick("s", "here", () => Promise.resolve())).toBe("elsewhere");
  expect(await store.requeueLost("s")).toBe(0);
  expect(await store.due("s", 10)).toHaveLength(1);
  expect(await store.tick("s", "here", () => Promise.resolve())).toBe("done");
});

verifies(
  "fleet.jobs.folder",
  "a store of this process is locked too, and closed stores stay closed",
  async () => {
    await using temporary = await temporaryFolder();
    const { folder } = temporary;
    const store = await openEmbedded({ folder });
    expect(await rejection(openEmbedded({ folder }))).toMatchObject({ code: "fleet_already_runs" });
    await store.putScope("s", { version: "v1", path: "/WORKFLOW.md", text: "" });
    const closing = Promise.all([store.close(), store.close()]);
    const read = store.read("s").catch((error: unknown) => error);
    await closing;
    await read;
    expect(await rejection(store.read("s"))).toMatchObject({ code: "database_unavailable" });
    await using again = await openEmbedded({ folder });
    expect((await again.read("s")).workflowVersion).toBe("v1");
    expect(await rejection(store.read("s"))).toMatchObject({ code: "database_unavailable" });
  },
);

verifies("fleet.jobs.seed", "a first start without a usable seed makes the database itself", async () => {
  await using temporary = await temporaryFolder();
  const { folder } = temporary;
  // The build makes the seed without one, so a missing seed is not tried here again.
  const bad = path.join(folder, "bad.tar.gz");
  await writeFile(bad, "this is not a seed");
  const place = path.join(folder, "state");
  // A start that was killed has left its half.
  await mkdir(path.join(place, "db.new/base"), { recursive: true });
  await using store = await openEmbedded({ folder: place, seed: pathToFileURL(bad) });
  await store.putScope("s", { version: "v1", path: "/WORKFLOW.md", text: "" });
  expect(await store.admit("s", wanted(issue(1)), UNLIMITED)).toMatchObject([{ refused: null }]);
  expect(await readdir(place)).not.toContain("db.new");
});

/** Each of these makes a database unusable. */
const DAMAGE: Readonly<Record<string, (db: string) => Promise<void>>> = {
  "no control file": (db) => rm(path.join(db, "global/pg_control")),
  "half a control file": (db) => truncate(path.join(db, "global/pg_control"), 100),
  "no tables": (db) => rm(path.join(db, "base"), { recursive: true }),
  "no version": (db) => rm(path.join(db, "PG_VERSION")),
  "another version": (db) => writeFile(path.join(db, "PG_VERSION"), "12\n"),
  "no log": (db) => rm(path.join(db, "pg_wal"), { recursive: true }),
  "an empty folder": async (db) => {
    await rm(db, { recursive: true });
    await mkdir(db);
  },
};

verifies(
  "fleet.jobs.damaged",
  "a damaged database is an error that says what to do, and stays as it is",
  async () => {
    await using temporary = await temporaryFolder();
    const { folder } = temporary;
    const whole = path.join(folder, "whole");
    await (await openEmbedded({ folder: whole })).close();
    for (const [name, damage] of Object.entries(DAMAGE)) {
      const place = path.join(folder, name);
      await cp(whole, place, { recursive: true });
      const db = path.join(place, "db");
      await damage(db);
      const before = await readdir(db);
      const error = await rejection(openEmbedded({ folder: place }));
      expect({ name, error }).toMatchObject({ name, error: { code: "database_damaged" } });
      expect(String(error)).toContain("move the folder away");
      const after = await readdir(db);
      expect({ name, missing: before.filter((file) => !after.includes(file)) }).toEqual({
        name,
        missing: [],
      });
    }
    // The advice works, and the lock is free.
    const place = path.join(folder, "no version");
    await rm(path.join(place, "db"), { recursive: true });
    await (await openEmbedded({ folder: place })).close();
  },
  { timeoutMs: 180_000 },
);

const canMount = process.platform === "linux" && process.getuid?.() === 0 && mounts();

function mounts(): boolean {
  try {
    execFileSync("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

verifies(
  "fleet.jobs.disk",
  "a full disk makes the database unavailable, and it works again when there is space",
  async () => {
    await using temporary = await temporaryFolder();
    const { folder } = temporary;
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=96m", "none", folder]);
    try {
      const store = await openEmbedded({ folder });
      await store.putScope("s", { version: "v1", path: "/WORKFLOW.md", text: "" });
      const { bavail, bsize } = await statfs(folder);
      const ballast = path.join(folder, "ballast");
      await writeFile(ballast, Buffer.alloc(bavail * bsize - 400_000));
      let stored = 0;
      const error = await rejection(
        (async () => {
          for (;;) {
            const description = randomBytes(8000).toString("hex");
            await store.admit("s", wanted(issue(stored, { description })), UNLIMITED);
            stored++;
          }
        })(),
      );
      expect(error).toMatchObject({ code: "database_unavailable" });
      await rm(ballast);
      expect(await store.admit("s", wanted(issue(10_000)), UNLIMITED)).toMatchObject([{ refused: null }]);
      expect((await store.read("s")).claims).toHaveLength(stored + 1);
      await store.close();
      const again = await openEmbedded({ folder });
      expect((await again.read("s")).claims).toHaveLength(stored + 1);
      await again.close();
    } finally {
      execFileSync("umount", ["-l", folder]);
    }
  },
  { skip: canMount ? false : "only root can make a small disk" },
);

verifies("fleet.jobs.version", "a database of a newer program is refused, and stays as it is", async () => {
  await using temporary = await temporaryStore();
  const { store, folder } = temporary;
  await store.close();
  const { PGlite } = await import("@electric-sql/pglite");
  const pglite = await PGlite.create({ dataDir: path.join(folder, "db") });
  await pglite.exec("UPDATE codexwright.meta SET version = 1000");
  await pglite.close();
  expect(await rejection(openEmbedded({ folder }))).toMatchObject({ code: "database_version" });
  const after = await PGlite.create({ dataDir: path.join(folder, "db") });
  expect((await after.query("SELECT version FROM codexwright.meta")).rows).toEqual([{ version: 1000 }]);
  await after.close();
});
