import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import type { CodexClient } from "codexwright";
import { MemoryThreadStore, type ThreadStore } from "@codexwright/engine";
import { rolloutStore, sqliteStore } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { onWindows } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { echo, serverOn, temporaryHome, type Home } from "./home.ts";

const { getBuiltinModule } = process as { getBuiltinModule?: (name: string) => unknown };
const sqlite = ((): unknown => {
  try {
    return getBuiltinModule?.call(process, "node:sqlite");
  } catch {
    return undefined;
  }
})();
const needsSqlite = sqlite === undefined && "this runtime has no node:sqlite";

type Call = (codex: CodexClient, ids: readonly string[]) => Promise<unknown>;

async function run(codex: CodexClient, id: string, text: string): Promise<unknown> {
  return (await codex.thread(id).run(text)).agentMessage;
}

const items = (threadId: string) => ({ threadId, sortDirection: "asc", itemsView: "full" }) as const;

/** The life of threads. Before a `null`, the server ends and another one begins on the same store. */
const LIFE: readonly (Call | null)[] = [
  async (codex) => (await codex.startThread({ model: "other", approvalPolicy: "never" })).run("one"),
  (codex, [a = ""]) => run(codex, a, "two"),
  (codex, [a = ""]) => codex.request("thread/name/set", { threadId: a, name: "first" }),
  null,
  (codex, [a = ""]) => codex.request("thread/resume", { threadId: a }),
  (codex, [a = ""]) => run(codex, a, "three"),
  (codex, [a = ""]) => codex.request("thread/fork", { threadId: a }),
  (codex, [, b = ""]) => run(codex, b, "only in the fork"),
  (codex, [a = ""]) => codex.request("thread/turns/list", items(a)),
  null,
  (codex, [, b = ""]) => codex.request("thread/turns/list", items(b)),
  (codex, [, b = ""]) => codex.request("thread/read", { threadId: b }),
  (codex, [, b = ""]) => codex.request("thread/resume", { threadId: b }),
  (codex, [, b = ""]) => run(codex, b, "again"),
  (codex) => codex.request("thread/list", {}),
  (codex) => codex.request("thread/search", { searchTerm: "only in" }),
  null,
  (codex, [a = ""]) => codex.request("thread/archive", { threadId: a }),
  (codex) => codex.request("thread/list", {}),
  (codex) => codex.request("thread/list", { archived: true }),
  null,
  (codex, [a = ""]) => codex.request("thread/unarchive", { threadId: a }),
  (codex, [, b = ""]) => codex.request("thread/delete", { threadId: b }),
  (codex, [, b = ""]) => codex.request("thread/read", { threadId: b }),
  (codex, [a = ""]) => codex.request("thread/resume", { threadId: a }),
  (codex, [a = ""]) => run(codex, a, "last"),
  (codex) => codex.request("thread/list", {}),
];

/** Plays the life of threads. Returns all answers, with names in place of ids, times and places. */
async function played(
  storeOf: (home: Home) => ThreadStore & { close?(): Promise<void> },
): Promise<unknown[]> {
  await using home = await temporaryHome();
  const model = echo();
  const ids: string[] = [];
  const answers: unknown[] = [];
  let store = storeOf(home);
  let server = await serverOn(home, model, { store });
  try {
    for (const [n, step] of LIFE.entries()) {
      if (step === null) {
        await server[Symbol.asyncDispose]();
        await store.close?.();
        store = storeOf(home);
        server = await serverOn(home, model, { store });
        continue;
      }
      const answer = await step(server.codex, ids).catch((error: unknown) => (error as Error).message);
      const text = JSON.stringify(answer ?? null);
      for (const [id] of text.matchAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}/g)) {
        if (text.includes(`"id":"${id}","sessionId"`) || text.includes(`"threadId":"${id}"`)) {
          if (!ids.includes(id)) ids.push(id);
        }
      }
      answers.push([n, normal(JSON.parse(text), ids)]);
    }
    answers.push(model.inputs);
  } finally {
    await server[Symbol.asyncDispose]();
    await store.close?.();
  }
  return answers;
}

