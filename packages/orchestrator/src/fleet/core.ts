import { hostname } from "node:os";
import { AbortedError } from "codexwright/rpc";
import { offAbort, onAbort } from "codexwright/internal";
import type { FleetEvent } from "../domain/events.ts";
import type { IssueChanges, Snapshot } from "../domain/snapshot.ts";
import { findIssue } from "../http/find-issue.ts";
import type { ServedFleet } from "../http/port.ts";
import type { Host, JobStore, Scope } from "../jobs/port.ts";
import { explainIssue } from "../tick/explain.ts";
import type { TickOptions, TickReport } from "../tick/options.ts";
import { Ticker } from "../tick/ticker.ts";
import { Loop } from "../time/index.ts";
import { Worker } from "../worker/worker.ts";
import { openBase, type Base } from "./base.ts";
import { changesOf } from "./changes.ts";
import { Closers } from "./closers.ts";
import { readEvents, type Rest } from "./events.ts";
import { isIdle } from "./once.ts";
import { removeTemporary, stateOf } from "./issue-state.ts";
import type { FleetOptions } from "./options.ts";
import type { FleetParts } from "./parts.ts";
import { serve } from "./serve.ts";
import { cleanFinished, cleanWorkspace } from "./workspaces.ts";

/** With `once`, how often the fleet looks whether it is done. */
const DONE_MS = 500;
/** And how many ticks in a row must find nothing to do. */
const IDLE_TICKS = 2;
/** How many events readers can get after the end. */
const MOST_REST = 500;

/** The parts of a fleet, put together: job store, tick, worker, HTTP API. */
export class FleetCore {
  readonly scope: Scope;
  readonly stateFolder: string;
  readonly store: JobStore;
  readonly done: Promise<void>;
  /** The fleet as its readers and operators use it. */
  readonly served: ServedFleet;
  url: string | null = null;
  readonly #base: Base;
  readonly #parts: FleetParts;
  readonly #closers: Closers;
  readonly #tick: TickOptions;
  readonly #ticker: Ticker;
  readonly #worker: Worker;
  readonly #closing = new AbortController();
  /** Aborts when everything has happened that this fleet does. */
  readonly #over = new AbortController();
  #before = 0n;
  #rest: Rest | undefined;
  #waitsForSlot = false;
  #ticked: (report: TickReport) => void = () => {};
  #closed: Promise<void> | undefined;
  #ended: () => void = () => {};

  private constructor(base: Base, parts: FleetParts, closers: Closers) {
    this.scope = base.scope;
    this.stateFolder = base.stateFolder;
    this.store = base.store;
    this.#base = base;
    this.#parts = parts;
    this.#closers = closers;
    this.done = new Promise((resolve) => {
      this.#ended = resolve;
    });
    this.#tick = this.#tickOptions();
    this.#ticker = new Ticker(this.#tick);
    this.#worker = this.#newWorker();
    this.served = this.#served();
  }

  /** Starts a fleet. If that fails, nothing is left running. */
  static async open(options: FleetOptions, parts: FleetParts): Promise<FleetCore> {
    const closers = new Closers();
    const { signal } = options;
    let core: FleetCore | undefined;
    try {
      requireNotAborted(signal);
      const base = await openBase(options, { closers, changed: () => void core?.refresh() });
      requireNotAborted(signal);
      core = new FleetCore(base, parts, closers);
      await core.#start(options);
      requireNotAborted(signal);
      core.#follows(signal);
      return core;
    } catch (error) {
      core?.abandon();
      await closers.close().catch(() => {});
      // The failure follows from the abort, or does not matter any more.
      requireNotAborted(signal);
      throw error;
    }
  }

  /** Aborts when the fleet begins to end. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** The state; after the end, the last one. */
  async state(): Promise<Snapshot> {
    return this.#rest?.state ?? (await this.store.read(this.scope));
  }

