import type { Tool } from "codexwright";
import { pause } from "codexwright/internal";
import type { HeldFolder } from "codexwright/internal/node";
import { TrackerError } from "../../domain/errors.ts";
import { hasState, type BlockerRef, type Issue } from "../../domain/issue.ts";
import type { Tracker, TrackerConfig, TrackerProfile } from "../../domain/tracker.ts";
import { NO_FIELDS } from "../issue-fields.ts";
import { described, fileName, type FileState, isIdentifier, IssueFiles } from "./files.ts";
import { openIssues, pathOf, readError } from "./place.ts";
import { FOLDER_PROFILE } from "./profile.ts";
import { updateTool } from "./tool.ts";
import { Updates } from "./update.ts";

/** Editors replace a file in two steps. So a file that is missing is looked for again after this time. */
const SECOND_LOOK_MS = 100;

/** A folder of Markdown files as a tracker. */
export class FolderTracker implements Tracker {
  readonly profile: TrackerProfile = FOLDER_PROFILE;
  readonly #config: TrackerConfig;
  readonly #parts: readonly string[];
  readonly #files: IssueFiles;
  readonly #updates: Updates;
  /** The file system that had issues. */
  #device: bigint | undefined;
  #isClosed = false;

  constructor(config: TrackerConfig) {
    this.#config = config;
    this.#parts = pathOf(config.provider);
    this.#files = new IssueFiles(config.warn);
    this.#updates = new Updates(() => this.#open());
  }

  async byStates(states: readonly string[], signal: AbortSignal): Promise<readonly Issue[]> {
    this.#check(signal);
    if (states.length === 0) return [];
    return await this.#reading(async (folder) => {
      const files = await this.#files.all(folder, signal);
      if (files.size > 0) this.#device = folder.look(".")?.dev;
      return [...files].flatMap(([identifier, file]) =>
        file.kind === "issue" && hasState(states, file.record.state)
          ? [this.#issue(identifier, file, files)]
          : [],
      );
    });
  }

  async byIds(ids: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Issue>> {
    this.#check(signal);
    const wanted = [...ids].filter((id) => isIdentifier(id));
    if (wanted.length === 0) return new Map();
    const found = await this.#reading(async (folder) => {
      const files = new Map(await this.#certain(folder, wanted, signal));
      if (files.size > 0) this.#device = folder.look(".")?.dev;
      const blockers = [...files.values()].flatMap((file) =>
        file.kind === "issue" ? file.record.blockedBy.filter((each) => isIdentifier(each)) : [],
      );
      const missing = [...new Set(blockers)].filter((each) => !files.has(each));
      for (const [id, file] of await this.#certain(folder, missing, signal)) files.set(id, file);
      return files;
    });
    for (const [id, file] of found)
      if (file.kind === "malformed")
        throw new TrackerError("tracker_response", described(fileName(id), file));
    return new Map(
      wanted.flatMap((id) => {
        const file = found.get(id);
        return file?.kind === "issue" ? [[id, this.#issue(id, file, found)] as const] : [];
      }),
    );
  }

  tools(issue: Issue): readonly Tool[] {
    return [updateTool(this.#updates, issue.id)];
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#updates.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #check(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#isClosed) throw new TrackerError("tracker_request", "the tracker is closed");
  }

  async #reading<T>(work: (folder: HeldFolder) => Promise<T>): Promise<T> {
    const folder = this.#open();
    try {
      return await work(folder);
    } catch (error) {
      throw readError(`the folder ${this.#parts.join("/")}`, error);
    } finally {
      folder.close();
    }
  }

  /** Opens the folder of the issues. Rejects an empty folder that stands in for one that is not mounted. */
  #open(): HeldFolder {
    const folder = openIssues(this.#config.folder, this.#parts);
    const device = folder.look(".")?.dev;
    if (this.#device === undefined || device === this.#device) return folder;
    folder.close();
    throw new TrackerError(
      "tracker_request",
      `the folder ${this.#parts.join("/")} is on another file system than before: mount it again, or restart the fleet`,
    );
  }

  /** Looks twice before it calls a file missing. */
  async #certain(
    folder: HeldFolder,
    identifiers: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, FileState>> {
    const found = await this.#files.some(folder, identifiers, signal);
    const missing = identifiers.filter((each) => !found.has(each));
    if (missing.length === 0) return found;
    await pause(SECOND_LOOK_MS, signal);
    signal.throwIfAborted();
    return new Map([...found, ...(await this.#files.some(folder, missing, signal))]);
  }

  #issue(
    identifier: string,
    { record, stats }: FileState & { kind: "issue" },
    files: ReadonlyMap<string, FileState>,
  ): Issue {
    const blockedBy = record.blockedBy.map((each): BlockerRef => {
      const file = files.get(each);
      const state = file?.kind === "issue" ? file.record.state : null;
      return { id: file ? each : null, identifier: each, state };
    });
    const isFree = blockedBy.every(
      ({ state }) => state !== null && hasState(this.#config.terminalStates, state),
    );
    return {
      ...NO_FIELDS,
      id: identifier,
      native_ref: { file: fileName(identifier) },
      identifier,
      title: record.title,
      description: record.description,
      priority: record.priority,
      state: record.state,
      branch_name: record.branchName,
      labels: record.labels,
      blocked_by: blockedBy,
      dispatchable: isFree,
      created_at: record.createdAt,
      updated_at: stats.mtime.toISOString(),
    };
  }
}
