import { TestClock } from "pg-boss";
import type { Candidate, DueClaim, Grant, JobStore, Transition } from "@codexwright/orchestrator/internal";
import type { Issue } from "@codexwright/orchestrator";
import type { Place } from "../../../support/job-store.ts";
import { COMPLETED, totals } from "../../../support/runs.ts";

export const LEASE_MS = 30_000;
export const UNLIMITED = { global: 1_000_000, byState: {} };
export const HERE = { name: "here", slots: 100 };
export const THERE = { name: "there", slots: 100 };

type Store = Awaited<ReturnType<Place["open"]>>;

/** Two job stores on one database, with a clock that tests move. The embedded one can be opened once only. */
export class Bench {
  readonly clock: TestClock;
  readonly one: Store;
  readonly other: Store;
  readonly backend: Place["backend"];
  readonly #place: Place;
  #scopes = 0;

  private constructor(place: Place, clock: TestClock, [one, other]: readonly [Store, Store]) {
    this.#place = place;
    this.backend = place.backend;
    this.clock = clock;
    this.one = one;
    this.other = other;
  }

  static async open(place: Place): Promise<Bench> {
    const clock = new TestClock(Date.parse("2026-01-01T12:00:00Z"));
    const one = await place.open({ clock });
    const other = place.backend === "embedded" ? one : await place.open({ clock });
    return new Bench(place, clock, [one, other]);
  }

  /** A scope that no other test uses. */
  async scope(): Promise<string> {
    const scope = `scope ${++this.#scopes}`;
    await this.one.putScope(scope, { version: "v1", path: "/WORKFLOW.md", text: "Do it." });
    return scope;
  }

  /** Moves the clock, as if all processes had slept. Then the housekeeping happens once. */
  async pass(ms: number): Promise<void> {
    await this.clock.setTime(this.clock.now() + ms);
    await this.clock.tick(1);
    await this.one.keepHouse();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#place[Symbol.asyncDispose]();
  }
}

export function wanted(...issues: readonly Issue[]): Candidate[] {
  return issues.map((issue) => ({ issue }));
}

/** The only element. */
export function only<T>(list: readonly T[]): T {
  const [first, ...others] = list;
  if (first === undefined || others.length > 0) throw new Error(`${list.length} elements instead of one`);
  return first;
}

/** Admits an issue and starts its run. */
export async function started(store: JobStore, scope: string, issue: Issue, host = HERE): Promise<Grant> {
  await store.admit(scope, wanted(issue), UNLIMITED);
  return only(await store.pull(scope, host, 1, LEASE_MS));
}

export function retry(delayMs = 0): () => Transition {
  return () => ({
    to: "retrying",
    attempt: 1,
    retryKind: "continuation",
    delayMs,
    error: null,
    failures: 0,
    sessions: 1,
  });
}

/** Ends a run. The issue runs again after the delay. */
export async function settled(
  store: JobStore,
  grant: Grant,
  next: () => Transition = retry(),
): Promise<string> {
  return await store.settle(
    grant,
    COMPLETED,
    totals({ workspacePath: "/work/it", threadId: "thread" }),
    next,
  );
}

export async function nextDue(store: JobStore, scope: string): Promise<DueClaim> {
  return only(await store.due(scope, 10));
}

export async function claimState(
  store: JobStore,
  scope: string,
  issueId: string,
): Promise<string | undefined> {
  return (await store.issue(scope, issueId)).claim?.state;
}
