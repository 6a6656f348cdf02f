import { closeSync, lstatSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { ThreadStoreError } from "../core/records/store-errors.ts";
import { loadSqlite, type Database } from "./sqlite.ts";
import { storeFailure } from "./store-failure.ts";

const VERSION = 1;

const SCHEMA = `
  CREATE TABLE threads (
    id TEXT PRIMARY KEY, info TEXT NOT NULL, archived INTEGER NOT NULL DEFAULT 0, name TEXT, git TEXT
  ) WITHOUT ROWID;
  CREATE TABLE records (
    thread TEXT NOT NULL, ordinal INTEGER NOT NULL, record TEXT NOT NULL, PRIMARY KEY (thread, ordinal)
  ) WITHOUT ROWID;
  CREATE TABLE queues (thread TEXT PRIMARY KEY, submissions TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};
`;

const OPEN = "open the database";

/**
 * Opens a database of threads, which only this process can use until it is closed or the process has ended. Makes it,
 * readable for its user only, if it does not exist.
 */
export function openDatabase(file: string): Database {
  const sqlite = loadSqlite();
  if (!sqlite) throw new ThreadStoreError(OPEN, "no_sqlite");
  let database: Database | undefined;
  try {
    make(file);
    database = new sqlite.DatabaseSync(file);
    // The lock of the system ends with the process, however that ends.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE");
    prepare(database);
    database.exec("COMMIT");
    return database;
  } catch (error) {
    database?.close();
    throw storeFailure(OPEN, error);
  }
}

/**
 * Makes the file if it does not exist. A file that exists is not opened: closing it would end all locks that this process
 * has on it.
 */
function make(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found) {
    if (!found.isFile()) throw new ThreadStoreError(OPEN, "not_a_file");
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "wx", 0o600));
}

function prepare(database: Database): void {
  const version = database.prepare("PRAGMA user_version").all()[0]?.["user_version"];
  if (version === VERSION) return;
  const tables = database.prepare("SELECT name FROM sqlite_master").all();
  // Another program's database, or that of a newer version, is left alone.
  if (version !== 0 || tables.length > 0) throw new ThreadStoreError(OPEN, "unknown_schema");
  database.exec(SCHEMA);
}

/** Does work in one transaction. If it throws, nothing is stored. */
export function transaction<T>(database: Database, durable: boolean, work: () => T): T {
  // In the WAL mode, NORMAL survives the death of the process, and FULL that of the machine.
  database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}; BEGIN IMMEDIATE`);
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    try {
      database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back already, for example because the disk is full.
    }
    throw error;
  }
}
