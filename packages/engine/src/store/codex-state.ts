import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { loadSqlite, type Database } from "./sqlite.ts";

/** The changes of a thread that Codex should see. */
export interface CodexRow {
  readonly name?: string;
  readonly rolloutPath?: string;
  readonly archived?: boolean;
}

/** `updated`; `absent` if Codex has no row of the thread; `unknown` if its database cannot be written safely. */
export type RowUpdate = "updated" | "absent" | "unknown";

/** The columns that an update needs. With any other schema, the database is left alone. */
const COLUMNS: readonly string[] = ["id", "rollout_path", "name", "archived", "archived_at"];
const BUSY_MS = 2_000;

/** Updates the row of a thread in Codex's own database, in one transaction. Changes no other row and no schema. */
export async function updateCodexRow(home: string, id: string, row: CodexRow): Promise<RowUpdate> {
  const files = await stateFiles(home);
  if (files.length === 0) return "absent";
  const [file] = files;
  const loaded = loadSqlite();
  if (!loaded || files.length > 1 || file === undefined) return "unknown";
  let database: Database | undefined;
  try {
    database = new loaded.DatabaseSync(file);
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    return update(database, id, row);
  } catch {
    return "unknown";
  } finally {
    database?.close();
  }
}

function update(database: Database, id: string, { name, rolloutPath, archived }: CodexRow): RowUpdate {
  const columns = new Set(
    database
      .prepare("PRAGMA table_info(threads)")
      .all()
      .map((column) => column["name"]),
  );
  if (!COLUMNS.every((column) => columns.has(column))) return "unknown";
  const changes: [string, string | number | null][] = [];
  if (name !== undefined) changes.push(["name", name]);
  if (rolloutPath !== undefined) changes.push(["rollout_path", rolloutPath]);
  if (archived !== undefined) {
    changes.push(
      ["archived", archived ? 1 : 0],
      ["archived_at", archived ? Math.floor(Date.now() / 1_000) : null],
    );
  }
  const assignments = changes.map(([column]) => `${column} = ?`).join(", ");
  database.exec("BEGIN IMMEDIATE");
  try {
    const { changes: count } = database
      .prepare(`UPDATE threads SET ${assignments} WHERE id = ?`)
      .run(...changes.map(([, value]) => value), id);
    database.exec("COMMIT");
    return Number(count) > 0 ? "updated" : "absent";
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** The databases `state_<n>.sqlite`. A link is not followed. */
async function stateFiles(home: string): Promise<string[]> {
  const names = await readdir(home).catch(() => []);
  const files = names.filter((name) => /^state_\d+\.sqlite$/.test(name)).map((name) => path.join(home, name));
  const regular = await Promise.all(
    files.map((file) =>
      lstat(file).then(
        (info) => info.isFile(),
        () => false,
      ),
    ),
  );
  return files.filter((_, at) => regular[at]);
}
