import { spawn, type ChildProcess } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { fleetNode } from "../../scripts/suite.ts";
import { killAll, processesOf } from "../../packages/test-support/src/world.ts";
import { Ledger } from "./ledger.ts";
import { WORK } from "./work.ts";

const PROGRAMS = path.resolve(import.meta.dirname, "../programs");

/** A process with a fleet. */
export interface FleetProcess {
  readonly child: ChildProcess;
  /** Settles when the fleet has opened, or when the process has ended. */
  readonly ready: Promise<unknown>;
  readonly exited: Promise<unknown>;
}

export interface WorldOptions {
  readonly issues: number;
  readonly slots: number;
  /** How long an agent works on an issue, in seconds. */
  readonly workSeconds: number;
  readonly settings?: string;
}

/** A folder with WORKFLOW.md, issues, workspaces, a state folder, and the ledger of the agents. */
export class FleetDrillWorld implements AsyncDisposable {
  readonly folder: string;
  readonly ledger: Ledger;
  readonly #node: string;
  readonly #started: FleetProcess[] = [];

  private constructor(folder: string, node: string) {
    this.folder = folder;
    this.#node = node;
    this.ledger = new Ledger(path.join(folder, "ledger"));
  }

  static async open(options: WorldOptions): Promise<FleetDrillWorld> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), "fleet-")));
    const world = new FleetDrillWorld(folder, await fleetNode());
    await mkdir(path.join(folder, "issues"));
    await writeFile(path.join(folder, "work.sh"), WORK);
    await writeFile(world.workflow, world.#workflow(options));
    for (let n = 1; n <= options.issues; n++) await world.put(`AB-${n}`, "todo");
    return world;
  }

  get workflow(): string {
    return path.join(this.folder, "WORKFLOW.md");
  }

  get workspaces(): string {
    return path.join(this.folder, "workspaces");
  }

  /** The log of all fleets. */
  get log(): string {
    return path.join(this.folder, "log");
  }

  start(data = "state"): FleetProcess {
    const program = path.join(PROGRAMS, "fleet.js");
    const child = spawn(this.#node, [program, this.workflow, path.join(this.folder, data)], {
      env: {
        ...process.env,
        // Agents and hooks are started by login shells. A profile of the user could take a lock, and be killed then.
        HOME: this.folder,
        CODEX_HOME: path.join(this.folder, "codex-home"),
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const log = createWriteStream(this.log, { flags: "a" });
    child.stderr.pipe(log);
    const exited = once(child, "close");
    const started = { child, exited, ready: Promise.race([once(child.stdout, "data"), exited]) };
    child.stdout.resume();
    this.#started.push(started);
    return started;
  }

  async put(identifier: string, state: string): Promise<void> {
    const file = path.join(this.folder, "issues", `${identifier}.md`);
    await writeFile(file, `---\ntitle: ${identifier}\nstate: ${state}\n---\nWork.\n`);
  }

  /** The states of all issues, as their files have them. */
  async states(): Promise<ReadonlyMap<string, string>> {
    const names = await readdir(path.join(this.folder, "issues"));
    const files = names.filter((name) => !name.startsWith("."));
    const all = files.map(async (name) => {
      const text = await readFile(path.join(this.folder, "issues", name), "utf8");
      return [name.replace(/\.md$/, ""), /^state: (.*)$/m.exec(text)?.[1] ?? ""] as const;
    });
    return new Map(await Promise.all(all));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child, exited } of this.#started) {
      child.kill("SIGKILL");
      await exited;
    }
    killAll(processesOf(this.folder).filter((pid) => pid !== process.pid));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #workflow({ slots, workSeconds, settings = "" }: WorldOptions): string {
    const { folder } = this;
    const agent = path.join(PROGRAMS, "fleet-agent.js");
    const work = `sh ${folder}/work.sh ${this.ledger.file} ${workSeconds / 8}`;
    return `---
tracker:
  kind: folder
  terminal_states: [closed]
polling:
  interval_ms: 1000
workspace:
  root: ${folder}/workspaces
agent:
  max_concurrent_agents: ${slots}
  max_retry_backoff_ms: 1000
codex:
  command: exec '${process.execPath}' '${agent}' '${this.ledger.file}' '${work}'
  thread_sandbox: danger-full-access
  read_timeout_ms: 30000
hooks:
  after_create: |
    git init --quiet && git config user.name drill && git config user.email drill@localhost
    git commit --quiet --allow-empty --message begin
  before_run: |
    find .git -name '*.lock' -delete
    git reset --quiet --hard && git clean --quiet -fd
${settings}---
Work on {{ issue.identifier }}.
`;
  }
}
