import path from "node:path";
import type { Grant, Renewal } from "../jobs/port.ts";
import { Loop, within } from "../time/index.ts";
import { DayTokens } from "./day-tokens.ts";
import type { WorkerOptions } from "./options.ts";
import { reap } from "./run-folders.ts";
import { Run } from "./run.ts";
import { messageOf, settle } from "./settle.ts";
import { Spool } from "./spool.ts";

const PULL_MS = 1_000;
const RENEW_MS = 5_000;
const CLEANUP_MS = 5_000;
const SPOOL_MS = 2_000;
const MOST_CLEANUPS = 5;
/** After this, a renewal is sent again. */
const RENEWAL_LIMIT_MS = 4_000;

/** The slots of a host: takes runs of the scope, keeps their leases, and settles their results. */
export class Worker implements AsyncDisposable {
  readonly #options: WorkerOptions;
  readonly #spool: Spool;
  readonly #runs: string;
  readonly #active = new Map<string, Run>();
  readonly #pulls: Loop;
  readonly #renewals: Loop;
  readonly #cleanups: Loop;
  readonly #results: Loop;
  readonly #day: DayTokens;
  readonly #failing = new Set<string>();
  #isDraining = false;
  #settleIdle: () => void = () => {};
  readonly #idle = new Promise<void>((resolve) => {
    this.#settleIdle = () => {
      if (this.#isDraining && this.#active.size === 0) resolve();
    };
  });

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#spool = new Spool(path.join(options.folder, "spool"));
    this.#runs = path.join(options.folder, "runs");
    this.#day = new DayTokens(options);
    options.telemetry.counts(() => this.#active.size);
    this.#results = this.#loop(
      "spool",
      () => SPOOL_MS,
      async () => await this.#settleSpooled(),
    );
    this.#pulls = this.#loop(
      "pull",
      () => PULL_MS,
      async () => await this.#pull(),
    );
    this.#renewals = this.#loop(
      "renewal",
      () => this.#renewMs(),
      async () => await this.#renew(),
    );
    this.#cleanups = this.#loop(
      "clean-up",
      () => CLEANUP_MS,
      async () => void (await this.#cleanUp()),
    );
  }

  get running(): number {
    return this.#active.size;
  }

  /**
   * Settles the results that an earlier process could not settle, and ends the agents that it left. With an embedded
   * database, gives its runs back. Returns their number.
   */
  async recover(): Promise<number> {
    const { store, scope } = this.#options;
    await this.#settleSpooled();
    await reap(this.#runs, this.#options.removeTemporary);
    return await store.requeueLost(scope);
  }

  start(): void {
    this.#renewals.now();
    this.#pulls.now();
    this.#cleanups.now();
    this.#results.now();
  }

  /** Takes runs at once, for example after an admission. */
  poke(): void {
    this.#pulls.now();
  }

  /** Asks at once whether there are orders for the runs. */
  check(): void {
    this.#renewals.now();
  }

  /** Removes the workspaces that wait for it. One that cannot be removed now is left for later. */
  async cleanUp(): Promise<void> {
    while ((await this.#cleanUp()) > 0);
  }

  /** Takes no more runs. Resolves when those that go on have ended. */
  async drain({ now }: { readonly now: boolean }): Promise<void> {
    this.#isDraining = true;
    this.#renewals.now();
    for (const run of this.#active.values()) run.drain(now);
    this.#settleIdle();
    await this.#idle;
  }

  /** Interrupts the runs, settles them, and ends. */
  async close(): Promise<void> {
    this.#isDraining = true;
    await this.#pulls.close();
    await this.drain({ now: true });
    await this.#renewals.close();
    await this.#cleanups.close();
    await this.#results.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #pull(): Promise<void> {
    const { scope, store, settings, clock } = this.#options;
    const host = this.#options.host();
    const free = host.slots - this.#active.size;
    if (this.#isDraining || free <= 0) return;
    const { leaseMs } = settings().database;
    const sentAt = clock.monotonic();
    const grants = await store.pull(scope, host, free, leaseMs);
    this.#works("pull");
    if (grants.length > 0) await this.#day.refresh().catch(() => {});
    for (const grant of grants) this.#begin(grant, sentAt);
  }

  #begin(grant: Grant, sentAt: number): void {
    const run = new Run(grant, sentAt, {
      options: this.#options,
      spool: this.#spool,
      runs: this.#runs,
      day: this.#day,
    });
    this.#active.set(grant.fence, run);
    void this.#forget(run);
    // Its lease can be shorter than those of the others.
    this.#renewals.rescheduled();
    // A drain may have begun while the pull was on its way.
    if (this.#isDraining) run.drain(true);
  }

  async #forget(run: Run): Promise<void> {
    await run.ended;
    this.#active.delete(run.grant.fence);
    this.#settleIdle();
    // Its slot is free.
    this.#pulls.now();
  }

  async #renew(): Promise<void> {
    const { store, host, clock } = this.#options;
    const runs = [...this.#active.values()];
    if (runs.length > 0) {
      const sentAt = clock.monotonic();
      const renewal = store.renew(runs.map(({ grant }) => grant));
      // A late answer counts, too.
      const renewed = renewal.then((answer) => applied(answer, runs, sentAt));
      const late = (): Error => new Error("the database did not answer in time");
      await within(renewed, RENEWAL_LIMIT_MS, clock, late);
    }
    if (runs.length > 0) await this.#day.refresh();
    await store.seen(host(), { running: this.#active.size, draining: this.#isDraining });
    this.#works("renewal");
  }

  /** Often enough that the fence comes only after several renewals have failed. */
  #renewMs(): number {
    if (this.#failing.has("renewal")) return PULL_MS;
    const leases = [...this.#active.values()].map(({ grant }) => grant.leaseMs / 6);
    return Math.min(RENEW_MS, ...leases);
  }

  async #settleSpooled(): Promise<void> {
    for (const spooled of await this.#spool.list()) {
      const settings = await this.#settingsOf(spooled.grant);
      await settle({ ...spooled, settings }, this.#options);
      await this.#spool.remove(spooled);
    }
    this.#works("spool");
  }

  async #settingsOf(grant: Grant): Promise<ReturnType<WorkerOptions["settings"]>> {
    try {
      return (await this.#options.parts(grant)).workflow.settings;
    } catch {
      return this.#options.settings();
    }
  }

  /** Returns the number of workspaces that it tried to remove. */
  async #cleanUp(): Promise<number> {
    const { store, scope, host, clean, journal } = this.#options;
    const waiting = await store.cleanups(scope, host().name, MOST_CLEANUPS);
    for (const cleanup of waiting) {
      const { identifier, workspacePath } = cleanup;
      try {
        await clean(cleanup);
        await store.cleaned(cleanup);
        journal.record({
          event: "workspace.removed",
          identifier,
          message: `the workspace of "${identifier}" was removed`,
          data: { outcome: "completed", path: workspacePath },
        });
      } catch (error) {
        // The job is given out again later.
        journal.record({
          event: "warning",
          identifier,
          message: `the workspace of "${identifier}" could not be removed: ${messageOf(error)}`,
          data: { outcome: "failed", reason: messageOf(error) },
        });
      }
    }
    this.#works("clean-up");
    return waiting.length;
  }

  #loop(name: string, everyMs: () => number, work: () => Promise<void>): Loop {
    const { clock } = this.#options;
    return new Loop({ clock, everyMs, work, failed: (error) => this.#fails(name, error) });
  }

  /** One line when a part begins to fail, and one when it works again. */
  #fails(name: string, error: unknown): void {
    if (this.#failing.has(name)) return;
    this.#failing.add(name);
    const data = { outcome: "failed", reason: messageOf(error) };
    this.#options.journal.note({ event: "warning", message: `the ${name} of the worker fails`, data });
  }

  #works(name: string): void {
    if (!this.#failing.delete(name)) return;
    const data = { outcome: "completed" };
    this.#options.journal.note(
      { event: "warning", message: `the ${name} of the worker works again`, data },
      "info",
    );
  }
}

function applied({ held, orders }: Renewal, runs: readonly Run[], sentAt: number): void {
  for (const run of runs) {
    const order = orders.get(run.grant);
    if (!held.has(run.grant)) run.fence("the job store took the run back");
    else run.renewed(sentAt);
    if (order !== undefined) run.obey(order);
  }
}
