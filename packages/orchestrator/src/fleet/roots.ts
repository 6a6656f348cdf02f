import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Settings } from "../domain/settings.ts";
import { FolderLock } from "../jobs/embedded/lock.ts";
import type { Scope } from "../jobs/port.ts";
import { reap } from "../worker/run-folders.ts";
import { openRoot } from "../workspace/held.ts";
import { removeTemporary } from "./issue-state.ts";

/** A folder in the root of workspaces, with a folder for each scope. No key of a workspace begins with a dot. */
const FLEETS = ".fleets";
/** Has the path of the state folder of the fleet that works here, or that worked here last. */
const OWNER = "state-folder";

/**
 * The roots of workspaces that this fleet has for its scope. Fleets with embedded databases in different state folders
 * do not see the claims of each other. So a root can be used by one of them at a time, and the next one first ends the
 * agents that the last one has left.
 */
export class Roots {
  readonly #scope: Scope;
  readonly #stateFolder: string;
  readonly #locks = new Map<string, FolderLock>();
  /** One at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(scope: Scope, stateFolder: string) {
    this.#scope = scope;
    this.#stateFolder = stateFolder;
  }

  /** Rejects with `fleet_already_runs` if another fleet has the root. */
  async take({ database, workspace }: Settings): Promise<void> {
    // Fleets with the same database divide the issues among them.
    if (database.url !== null) return;
    const taken = this.#last.then(() => this.#take(workspace.root));
    this.#last = taken.catch(() => {});
    await taken;
  }

  release(): void {
    for (const lock of this.#locks.values()) lock.release();
    this.#locks.clear();
  }

  async #take(root: string): Promise<void> {
    const folder = path.join(openRoot(root), FLEETS, this.#scope);
    if (this.#locks.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await FolderLock.take(folder);
    try {
      await this.#succeed(path.join(folder, OWNER));
    } catch (error) {
      lock.release();
      throw error;
    }
    this.#locks.set(folder, lock);
  }

  async #succeed(file: string): Promise<void> {
    const last = await readFile(file, "utf8").catch(() => "");
    // The worker does this for its own state folder.
    if (last === this.#stateFolder) return;
    if (path.isAbsolute(last))
      await reap(path.join(last, "runs"), async (identifier) => await removeTemporary(last, identifier));
    await writeFile(`${file}.new`, this.#stateFolder, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}
