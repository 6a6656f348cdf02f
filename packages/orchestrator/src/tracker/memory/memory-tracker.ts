import type { Tool } from "codexwright";
import { TrackerError } from "../../domain/errors.ts";
import { hasState, type Issue } from "../../domain/issue.ts";
import type { Tracker, TrackerConfig, TrackerProfile } from "../../domain/tracker.ts";
import type { MemoryIssues } from "./memory-issues.ts";
import { MEMORY_PROFILE } from "./profile.ts";

/** Issues in memory as a tracker. */
export class MemoryTracker implements Tracker {
  readonly profile: TrackerProfile = MEMORY_PROFILE;
  readonly #issues: MemoryIssues;
  readonly #terminalStates: readonly string[];
  #isClosed = false;

  constructor(issues: MemoryIssues, { terminalStates }: Pick<TrackerConfig, "terminalStates">) {
    this.#issues = issues;
    this.#terminalStates = terminalStates;
  }

  async byStates(states: readonly string[], signal: AbortSignal): Promise<readonly Issue[]> {
    this.#check(signal);
    if (states.length === 0) return [];
    await this.#issues.before("byStates", signal);
    return this.#issues.all.filter(({ state }) => hasState(states, state)).map((issue) => this.#shown(issue));
  }

  async byIds(ids: ReadonlySet<string>, signal: AbortSignal): Promise<ReadonlyMap<string, Issue>> {
    this.#check(signal);
    if (ids.size === 0) return new Map();
    await this.#issues.before("byIds", signal);
    return new Map(
      this.#issues.all.filter(({ id }) => ids.has(id)).map((issue) => [issue.id, this.#shown(issue)]),
    );
  }

  tools(): readonly Tool[] {
    return [];
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #check(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#isClosed) throw new TrackerError("tracker_request", "the tracker is closed");
  }

  /** Fills in the states of blockers. */
  #shown(issue: Issue): Issue {
    const blockedBy = issue.blocked_by.map((each) => {
      const blocker = this.#issues.all.find(
        ({ id, identifier }) => id === each.id || identifier === each.identifier,
      );
      return blocker ? { id: blocker.id, identifier: blocker.identifier, state: blocker.state } : each;
    });
    const isFree = blockedBy.every(({ state }) => state !== null && hasState(this.#terminalStates, state));
    return structuredClone({ ...issue, blocked_by: blockedBy, dispatchable: issue.dispatchable && isFree });
  }
}
