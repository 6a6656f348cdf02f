import { Loop } from "../time/index.ts";
import { messageOf, type TickOptions, type TickReport } from "./options.ts";
import { dueRetries } from "./retries.ts";
import { NOTHING, tick } from "./tick.ts";

const RETRIES_MS = 1_000;

/** Ticks a scope: at once, then at every interval, and when asked. Retries that are due are looked at each second. */
export class Ticker implements AsyncDisposable {
  readonly #options: TickOptions;
  readonly #ticks: Loop;
  readonly #retries: Loop;
  readonly #closing = new AbortController();
  #isDraining = false;
  #isFirst = true;
  #lastReason: string | null = null;
  #lastRetries: Promise<unknown> = Promise.resolve();

  constructor(options: TickOptions) {
    this.#options = options;
    const { clock, current } = options;
    this.#ticks = new Loop({
      clock,
      everyMs: () => current().settings.polling.intervalMs,
      work: async () => await this.#tick(),
      failed: (error) => this.#tell({ ...NOTHING, outcome: "failed", reason: messageOf(error) }),
    });
    this.#retries = new Loop({
      clock,
      everyMs: () => RETRIES_MS,
      work: async () => await this.#dueRetries(),
      // The database is away. The next tick reports that.
      failed: () => {},
    });
  }

  start(): void {
    this.#ticks.now();
    this.#retries.now();
  }

  /** Asks for a tick now. Requests that arrive before it begins share it. */
  refresh(): { readonly coalesced: boolean } {
    return this.#ticks.now();
  }

  /** Looks at the retries that are due now. */
  retry(): void {
    this.#retries.now();
  }

  /** The settings have changed, perhaps the interval, too. */
  reloaded(): void {
    this.#ticks.rescheduled();
    this.#ticks.now();
  }

  /** Dispatches nothing any more. Runs are still compared with the tracker. */
  drain(): void {
    this.#isDraining = true;
  }

  async close(): Promise<void> {
    this.#isDraining = true;
    this.#closing.abort();
    await Promise.all([this.#ticks.close(), this.#retries.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #tick(): Promise<void> {
    const { clock, telemetry, ticked, store, scope } = this.#options;
    if (this.#isFirst) {
      this.#isFirst = false;
      await this.#cleanUp();
    }
    const since = clock.monotonic();
    // Retries come before new issues. Otherwise the runs that a dead process has left would wait for slots.
    await this.#dueRetries();
    const report = await telemetry.span("tick", {}, async (span) => {
      const made = await tick(this.#options, {
        isDraining: () => this.#isDraining,
        closing: this.#closing.signal,
      });
      span.setAttributes({ outcome: made.outcome, candidates: made.candidates, admitted: made.admitted });
      return made;
    });
    telemetry.ticked((clock.monotonic() - since) / 1_000, report.outcome);
    this.#tell(report);
    telemetry.saw(await store.read(scope));
    ticked(report);
  }

  /** One pass at a time, so that a tick does not give away the slots of retries that are being looked at. */
  async #dueRetries(): Promise<void> {
    const last = this.#lastRetries;
    const pass = (async () => {
      await last;
      if (!this.#isDraining) await dueRetries(this.#options, this.#closing.signal);
    })();
    this.#lastRetries = pass.catch(() => {});
    await pass;
  }

  /** Removes the workspaces of issues that are done. If the tracker does not answer, the fleet starts without it. */
  async #cleanUp(): Promise<void> {
    const { current, journal, removeWorkspaces } = this.#options;
    const { settings, tracker } = current();
    try {
      const done = await tracker.byStates(settings.tracker.terminalStates, this.#closing.signal);
      await removeWorkspaces(done);
    } catch (error) {
      const reason = messageOf(error);
      journal.record({
        event: "warning",
        message: `the workspaces of finished issues were not removed: ${reason}`,
        data: { outcome: "failed", reason },
      });
    }
  }

  /** Each tick is a line of the log. Ticks that changed something, or failed for a new reason, are events, too. */
  #tell({ outcome, reason, candidates, admitted, stopped, released }: TickReport): void {
    const { journal } = this.#options;
    const event = {
      event: outcome === "failed" ? ("tick.failed" as const) : ("tick.done" as const),
      message: reason ?? `${candidates} candidates, ${admitted} admitted`,
      data: { outcome, reason, candidates, admitted, stopped, released },
    };
    const isNews = reason !== this.#lastReason || admitted + stopped + released > 0;
    this.#lastReason = reason;
    if (isNews) journal.record(event);
    else journal.note(event);
  }
}