function normal(value: unknown, ids: readonly string[], key = ""): unknown {
  // The rollout files do not say for every thread whether it was read.
  if (key === "readStates") return "…";
  if (Array.isArray(value)) return value.map((each) => normal(each, ids));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, normal(each, ids, name)]));
  }
  if (/(At|AtMs|Ms|Cursor|path|revision)$/i.test(key)) return value === null ? null : "…";
  if (typeof value !== "string") return value;
  const named = ids.reduce((text, id, n) => text.replaceAll(id, `thread ${n}`), value);
  return named.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f-]{17}/g, "id").replace(/ \d+ms/g, "");
}

verifies(
  "engine.records.sqlite",
  "a database of SQLite gives the same answers as the rollout files, over restarts",
  async () => {
    const files = await played((home) => rolloutStore({ home: home.path }));
    expect(await played((home) => sqliteStore({ file: path.join(home.path, "db/threads.sqlite") }))).toEqual(
      files,
    );
  },
  { skip: needsSqlite },
);

verifies(
  "engine.records.memory",
  "a store in memory gives the same answers as long as it lives",
  async () => {
    const files = await played((home) => rolloutStore({ home: home.path }));
    const store = new MemoryThreadStore();
    expect(await played(() => store)).toEqual(files);
  },
);

verifies(
  "engine.records.sqlite",
  "one process has the database, also if another one dies",
  async () => {
    await using home = await temporaryHome();
    const file = path.join(home.path, "threads.sqlite");
    const store = sqliteStore({ file });
    expect(() => sqliteStore({ file })).toThrow(
      expect.objectContaining({ code: "thread_store_failed", reason: "SQLITE_BUSY" }),
    );
    const script = `import("@codexwright/engine/node").then(({ sqliteStore }) => {
      sqliteStore({ file: process.argv[1] });
      process.kill(process.pid, "SIGKILL");
    }).catch((error) => process.stdout.write(String(error.reason ?? error)))`;
    const other = (): ReturnType<typeof spawnSync> =>
      spawnSync(process.execPath, ["-e", script, file], { encoding: "utf8", cwd: import.meta.dirname });
    expect(other().stdout).toBe("SQLITE_BUSY");
    await store.close();
    expect(other().signal).toBe("SIGKILL");
    await sqliteStore({ file }).close();
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
  },
  { skip: needsSqlite || onWindows },
);

verifies(
  "engine.records.sqlite",
  "other files are refused and not changed, and a closed store fails",
  async () => {
    await using home = await temporaryHome();
    const at = (name: string): string => path.join(home.path, name);
    await writeFile(at("text"), "this is a text and not a database".repeat(100));
    await writeFile(at("target"), "");
    await symlink("target", at("link"));
    await mkdir(at("folder"));
    const { DatabaseSync } = sqlite as {
      DatabaseSync: new (file: string) => { exec(sql: string): void; close(): void };
    };
    for (const [name, sql] of Object.entries({
      other: "CREATE TABLE threads (x)",
      newer: "PRAGMA user_version = 9",
    })) {
      const database = new DatabaseSync(at(name));
      database.exec(sql);
      database.close();
    }
    const before = await readFile(at("other"));
    for (const [name, reason] of Object.entries({
      text: "SQLITE_NOTADB",
      link: "not_a_file",
      folder: "not_a_file",
      other: "unknown_schema",
      newer: "unknown_schema",
    })) {
      expect(() => sqliteStore({ file: at(name) })).toThrow(expect.objectContaining({ reason }));
    }
    expect(await readFile(at("text"), "utf8")).toMatch(/^this is a text/);
    expect((await readFile(at("other"))).length).toBe(before.length);
    if (process.getuid?.() !== 0) {
      await chmod(at("folder"), 0o500);
      expect(() => sqliteStore({ file: at("folder/db") })).toThrow(
        expect.objectContaining({ reason: "EACCES" }),
      );
      await chmod(at("folder"), 0o700);
    }
    const store = sqliteStore({ file: at("new") });
    await store.close();
    await store.close();
    expect(await rejection(store.list())).toMatchObject({ code: "thread_store_failed", reason: "closed" });
  },
  { skip: needsSqlite || onWindows },
);

verifies(
  "engine.records.sqlite",
  "a runtime without SQLite is refused with a reason",
  () => {
    expect(() => sqliteStore({ file: "unused" })).toThrow(expect.objectContaining({ reason: "no_sqlite" }));
  },
  { skip: sqlite !== undefined && "this runtime has node:sqlite" },
);
