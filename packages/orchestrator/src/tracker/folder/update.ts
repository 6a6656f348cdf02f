import type { BigIntStats } from "node:fs";
import { lstat, open, rename, unlink } from "node:fs/promises";
import type { HeldFolder } from "codexwright/internal/node";
import { TrackerError } from "../../domain/errors.ts";
import { edited, type IssueUpdate } from "./edit.ts";
import { fileName, isIdentifier } from "./files.ts";
import { MalformedIssue } from "./front-matter.ts";
import { MOST_BYTES, parseIssue, readIssueFile } from "./issue-file.ts";
import { readError } from "./place.ts";

/** How often an update begins again because another program has changed the file meanwhile. */
const ATTEMPTS = 5;

/** Changes files of issues, one change after the other. */
export class Updates {
  readonly #folder: () => HeldFolder;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(folder: () => HeldFolder) {
    this.#folder = folder;
  }

  /** Changes the file of an issue. Returns its state afterwards. */
  async update(id: string, update: IssueUpdate, signal: AbortSignal): Promise<{ readonly state: string }> {
    const work = this.#last.then(() => this.#update(id, update, signal));
    this.#last = work.catch(() => {});
    return await work;
  }

  /** Waits for updates that have begun. Later ones are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
  }

  async #update(id: string, update: IssueUpdate, signal: AbortSignal): Promise<{ readonly state: string }> {
    signal.throwIfAborted();
    if (this.#isClosed) throw new TrackerError("tracker_request", "the tracker is closed");
    const name = fileName(id);
    const folder = this.#folder();
    try {
      if (!isIdentifier(id)) throw new TrackerError("tracker_response", "the issue does not exist");
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const before = await readIssueFile(folder, name);
        const text = edited(before.text, update, new Date());
        const { state } = parseIssue(text);
        if (await replaced(folder, name, text, before.stats)) return { state };
        signal.throwIfAborted();
      }
      throw new TrackerError("tracker_request", `another program keeps changing ${name}`);
    } catch (error) {
      if (error instanceof MalformedIssue)
        throw new TrackerError("tracker_response", `${name}: ${error.message}`);
      throw readError(`the file ${name}`, error);
    } finally {
      folder.close();
    }
  }
}

/** Replaces a file at once, so that readers see the old text or the new one. Returns false if the file has changed. */
async function replaced(folder: HeldFolder, name: string, text: string, old: BigIntStats): Promise<boolean> {
  const bytes = Buffer.from(text);
  if (bytes.length > MOST_BYTES)
    throw new TrackerError("tracker_request", `${name} would be longer than ${MOST_BYTES} bytes`);
  // Its name begins with a dot, so it is not an issue.
  const temporary = folder.at(`.${crypto.randomUUID()}.tmp`);
  const file = await open(temporary, "wx", Number(old.mode) & 0o777);
  try {
    try {
      // The mode at the opening is limited by the umask.
      await file.chmod(Number(old.mode) & 0o777);
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    const now = await lstat(folder.at(name), { bigint: true });
    const isOld = now.ino === old.ino && now.ctimeNs === old.ctimeNs && now.size === old.size;
    if (isOld) await rename(temporary, folder.at(name));
    else await unlink(temporary);
    return isOld;
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}
