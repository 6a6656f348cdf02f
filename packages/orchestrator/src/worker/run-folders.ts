import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { endServer, identityOf, isAlive, markOf, type ProcessIdentity } from "./processes.ts";

/** The contents of `run.json`. */
interface RunFile {
  readonly runId: string;
  readonly identifier: string;
  /** The worker. */
  readonly owner: ProcessIdentity | null;
  readonly server: (ProcessIdentity & { readonly mark: string | null }) | null;
}

/** The folder of a run, with the ids of its processes. It exists as long as the run. */
export class RunFolder {
  readonly path: string;
  #file: RunFile;

  constructor(parent: string, runId: string, identifier: string) {
    this.path = path.join(parent, folderName(runId));
    this.#file = { runId, identifier, owner: identityOf(process.pid) ?? null, server: null };
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    this.#write();
  }

  /** Records the server at once, so that a kill of this process cannot come between. */
  server(pid: number | null): void {
    const server = pid === null ? undefined : identityOf(pid);
    this.#file = { ...this.#file, server: server ? { ...server, mark: markOf(server.pid) } : null };
    this.#write();
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  #write(): void {
    const file = path.join(this.path, "run.json");
    writeFileSync(`${file}.new`, JSON.stringify(this.#file), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
}

/**
 * Ends the processes of all runs whose worker is dead, and removes their folders. Returns the number of runs. The
 * guards beside the servers do the same, but a guard can be killed, too.
 *
 * @param removeRest removes the other files that the last run of an issue has left
 */
export async function reap(
  parent: string,
  removeRest: (identifier: string) => Promise<void>,
): Promise<number> {
  const names = await readdir(parent).catch(() => []);
  const reaped = await Promise.all(
    names.map(async (name) => {
      const folder = path.join(parent, name);
      const file = await readRunFile(path.join(folder, "run.json"));
      if (file?.owner && isAlive(file.owner)) return 0;
      if (file?.server) await endServer(file.server, file.server.mark);
      // A file that cannot be removed must not stop the start. The next run of the issue removes it, or fails.
      if (file) await removeRest(file.identifier).catch(() => {});
      await rm(folder, { recursive: true, force: true });
      return file === undefined ? 0 : 1;
    }),
  );
  return reaped.reduce((sum: number, each) => sum + each, 0);
}

/** undefined if the worker was killed before it had written the file. Then it had not started the server. */
async function readRunFile(file: string): Promise<RunFile | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as RunFile;
  } catch {
    return undefined;
  }
}

/** Run ids are made by the job store. A path must not depend on their form. */
function folderName(runId: string): string {
  return runId.replaceAll(/[^A-Za-z0-9-]/g, "_");
}
