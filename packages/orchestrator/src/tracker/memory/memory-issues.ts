import { TrackerError } from "../../domain/errors.ts";
import type { Issue } from "../../domain/issue.ts";
import { labelsOf, NO_FIELDS } from "../issue-fields.ts";

/** The fields of an issue that a program gives. The others have defaults. */
export type NewIssue = Pick<Issue, "identifier" | "title" | "state"> & Partial<Issue>;

/** The calls of a tracker that a program can let fail or wait. */
export type TrackerCall = "byStates" | "byIds";

/** A call that waits until it is let go. */
export interface HeldCall {
  /** Resolves when the call has arrived. */
  readonly arrived: Promise<void>;
  release(): void;
}

/**
 * The issues behind a `memory` tracker. A program changes them while a fleet works on them, and lets calls of the tracker
 * fail or wait.
 */
export class MemoryIssues {
  /** How often the tracker was asked. Calls with an empty list are not counted. */
  requests = 0;
  readonly #issues = new Map<string, Issue>();
  readonly #failures: { call: TrackerCall | undefined; error: unknown }[] = [];
  readonly #holds: { call: TrackerCall; arrive: () => void; released: Promise<void> }[] = [];

  constructor(issues: readonly NewIssue[] = []) {
    for (const issue of issues) this.put(issue);
  }

  /** All issues, in the order in which they were added. */
  get all(): readonly Issue[] {
    return [...this.#issues.values()];
  }

  get(id: string): Issue | undefined {
    return this.#issues.get(id);
  }

  /** Adds an issue or replaces the one with this id. */
  put(given: NewIssue): Issue {
    const issue: Issue = {
      ...NO_FIELDS,
      id: given.identifier,
      dispatchable: true,
      ...structuredClone(given),
      labels: labelsOf(given.labels ?? []),
    };
    this.#issues.set(issue.id, issue);
    return issue;
  }

  /** Changes fields of an issue. Throws if there is no issue with this id. */
  change(id: string, change: Partial<Omit<Issue, "id">>): Issue {
    const issue = this.#issues.get(id);
    if (!issue)
      throw new TrackerError("tracker_response", `there is no issue with the id ${JSON.stringify(id)}`);
    return this.put({ ...issue, updated_at: new Date().toISOString(), ...change });
  }

  /** Makes an issue invisible. Returns false if there was none. */
  remove(id: string): boolean {
    return this.#issues.delete(id);
  }

  /** Lets the next call fail, or the next call of this name. Failures are used in their order. */
  failNext(error: unknown, call?: TrackerCall): void {
    this.#failures.push({ call, error });
  }

  /** Lets the next call of this name wait. */
  holdNext(call: TrackerCall): HeldCall {
    let arrive = (): void => {};
    let release = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#holds.push({ call, arrive, released });
    return { arrived, release };
  }

  /** Delays a call, or lets it fail, as the program has asked. For trackers. */
  async before(call: TrackerCall, signal: AbortSignal): Promise<void> {
    this.requests++;
    const held = take(this.#holds, (each) => each.call === call);
    held?.arrive();
    if (held) await untilAborted(held.released, signal);
    const failure = take(this.#failures, (each) => (each.call ?? call) === call);
    if (failure) throw failure.error;
  }
}

function take<T>(list: T[], fits: (each: T) => boolean): T | undefined {
  const at = list.findIndex(fits);
  return at === -1 ? undefined : list.splice(at, 1)[0];
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true, signal: stop.signal });
    if (signal.aborted) onAbort();
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    stop.abort();
  }
}
