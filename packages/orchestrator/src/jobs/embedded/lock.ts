import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { FleetError } from "../../domain/errors.ts";
import { loadSqlite } from "./sqlite.ts";

/**
 * Locks a folder for this process. PGlite does not. The lock is the exclusive transaction of a small SQLite file:
 * the kernel's own file lock, which ends with the process, however the process ends.
 */
export class FolderLock {
  readonly #close: () => void;

  private constructor(close: () => void) {
    this.#close = close;
  }

  /** Rejects with `fleet_already_runs` if another process, or another lock of this one, has the folder. */
  static async take(folder: string): Promise<FolderLock> {
    const sqlite = loadSqlite();
    if (sqlite === undefined)
      throw new FleetError("unsupported_node", "The embedded database needs Node 22.15 or later.");
    const pidFile = path.join(folder, "db.pid");
    const file = new sqlite.DatabaseSync(path.join(folder, "db.lock"));
    try {
      file.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    } catch (error) {
      file.close();
      if (!isBusy(error)) throw error;
      const pid = await readFile(pidFile, "utf8").catch(() => "");
      const who = /^\d+$/.test(pid) ? `process ${pid}` : "another process";
      throw new FleetError("fleet_already_runs", `A fleet runs here already: ${who} uses ${folder}.`);
    }
    try {
      await writeFile(pidFile, String(process.pid), { mode: 0o600 });
    } catch {
      // Only the message of a second start names the pid. It is not worth an error.
    }
    return new FolderLock(() => file.close());
  }

  release(): void {
    this.#close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}