  /** Events after this one, or since the start, until the signal aborts or the fleet has ended. */
  events(
    after: bigint | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<FleetEvent, void, undefined> {
    return readEvents(after ?? this.#before, {
      read: (last, reading) => this.store.events(this.scope, last, reading),
      pause: async (reading) => await this.#pause(reading),
      over: this.#over.signal,
      rest: () => this.#rest?.events ?? [],
      signal,
    });
  }

  /** Ends the waits of a fleet that could not start. */
  abandon(): void {
    this.#closing.abort();
  }

  /** Asks for a tick now. Requests that arrive before it begins share it. */
  refresh(): { readonly coalesced: boolean } {
    return this.#ticker.refresh();
  }

  /** Starts no more runs, lets turns end, and then ends the fleet. With `now`, interrupts the turns. */
  async drain({ by, now }: { readonly by: string; readonly now: boolean }): Promise<void> {
    const { journal } = this.#base;
    journal.record({ event: "order.given", message: `${by}: drain`, data: { kind: "drain", by, now } });
    this.#ticker.drain();
    await this.#worker.drain({ now });
    await this.close();
  }

  /** Interrupts the runs, stores their results, and ends. */
  async close(): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  /** Closes the fleet when the signal of its options aborts. */
  #follows(signal: AbortSignal | undefined): void {
    const close = (): void => void this.close().catch(() => {});
    onAbort(signal, close);
    void this.done.then(() => offAbort(signal, close));
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    try {
      await this.#closers.close();
    } finally {
      this.#ended();
    }
  }

  async #start({ port, serve: isServed = false, once = false }: FleetOptions): Promise<void> {
    const { journal } = this.#base;
    this.#before = (await this.store.lastEvents(this.scope, 1))[0]?.seq ?? 0n;
    this.#closers.add(async () => await this.#finish());
    const lost = await this.#worker.recover();
    if (lost > 0)
      journal.note({ event: "run.lost", message: `runs of a dead process that begin again: ${lost}` });
    this.#closers.add(async () => await this.#worker.close());
    this.#closers.add(async () => await this.#ticker.close());
    const { server } = this.#base.workflows.version.workflow.settings;
    const wanted = port ?? server.port ?? (isServed ? 0 : null);
    if (wanted !== null) {
      const { stateFolder } = this;
      const served = await serve(this.served, {
        stateFolder,
        host: server.host,
        port: wanted,
        learnSecrets: this.#base.learnSecrets,
      });
      this.url = served.url;
      this.#closers.add(async () => await served.close());
    }
    const after = (await this.store.lastEvents(this.scope, 1))[0]?.seq ?? 0n;
    const following = this.#follow(after);
    this.#closers.add(async () => await following);
    this.#worker.start();
    this.#ticker.start();
    if (once) this.#endWhenDone();
  }

  /** Keeps what readers have not seen yet. The database is closed next. */
  async #finish(): Promise<void> {
    await this.#base.journal.flush();
    try {
      const events = await this.store.lastEvents(this.scope, MOST_REST);
      this.#rest = { events, state: await this.store.read(this.scope) };
    } catch {
      // The database is away.
    }
    this.#over.abort();
  }

  /** Orders are rows. Without this, they would be seen at the next renewal or tick. */
  async #follow(after: bigint): Promise<void> {
    for await (const { event } of this.events(after, this.#closing.signal)) {
      if (event !== "order.given" && event !== "scope.resumed") continue;
      this.#worker.check();
      this.#ticker.retry();
      if (event === "scope.resumed") this.#ticker.refresh();
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener("abort", end);
        resolve();
      };
      const cancel = this.#parts.clock.after(DONE_MS, end);
      signal.addEventListener("abort", end);
    });
  }

  #endWhenDone(): void {
    // A tick that was under way when the last run ended may not have seen that. So two of them must find nothing.
    let idle: TickReport[] = [];
    this.#ticked = (report) => {
      idle = report.outcome === "done" && report.admitted === 0 ? [...idle, report] : [];
    };
    const loop = new Loop({
      clock: this.#parts.clock,
      everyMs: () => DONE_MS,
      failed: () => {},
      work: async () => {
        const snapshot = await this.store.read(this.scope);
        if (this.#worker.running > 0 || !isIdle(snapshot)) idle = [];
        else if (idle.length < IDLE_TICKS) this.#ticker.refresh();
        else {
          await this.#worker.cleanUp();
          void this.close();
        }
      },
    });
    this.#closers.add(async () => await loop.close());
    loop.now();
  }

  #freed(): void {
    // A slot is free. Without this, an issue that waits for one would wait for the next tick.
    if (this.#waitsForSlot) this.refresh();
  }

  #host(): Host {
    const { settings } = this.#base.workflows.version.workflow;
    // The name of a laptop changes with its network. The embedded database is only for this machine.
    const name = this.store.backend === "embedded" ? "local" : hostname();
    return { name, slots: settings.worker.slots };
  }

  #newWorker(): Worker {
    const { scope, store, versions, workflows, journal, telemetry, redact, stateFolder } = this.#base;
    const { clock, newRunner, newServerLease } = this.#parts;
    const runner = newRunner({
      clean: redact,
      hookOutput: ({ claim: { issue }, runId }, hook, output) =>
        journal.log.write("info", "hook.output", output, {
          issue_id: issue.id,
          issue_identifier: issue.identifier,
          run_id: runId,
          hook,
        }),
    });
    return new Worker({
      scope,
      host: () => this.#host(),
      store,
      runner,
      parts: async ({ workflowVersion, claim }) => {
        const { workflow, tracker, secretEnv } = await versions.stored(workflowVersion, store);
        return { workflow, tracker, secretEnv, stateFolder: stateOf(stateFolder, claim.issue.identifier) };
      },
      settings: () => workflows.version.workflow.settings,
      removeTemporary: async (identifier) => await removeTemporary(stateFolder, identifier),
      clean: async (cleanup) => await cleanWorkspace(cleanup, { versions, store, stateFolder }),
      folder: stateFolder,
      newServerLease,
      clock,
      journal,
      telemetry,
      redact,
      freed: () => this.#freed(),
    });
  }

  async #changes(name: string, runId: string | undefined, signal: AbortSignal): Promise<IssueChanges> {
    const found = await findIssue(this.served, name, signal);
    const record = await this.store.issue(this.scope, found.issueId);
    return await changesOf(found, record, { stateFolder: this.stateFolder, runId });
  }

  #tickOptions(): TickOptions {
    const { scope, store, workflows, journal, telemetry, stateFolder } = this.#base;
    return {
      scope,
      host: this.#host().name,
      store,
      current: () => ({ settings: workflows.version.workflow.settings, tracker: workflows.version.tracker }),
      preflight: async () => await workflows.check(),
      removeWorkspaces: async (done) =>
        await cleanFinished(done, { version: workflows.version, store, scope, journal, stateFolder }),
      clock: this.#parts.clock,
      journal,
      telemetry,
      changed: () => {
        this.#worker.poke();
        this.#worker.check();
      },
      ticked: (report) => {
        this.#waitsForSlot = report.waitsForSlot;
        this.#ticked(report);
      },
    };
  }

  #served(): ServedFleet {
    const { scope, store, workflows } = this.#base;
    return {
      scope,
      store,
      about: () => {
        const { workflow } = workflows.version;
        return {
          workflowPath: workflow.path,
          workflowError: workflows.problem,
          maxConcurrentAgents: workflow.settings.agent.maxConcurrentAgents,
          dayTokens: workflow.settings.budget.dayTokens,
        };
      },
      refresh: () => this.refresh(),
      explain: async (issue, signal) => await explainIssue(this.#tick, issue, signal),
      changes: async (issue, runId, signal) => await this.#changes(issue, runId, signal),
      drain: (options) => void this.drain(options),
    };
  }
}

function requireNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortedError("starting the fleet", "notSent", signal.reason);
}
