import { execFileSync } from "node:child_process";
import { mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, serverOn, temporaryHome, type Home } from "./home.ts";

const TIME = new Date("2026-11-18T20:00:00Z");

function indexOf(home: Home): string {
  return path.join(home.path, "codexwright", "thread-index.jsonl");
}

/** Runs a turn for each text, each on a thread of its own. Then all files have the same time. */
async function fill(home: Home, ...texts: readonly string[]): Promise<void> {
  await using only = await serverOn(home, echo());
  for (const text of texts) await (await only.codex.startThread()).run(text);
  await only.server.close();
  for (const file of await home.files()) await utimes(file, TIME, TIME);
}

/** The previews of the threads that a new server lists. The server must not fail. */
async function previews(home: Home): Promise<string[]> {
  await using only = await serverOn(home, echo());
  const { data } = await only.codex.request("thread/list", { sortDirection: "asc" });
  expect(only.server.failures).toEqual([]);
  return data.map(({ preview }) => preview).toSorted();
}

/** Changes the text of a file, but not its length. */
async function swap(file: string, from: string, to: string): Promise<void> {
  await writeFile(file, (await readFile(file, "utf8")).replaceAll(from, to));
}

verifies(
  "engine.records.index",
  "a new server lists threads from the index, and reads only files that have changed",
  async () => {
    await using home = await temporaryHome();
    await fill(home, "first", "other");
    expect(await previews(home)).toEqual(["first", "other"]);
    const [file = ""] = await home.files();
    await swap(file, "first", "fifth");
    await utimes(file, TIME, TIME);
    expect(await previews(home)).toEqual(["first", "other"]);
    await utimes(file, TIME, new Date(TIME.getTime() + 1_000));
    expect(await previews(home)).toEqual(["fifth", "other"]);
    await rm(file);
    expect(await previews(home)).toEqual(["other"]);
    await rm(path.dirname(indexOf(home)), { recursive: true });
    expect(await previews(home)).toEqual(["other"]);
    expect((await stat(indexOf(home))).mode & 0o777).toBe(0o600);
  },
  { skip: onWindows },
);

verifies(
  "engine.records.index",
  "a running server sees the files that others add and remove in folders that it has read",
  async () => {
    await using home = await temporaryHome();
    await fill(home, "first", "other");
    const [first = "", other = ""] = await home.files();
    await utimes(path.dirname(first), TIME, TIME);
    await using only = await serverOn(home, echo());
    const list = async (): Promise<string[]> =>
      (await only.codex.request("thread/list", {})).data.map(({ preview }) => preview).toSorted();
    expect(await list()).toEqual(["first", "other"]);
    expect(await list()).toEqual(["first", "other"]);
    await rename(other, path.join(home.path, "away"));
    expect(await list()).toEqual(["first"]);
    await rename(path.join(home.path, "away"), other);
    expect(await list()).toEqual(["first", "other"]);
    await rename(path.dirname(first), path.join(home.path, "moved"));
    await symlink(path.join(home.path, "moved"), path.dirname(first));
    expect(await list()).toEqual([]);
  },
  { skip: onWindows },
);

verifies("engine.records.index", "the index does not grow with the number of changes", async () => {
  await using home = await temporaryHome();
  await fill(home, "first");
  await using only = await serverOn(home, echo());
  const [file = ""] = await home.files();
  for (let n = 0; n < 300; n++) {
    await utimes(file, TIME, new Date(TIME.getTime() + n * 1_000));
    await only.codex.request("thread/list", {});
  }
  expect((await readFile(indexOf(home), "utf8")).split("\n").length).toBeLessThan(110);
});

verifies(
  "security.s45",
  "whatever the index contains, every thread is listed and nothing fails",
  async () => {
    await using home = await temporaryHome();
    await fill(home, "first", "other");
    await previews(home);
    const good = (await readFile(indexOf(home), "utf8")).trimEnd().split("\n");
    type Entry = { info: Record<string, unknown> & { settings: object } } & Record<string, unknown>;
    const entries = good.map((line) => JSON.parse(line) as Entry);
    const wrong = fc.oneof(
      fc.constantFrom<unknown>(null, true, -1, 1e308, "", "../../etc/passwd", [], {}, [[]], { toString: 1 }),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const entry = fc.constantFrom(...entries);
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(...good).chain((text) => fc.nat(text.length - 1).map((end) => text.slice(0, end))),
      fc.constant("[".repeat(10_000)),
      fc.constant(`{"file":"${"x".repeat(100_000)}"}`),
      // One member of the entry, or of its description, has another value.
      fc
        .tuple(entry, fc.constantFrom("file", "size", "mtimeMs", "info"), wrong)
        .map(([each, name, value]) => JSON.stringify({ ...each, [name]: value })),
      fc
        .tuple(entry, fc.constantFrom("id", "createdAtMs", "updatedAtMs", "historyMode", "settings"), wrong)
        .filter(([, name, value]) => !(name.endsWith("AtMs") && typeof value === "number"))
        .map(([each, name, value]) => JSON.stringify({ ...each, info: { ...each.info, [name]: value } })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.boolean(), async (lines, ends) => {
        await writeFile(indexOf(home), lines.join("\n") + (ends ? "\n" : ""));
        expect(await previews(home)).toEqual(["first", "other"]);
        // The next server reads what this one has written.
        expect(await previews(home)).toEqual(["first", "other"]);
      }),
      { seed: 134, numRuns: 60 },
    );
  },
);

verifies(
  "security.s45",
  "an index that is a link, a FIFO or a folder is not followed, and does not delay a list",
  async () => {
    await using home = await temporaryHome();
    await fill(home, "first");
    const index = indexOf(home);
    const victim = path.join(home.path, "victim");
    await writeFile(victim, "untouched");
    await mkdir(path.dirname(index));
    for (const make of [
      () => symlink(victim, index),
      () => void execFileSync("mkfifo", [index]),
      () => mkdir(index),
    ]) {
      await make();
      expect(await previews(home)).toEqual(["first"]);
      expect(await readFile(victim, "utf8")).toBe("untouched");
      await rm(index, { recursive: true });
    }
  },
  { skip: onWindows },
);

verifies(
  "security.s45",
  "what an index claims about a thread is shown in lists only: a resumed thread has the folder and sandbox of its file",
  async () => {
    await using home = await temporaryHome();
    await fill(home, "first");
    await previews(home);
    const entry = JSON.parse(await readFile(indexOf(home), "utf8")) as { info: { settings: object } };
    Object.assign(entry.info.settings, { cwd: "/claimed", sandbox: { type: "dangerFullAccess" } });
    await writeFile(indexOf(home), `${JSON.stringify(entry)}\n`);
    await using only = await serverOn(home, echo());
    const { data } = await only.codex.request("thread/list", {});
    // So the index was read.
    expect(data[0]?.cwd).toBe("/claimed");
    const { cwd, sandbox } = await only.codex.request("thread/resume", { threadId: data[0]?.id ?? "" });
    expect({ cwd, type: sandbox.type }).toEqual({ cwd: "/work", type: "workspaceWrite" });
  },
);
