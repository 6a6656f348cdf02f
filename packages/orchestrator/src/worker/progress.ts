import type { NewFleetEvent } from "../domain/events.ts";
import type { Clean } from "../observe/clean.ts";
import type { Grant, JobStore, RunReport } from "../jobs/port.ts";
import type { Clock } from "../time/clock.ts";

/** An agent can emit thousands of events in a second. The job store gets the newest state this often. */
const EVERY_MS = 500;

/** Collects the progress of a run, and stores it from time to time. Never throws, and nothing waits for it. */
export class Progress {
  readonly #store: Pick<JobStore, "report">;
  readonly #grant: Grant;
  readonly #clock: Clock;
  readonly #clean: Clean;
  #waiting: RunReport = {};
  #cancel: (() => void) | undefined;
  #isEnded = false;
  #sessionId: string | null = null;

  constructor(
    grant: Grant,
    { store, clock, clean }: { store: Pick<JobStore, "report">; clock: Clock; clean: Clean },
  ) {
    this.#grant = grant;
    this.#store = store;
    this.#clock = clock;
    this.#clean = clean;
  }

  get sessionId(): string | null {
    return this.#sessionId;
  }

  session(threadId: string, turnId: string | null, turnCount: number): void {
    this.#sessionId = turnId === null ? null : `${threadId}-${turnId}`;
    this.report({ threadId, turnId, turnCount, sessionId: this.#sessionId });
  }

  heard(event: string, message: string | null): void {
    this.report({
      lastEvent: event,
      lastMessage: message === null ? null : this.#clean(message),
      lastEventAt: this.#clock.date().toISOString(),
    });
  }

  report(report: RunReport): void {
    if (this.#isEnded) return;
    this.#waiting = { ...this.#waiting, ...report };
    this.#cancel ??= this.#clock.after(EVERY_MS, () => void this.#send());
  }

  /** The context of an event of this run. */
  about(event: NewFleetEvent): NewFleetEvent {
    const { claim, runId } = this.#grant;
    return {
      issueId: claim.issueId,
      identifier: claim.issue.identifier,
      runId,
      sessionId: this.#sessionId,
      ...event,
    };
  }

  /** Nothing is stored after this: the result of the run has the last values. */
  end(): void {
    this.#isEnded = true;
    this.#cancel?.();
  }

  async #send(): Promise<void> {
    const report = this.#waiting;
    this.#waiting = {};
    this.#cancel = undefined;
    try {
      await this.#store.report(this.#grant, report);
    } catch {
      // The database is away. The next report has newer values of what changes often, and these of the rest.
      this.#waiting = { ...report, ...this.#waiting };
    }
  }
}
