import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Outcome, RunTotals } from "../domain/outcome.ts";
import type { Grant } from "../jobs/port.ts";

/** The result of a run that could not be settled yet. */
export interface Spooled {
  readonly grant: Grant;
  readonly outcome: Outcome;
  readonly totals: RunTotals;
}

/** A folder of results. It survives the process. */
export class Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async add(spooled: Spooled): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#fileOf(spooled.grant);
    await writeFile(`${file}.new`, JSON.stringify(spooled), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  async list(): Promise<readonly Spooled[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const all = await Promise.all(
      names.filter((name) => name.endsWith(".json")).map(async (name) => await this.#read(name)),
    );
    return all.flatMap((each) => (each === undefined ? [] : [each]));
  }

  async remove({ grant }: Spooled): Promise<void> {
    await rm(this.#fileOf(grant), { force: true });
  }

  /** A file that is not whole was never a result: results are renamed into their place. */
  async #read(name: string): Promise<Spooled | undefined> {
    try {
      return JSON.parse(await readFile(path.join(this.#folder, name), "utf8")) as Spooled;
    } catch {
      return undefined;
    }
  }

  #fileOf({ runId, fence }: Grant): string {
    return path.join(this.#folder, `${`${runId}-${fence}`.replaceAll(/[^A-Za-z0-9-]/g, "_")}.json`);
  }
}
