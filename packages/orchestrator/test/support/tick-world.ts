import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  FleetLog,
  Journal,
  memoryTracker,
  MemoryIssues,
  NO_TOKENS,
  openEmbedded,
  SYSTEM_CLOCK,
  Telemetry,
  Ticker,
  type Claim,
  type Grant,
  type Issue,
  type JobStore,
  type NewIssue,
  type Outcome,
  type RunTotals,
  type Settings,
  type TickOptions,
  type TickReport,
  type Tracker,
  type Verdict,
} from "@codexwright/orchestrator/internal";
import { settingsWith } from "../unit/policy/world.ts";

/** A job store in a folder of its own. */
export async function embeddedStore(): Promise<JobStore & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), "jobs-"));
  const store = await openEmbedded({ folder });
  const close = store.close.bind(store);
  return Object.assign(store, {
    async [Symbol.asyncDispose]() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

let scopes = 0;

/** A tick on a real job store, with a tracker in memory. */
export class TickWorld implements AsyncDisposable {
  readonly scope = `scope-${++scopes}`;
  readonly store: JobStore;
  readonly issues: MemoryIssues;
  readonly reports: TickReport[] = [];
  readonly removed: string[] = [];
  readonly lines: string[] = [];
  settings: Settings;
  verdicts: readonly Verdict[] = [];
  changed = 0;
  readonly #tracker: Tracker;
  #ticker: Ticker | undefined;

  private constructor(
    store: JobStore,
    { issues, tracker, settings }: { issues: MemoryIssues; tracker: Tracker; settings: Settings },
  ) {
    this.store = store;
    this.issues = issues;
    this.#tracker = tracker;
    this.settings = settings;
  }

  static async open(
    store: JobStore,
    list: readonly NewIssue[],
    agent: Partial<Settings["agent"]> = {},
  ): Promise<TickWorld> {
    const issues = new MemoryIssues(list);
    const settings = settingsWith({ agent });
    const { activeStates, terminalStates } = settings.tracker;
    const tracker = await memoryTracker(issues).open({
      provider: {},
      activeStates,
      terminalStates,
      folder: tmpdir(),
      warn: () => {},
    });
    const world = new TickWorld(store, { issues, tracker, settings });
    await store.putScope(world.scope, { version: "v1", path: "/WORKFLOW.md", text: "" });
    return world;
  }

  options(more: Partial<TickOptions> = {}): TickOptions {
    const clean = (text: string): string => text;
    const log = new FleetLog({ sinks: [(line) => void this.lines.push(line)], clean });
    return {
      scope: this.scope,
      host: "host-1",
      store: this.store,
      current: () => ({ settings: this.settings, tracker: this.#tracker }),
      preflight: () => Promise.resolve(this.verdicts),
      removeWorkspaces: (done: readonly Issue[]) => {
        this.removed.push(...done.map(({ identifier }) => identifier));
        return Promise.resolve();
      },
      clock: SYSTEM_CLOCK,
      journal: new Journal(this.store, this.scope, { log, clean }),
      telemetry: new Telemetry(this.scope),
      changed: () => {
        this.changed += 1;
      },
      ticked: (report) => void this.reports.push(report),
      ...more,
    };
  }

  ticker(more: Partial<TickOptions> = {}): Ticker {
    this.#ticker = new Ticker(this.options(more));
    return this.#ticker;
  }

  /** Ticks once, and returns the report. */
  async tick(): Promise<TickReport> {
    const ticker = this.#ticker ?? this.ticker();
    const before = this.reports.length;
    ticker.refresh();
    for (;;) {
      const report = this.reports[before];
      if (report !== undefined) return report;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async claims(): Promise<Readonly<Record<string, Claim["state"]>>> {
    const { claims } = await this.store.read(this.scope);
    return Object.fromEntries(claims.map(({ issueId, state }) => [issueId, state]));
  }

  async pull(free: number): Promise<readonly Grant[]> {
    return await this.store.pull(this.scope, { name: "host-1", slots: 9 }, free, 30_000);
  }

  /** Ends a run as if its worker did so, with a retry that is due now. */
  async retryNow(grant: Grant): Promise<void> {
    const outcome: Outcome = { kind: "failed", code: "turn_failed", message: "failed" };
    await this.store.settle(grant, outcome, totals(), () => ({
      to: "retrying",
      attempt: 1,
      retryKind: "failure",
      delayMs: 0,
      error: "failed",
      failures: 1,
      sessions: 0,
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ticker?.close();
    await this.#tracker.close();
  }
}

function totals(): RunTotals {
  const at = new Date().toISOString();
  return {
    startedAt: at,
    endedAt: at,
    tokens: NO_TOKENS,
    turns: 1,
    threadId: null,
    workspacePath: "/w/A",
    model: null,
    checkpoints: { before: null, after: null },
  };
}
