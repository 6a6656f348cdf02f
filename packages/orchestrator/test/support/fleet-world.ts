import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  FleetCore,
  MemoryIssues,
  memoryTracker,
  NO_TOKENS,
  openEmbedded,
  SYSTEM_PARTS,
  workspaceKey,
  type Claim,
  type FleetOptions,
  type FleetParts,
  type NewIssue,
  type Outcome,
  type RunControl,
  type RunObserver,
  type RunStop,
  type RunTask,
} from "@codexwright/orchestrator/internal";

/** A run as the fake runner sees it. The test ends it, or the worker stops it. */
export interface LiveRun {
  readonly task: RunTask;
  readonly control: RunControl;
  readonly observer: RunObserver;
  readonly workspace: string;
  end(outcome?: Outcome): void;
}

/** A new database takes seconds. It is made once, and copied. */
let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "fleet-template-"));
  const store = await openEmbedded({ folder });
  await store.close();
  return folder;
}

/** Removes the template. Call it after all tests of a file. */
export async function removeTemplate(): Promise<void> {
  const made = template;
  template = undefined;
  if (made !== undefined) await rm(await made, { recursive: true, force: true });
}

/** A folder with WORKFLOW.md, issues in memory, and a runner that the test controls. */
export class FleetWorld implements AsyncDisposable {
  readonly folder: string;
  readonly issues: MemoryIssues;
  readonly runs: LiveRun[] = [];
  readonly lines: string[] = [];
  readonly #fleets: FleetCore[] = [];

  private constructor(folder: string, issues: readonly NewIssue[]) {
    this.folder = folder;
    this.issues = new MemoryIssues(issues);
  }

  static async open(issues: readonly NewIssue[], settings = ""): Promise<FleetWorld> {
    const folder = await mkdtemp(path.join(tmpdir(), "fleet-"));
    template ??= makeTemplate();
    const from = await template;
    await mkdir(path.join(folder, "state"));
    await cp(path.join(from, "db"), path.join(folder, "state/db"), { recursive: true });
    const world = new FleetWorld(folder, issues);
    await world.write(settings);
    return world;
  }

  get workflow(): string {
    return path.join(this.folder, "WORKFLOW.md");
  }

  get data(): string {
    return path.join(this.folder, "state");
  }

  /** Writes WORKFLOW.md. */
  async write(settings: string, tracker = ""): Promise<void> {
    const front = `tracker:\n  kind: memory\n${tracker}workspace:\n  root: ${this.folder}/workspaces\n${settings}`;
    await writeFile(this.workflow, `---\n${front}---\nWork on {{ issue.identifier }}.\n`);
  }

  async start(options: FleetOptions = {}, parts: Partial<FleetParts> = {}): Promise<FleetCore> {
    const fleet = await FleetCore.open(
      {
        workflow: this.workflow,
        data: this.data,
        env: {},
        kinds: [memoryTracker(this.issues)],
        log: [(line) => void this.lines.push(line)],
        ...options,
      },
      {
        ...SYSTEM_PARTS,
        newRunner: () => async (task, control, observer) => await this.#run(task, control, observer),
        ...parts,
      },
    );
    this.#fleets.push(fleet);
    return fleet;
  }

  workspace(identifier: string): string {
    return path.join(this.folder, "workspaces", workspaceKey(identifier));
  }

  /** Resolves with the run of this number, from 0. */
  async run(index: number): Promise<LiveRun> {
    return await eventually(() => this.runs[index]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#fleets.map(async (fleet) => await fleet.close()));
    await rm(this.folder, { recursive: true, force: true });
  }

  async #run(
    task: RunTask,
    control: RunControl,
    observer: RunObserver,
  ): ReturnType<ReturnType<FleetParts["newRunner"]>> {
    const startedAt = new Date().toISOString();
    const { issue } = task.claim;
    const workspace = this.workspace(issue.identifier);
    await mkdir(workspace, { recursive: true });
    observer.workspace(workspace);
    const outcome = await new Promise<Outcome>((resolve) => {
      const end = (given?: Outcome): void =>
        resolve(given ?? { kind: "completed", issue: this.issues.get(issue.id) ?? null });
      const stop = (): void => {
        const { why, by, reason } = control.signal.reason as RunStop;
        if (why === "stalled") end({ kind: "failed", code: "stalled", message: reason ?? "" });
        else end({ kind: "stopped", why, by, reason });
      };
      control.signal.addEventListener("abort", stop);
      control.drain.addEventListener("abort", () => end());
      this.runs.push({ task, control, observer, workspace, end });
      if (control.signal.aborted) stop();
    });
    return {
      outcome,
      totals: {
        startedAt,
        endedAt: new Date().toISOString(),
        tokens: NO_TOKENS,
        turns: 1,
        threadId: null,
        workspacePath: workspace,
        model: null,
        checkpoints: { before: null, after: null },
      },
    };
  }
}

/** Waits until the value is there. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until the claim of an issue has this state. */
export async function claimIn(
  fleet: FleetCore,
  issueId: string,
  state: Claim["state"] | "none",
): Promise<Claim | null> {
  return (
    await eventually(async () => {
      const { claims } = await fleet.store.read(fleet.scope);
      const claim = claims.find((each) => each.issueId === issueId) ?? null;
      return (claim?.state ?? "none") === state ? { claim } : undefined;
    })
  ).claim;
}
