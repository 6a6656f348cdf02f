import type { ServerLease } from "codexwright/stdio";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  FleetLog,
  Journal,
  NO_TOKENS,
  Telemetry,
  Worker,
  type Issue,
  type Outcome,
  type RunControl,
  type RunObserver,
  type RunStop,
  type RunTask,
  type Runner,
  type Settings,
  type Tracker,
  type Workflow,
  type WorkerOptions,
} from "@codexwright/orchestrator/internal";
import { settingsWith } from "../unit/policy/world.ts";
import { FakeJobs } from "./fake-jobs.ts";
import { anIssue } from "./snapshots.ts";
import { TestClock } from "./test-clock.ts";

/** A run as the fake runner sees it. The test ends it. */
export interface FakeRun {
  readonly task: RunTask;
  readonly control: RunControl;
  readonly observer: RunObserver;
  end(outcome: Outcome): void;
}

export interface FakeLease extends Pick<ServerLease, "remainingMs" | "renew"> {
  readonly madeWith: number;
  readonly renewals: number[];
}

export class WorkerWorld implements AsyncDisposable {
  readonly jobs = new FakeJobs();
  readonly clock = new TestClock();
  readonly runs: FakeRun[] = [];
  readonly leases: FakeLease[] = [];
  readonly lines: string[] = [];
  readonly cleaned: string[] = [];
  readonly folder: string;
  /** The answer of the tracker. */
  issue: (id: string) => Issue | null = (id) => anIssue(id);
  settings: Settings = settingsWith({});
  freed = 0;
  /** If false, a run goes on after it was stopped, like a runner that hangs. */
  obeys = true;
  most = 0;
  #running = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<WorkerWorld> {
    return new WorkerWorld(await mkdtemp(path.join(tmpdir(), "worker-")));
  }

  worker(options: Partial<WorkerOptions> = {}): Worker {
    const clean = (text: string): string => text.replaceAll("SECRET", "…");
    const log = new FleetLog({ sinks: [(line) => void this.lines.push(line)], clean });
    const { store } = this.jobs;
    return new Worker({
      scope: "scope",
      host: () => ({ name: "host-1", slots: 2 }),
      store,
      runner: this.#runner(),
      parts: async () => this.#parts(),
      settings: () => this.settings,
      removeTemporary: async () => {},
      clean: async ({ identifier }) => {
        if (identifier === "BAD") throw new Error("cannot remove");
        this.cleaned.push(identifier);
      },
      folder: this.folder,
      newServerLease: (ms) => {
        const lease: FakeLease = {
          madeWith: ms,
          renewals: [],
          remainingMs: ms,
          renew: (next) => void lease.renewals.push(next),
        };
        this.leases.push(lease);
        return lease as unknown as ServerLease;
      },
      clock: this.clock,
      journal: new Journal(store, "scope", { log, clean }),
      telemetry: new Telemetry("scope"),
      redact: clean,
      freed: () => {
        this.freed += 1;
      },
      ...options,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  #parts(): Awaited<ReturnType<WorkerOptions["parts"]>> {
    const tracker: Partial<Tracker> = {
      byIds: async (ids) =>
        new Map(
          [...ids].flatMap((id) => {
            const issue = this.issue(id);
            return issue === null ? [] : [[id, issue] as const];
          }),
        ),
    };
    return {
      workflow: { version: "v1", settings: this.settings } as Workflow,
      tracker: tracker as Tracker,
      stateFolder: this.folder,
      secretEnv: [],
    };
  }

  #runner(): Runner {
    return async (task, control, observer) => {
      this.#running += 1;
      this.most = Math.max(this.most, this.#running);
      const outcome = await new Promise<Outcome>((resolve) => {
        this.runs.push({ task, control, observer, end: resolve });
        const stop = (): void => {
          const { why, by, reason } = control.signal.reason as RunStop;
          if (!this.obeys) return;
          resolve(
            why === "stalled"
              ? { kind: "failed", code: "stalled", message: reason ?? "" }
              : { kind: "stopped", why, by, reason },
          );
        };
        if (control.signal.aborted) stop();
        else control.signal.addEventListener("abort", stop);
      });
      this.#running -= 1;
      const at = this.clock.date().toISOString();
      return {
        outcome,
        totals: {
          startedAt: at,
          endedAt: at,
          tokens: NO_TOKENS,
          turns: 1,
          threadId: null,
          workspacePath: null,
          model: null,
          checkpoints: { before: null, after: null },
        },
      };
    };
  }
}
