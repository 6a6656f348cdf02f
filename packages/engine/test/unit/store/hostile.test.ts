import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { expect } from "vitest";
import { rolloutStore } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, message, modelOf } from "../ports.ts";
import { echo, serverOn, temporaryHome } from "./home.ts";

const ID = "01a1f034-7d84-7530-82f0-2f7b5ac19e67";
const DAY = "sessions/2026/11/18";

function nameOf(id: string, branch: string = ""): string {
  return `rollout-2026-11-18T19-48-54-${id}${branch}.jsonl`;
}

function metaLine(id: string, more: object = {}): string {
  const payload = { id, cwd: "/", source: "vscode", history_mode: "paginated", ...more };
  return `${JSON.stringify({ timestamp: "2026-11-18T19:48:54Z", ordinal: 0, type: "session_meta", payload })}\n`;
}

function turnLines(text: string): string {
  const item = { type: "UserMessage", id: "u", content: [{ type: "text", text }] };
  const event = (ordinal: number, payload: object): string =>
    `${JSON.stringify({ timestamp: "2026-11-18T19:48:55Z", ordinal, type: "event_msg", payload })}\n`;
  return (
    event(1, { type: "task_started", turn_id: "t" }) +
    event(2, { type: "item_completed", turn_id: "t", item })
  );
}

verifies(
  "security.s62",
  "rollout files with any content can be listed, read, resumed and continued",
  async () => {
    const words = [
      "session_meta",
      "event_msg",
      "turn_context",
      "item_completed",
      "history_base",
      "payload",
      "type",
    ];
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom<unknown>(
        ...words,
        ID,
        { history_base: { thread_id: ID } },
        { thread_id: "../../etc/passwd" },
      ),
    );
    const line = fc.oneof(
      fc.string(),
      fc
        .dictionary(fc.constantFrom(...words, "ordinal", "timestamp"), value)
        .map((each) => JSON.stringify(each)),
      fc
        .tuple(fc.constantFrom(...words), value)
        .map(([type, payload]) => JSON.stringify({ type, payload, ordinal: 9e15 })),
      fc.constant(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.boolean(), async (lines, meta) => {
        await using home = await temporaryHome();
        await mkdir(path.join(home.path, DAY), { recursive: true });
        const file = path.join(home.path, DAY, nameOf(ID));
        await writeFile(file, (meta ? metaLine(ID) + turnLines("hi") : "") + lines.join("\n"));
        const model = echo();
        await using only = await serverOn(home, model);
        const { data } = await only.codex.request("thread/list", {});
        expect(data.length).toBeLessThanOrEqual(1);
        if (!meta) return;
        await only.codex.request("thread/turns/list", { threadId: ID, itemsView: "full" });
        const thread = await only.codex.resumeThread(ID);
        expect((await thread.run("go on")).agentMessage).toContain("re ");
      }),
      { seed: 62, numRuns: 40 },
    );
  },
);

verifies("security.s63", "a chain of files that leads back to itself or to missing files ends", async () => {
  const other = ID.replace("01a1", "01a2");
  for (const base of [ID, other, "nothing", "../../../etc/passwd", "__proto__", ""]) {
    await using home = await temporaryHome();
    await mkdir(path.join(home.path, DAY), { recursive: true });
    const to = (thread_id: string) => ({
      history_base: { thread_id, end_byte_offset: 1e9, end_ordinal_exclusive: 1e9 },
    });
    await writeFile(path.join(home.path, DAY, nameOf(ID)), metaLine(ID, to(base)) + turnLines("hi"));
    await writeFile(path.join(home.path, DAY, nameOf(other)), metaLine(other, to(ID)) + turnLines("ho"));
    const store = rolloutStore({ home: home.path });
    expect((await store.list()).length).toBe(2);
    expect((await store.read(ID))?.thread.turns.length).toBe(1);
    expect(await store.find(other)).toMatchObject({ id: other });
  }
});

verifies(
  "security.s64",
  "links, FIFOs, devices and folders in the place of files of a home are not followed, read or waited for",
  async () => {
    await using home = await temporaryHome();
    const outside = await mkdtemp(path.join(tmpdir(), "codexwright-outside-"));
    try {
      await mkdir(path.join(home.path, DAY), { recursive: true });
      const secret = path.join(outside, nameOf(ID));
      await writeFile(secret, metaLine(ID) + turnLines("secret"));
      const target = path.join(home.path, DAY, nameOf(ID));
      const store = rolloutStore({ home: home.path });
      const places = [
        () => symlink(secret, target),
        () => symlink("/dev/zero", target),
        () => symlink(target, target),
        async () => void execFileSync("mkfifo", [target]),
        () => mkdir(target),
        async () => {
          await rm(path.join(home.path, DAY), { recursive: true });
          await symlink(outside, path.join(home.path, DAY));
        },
      ];
      for (const place of places) {
        await rm(target, { recursive: true, force: true });
        await place();
        expect(await store.list()).toEqual([]);
        expect(await store.read(ID)).toBe(undefined);
        expect(await store.find(ID)).toBe(undefined);
      }
      // The lock and the lists of names are opened with the same care.
      const locks = path.join(home.path, "thread-writer-locks");
      await mkdir(locks, { recursive: true });
      await symlink(path.join(outside, "made"), path.join(locks, `${ID}.lock`));
      expect(await rejection(store.claim(ID))).toMatchObject({ code: "thread_store_failed" });
      await symlink(path.join(outside, "names"), path.join(home.path, "session_index.jsonl"));
      expect(await rejection(store.label(ID, { name: "x" }))).toMatchObject({ code: "thread_store_failed" });
      expect(await readdir(outside)).toEqual([nameOf(ID)]);
      expect(await readFile(secret, "utf8")).toBe(metaLine(ID) + turnLines("secret"));
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  },
  { skip: onWindows },
);

verifies("security.s65", "an id that is not a UUID never becomes part of a path", async () => {
  await using home = await temporaryHome();
  const store = rolloutStore({ home: home.path });
  const ids = [
    "../x",
    "..",
    "",
    "/etc/passwd",
    `${ID}/../../x`,
    `${ID}\u0000`,
    ID.toUpperCase().slice(0, 35),
    "a".repeat(36),
  ];
  for (const id of ids) {
    expect(await rejection(store.claim(id))).toMatchObject({ code: "thread_store_failed", reason: "EINVAL" });
    expect(await rejection(store.archive(id, true))).toMatchObject({ reason: "EINVAL" });
    expect(await rejection(store.delete(id))).toMatchObject({ reason: "EINVAL" });
    expect(await store.read(id)).toBe(undefined);
    expect(await store.label(id, { name: "x" })).toBe(undefined);
  }
  expect(await readdir(home.path)).toEqual([]);
});

verifies(
  "security.s66",
  "files and folders of threads are for the user only, and hold the conversation and nothing of the environment",
  async () => {
    await using home = await temporaryHome();
    const secret = `sk-test-${crypto.randomUUID()}`;
    const name = "CODEXWRIGHT_TEST_SECRET";
    process.env[name] = secret;
    try {
      const answers = [
        [call("c", "update_plan", { plan: [] }), completed],
        [...message("m", "done"), completed],
      ];
      await using only = await serverOn(home, modelOf(...answers));
      const thread = await only.codex.startThread();
      await thread.run("one");
      await only.codex.request("thread/name/set", { threadId: thread.id, name: "n" });
      const entries = await readdir(home.path, { recursive: true, withFileTypes: true });
      expect(entries.length).toBeGreaterThan(5);
      for (const entry of entries) {
        const file = path.join(entry.parentPath, entry.name);
        expect([entry.name, (await stat(file)).mode & 0o077]).toEqual([entry.name, 0]);
        if (entry.isFile()) expect(await readFile(file, "utf8")).not.toContain(secret);
      }
    } finally {
      delete process.env[name];
    }
  },
  { skip: onWindows },
);

verifies(
  "security.s67",
  "a home that cannot be written fails turns with a typed error without paths",
  async () => {
    for (const blocked of ["sessions", "thread-writer-locks", `sessions/${new Date().getUTCFullYear()}`]) {
      await using home = await temporaryHome();
      await mkdir(path.dirname(path.join(home.path, blocked)), { recursive: true });
      await writeFile(path.join(home.path, blocked), "in the way");
      await using only = await serverOn(home, echo());
      const thread = await only.codex.startThread();
      const error = (await rejection(thread.run("one"))) as Error;
      expect(error).toMatchObject({ code: "turn_failed" });
      expect(error.message).toMatch(/the thread store failed to (write|lock) a thread: E(NOTDIR|EXIST)/);
      expect(error.message).not.toContain(home.path);
    }
  },
);

verifies("engine.records.tolerant", "positions stay unique whatever ordinals a file has", async () => {
  const most = Number.MAX_SAFE_INTEGER;
  for (const ordinals of [
    [most, most],
    [most - 1, 3],
    [2 ** 53, 1e300],
    [-1, -most],
    [1.5, Number.MIN_VALUE],
    [2 ** 52, 2 ** 52],
  ]) {
    await using home = await temporaryHome();
    const folder = path.join(home.path, DAY);
    await mkdir(folder, { recursive: true });
    const lines = ordinals.map(
      (ordinal, at) =>
        `{"timestamp":"2026-11-18T19:48:55Z","ordinal":${ordinal},"type":"event_msg","payload":{"type":"task_started","turn_id":"h${at}"}}\n`,
    );
    await writeFile(path.join(folder, nameOf(ID)), metaLine(ID) + turnLines("hi") + lines.join(""));
    await using served = await serverOn(home, echo());
    const thread = await served.codex.resumeThread(ID);
    for (const text of ["one", "two", "three"]) await thread.run(text);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: { id: string }[]; nextCursor: string | null } = await served.codex.request(
        "thread/turns/list",
        { threadId: ID, limit: 1, sortDirection: "asc", cursor },
      );
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect({ ordinals, turns: seen.length, different: new Set(seen).size }).toEqual({
      ordinals,
      turns: 6,
      different: 6,
    });
    const [file = ""] = await home.files();
    const written = (await readFile(file, "utf8"))
      .trimEnd()
      .split("\n")
      .slice(3 + ordinals.length)
      .map((text) => (JSON.parse(text) as { ordinal: number }).ordinal);
    expect(written).toEqual(written.map((_, at) => (written[0] ?? 0) + at));
    expect(Number.isSafeInteger(written.at(-1))).toBe(true);
  }
});

verifies(
  "engine.records.faults",
  "a turn fails if the file of its thread was deleted",
  async () => {
    for (const replaced of [false, true]) {
      await using home = await temporaryHome();
      await using served = await serverOn(home, echo());
      const thread = await served.codex.startThread();
      await thread.run("one");
      const [file = ""] = await home.files();
      const before = await readFile(file);
      await rm(file);
      if (replaced) await writeFile(file, before);
      const failure = await rejection(thread.run("two"));
      expect(String(failure)).toContain("ENOENT");
      // Nothing was written where the next reader would not find it.
      if (replaced) expect(await readFile(file)).toEqual(before);
      else expect(await home.files()).toEqual([]);
    }
  },
  { skip: onWindows },
);
