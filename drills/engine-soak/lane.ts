import { rm } from "node:fs/promises";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CodexClient } from "codexwright";
import { realAppServer, type RealAppServer } from "@codexwright/testing";
import { isGuard, killAll, processesOf, serversOf } from "../../packages/test-support/src/world.ts";
import { processes } from "../lib/machine.ts";
import { fill, mountSmall } from "../lib/mounts.ts";
import type { Random } from "../lib/random.ts";
import { RunLog, type Ledger } from "./ledger.ts";
import { COMPACT_AT } from "./model.ts";
import { Worker } from "./worker.ts";

const COMMAND = path.resolve(import.meta.dirname, "../../../packages/cli/dist/codexwright.js");
const MCP_PROGRAM = path.resolve(import.meta.dirname, "../programs/soak-mcp.js");

/** The name of the fault that ends the engine. */
export const KILL = "kill -9 of the engine";
/** The size of the disk that fills up, in MiB. */
const DISK = 64;
/** How many threads work at the same time. */
const WORKERS = 2;
/** Processes that still exist after this time count as left behind. */
const PATIENCE_MS = 10_000;

export interface LaneOptions {
  readonly model: { readonly baseUrl: string };
  readonly ledger: Ledger;
  readonly random: Random;
  /** Pauses between two faults, and between two kills of the engine. Without `lives`, the engine is never killed. */
  readonly pauses: Pauses;
  readonly kills: boolean;
  readonly over: () => boolean;
}

export interface Pauses {
  readonly faults: readonly [number, number];
  readonly lives: readonly [number, number];
}

/** One engine in a world of its own, whose threads work while faults come. */
export class Lane implements AsyncDisposable {
  readonly world: RealAppServer;
  readonly logs: Readonly<Record<string, RunLog>>;
  readonly #options: LaneOptions;
  readonly #disk: Disposable | undefined;
  readonly #workers: readonly Worker[];
  /** How many workers need space on the disk now. */
  #calm = 0;
  #filling: Promise<void> = Promise.resolve();

  private constructor(options: LaneOptions, world: RealAppServer, disk: Disposable | undefined) {
    this.#options = options;
    this.world = world;
    this.#disk = disk;
    const log = (name: string): RunLog => new RunLog(path.join(world.workspace, name));
    this.logs = { commandExecution: log("ran.log"), mcpToolCall: log("mcp.log") };
    const undisturbed = (job: () => Promise<void>): Promise<void> => this.#undisturbed(job);
    const shared = { ...options, logs: this.logs, undisturbed };
    this.#workers = Array.from({ length: WORKERS }, () => new Worker(shared));
  }

  static async open(options: LaneOptions): Promise<Lane> {
    const world = await realAppServer({
      model: options.model,
      codexPath: COMMAND,
      approvalPolicy: "never",
      sandbox: "workspace-write",
      config: SETTINGS,
    });
    try {
      const config = path.join(world.codexHome, "config.toml");
      const text = readFileSync(config, "utf8").replace("LEDGER_FILE", path.join(world.workspace, "mcp.log"));
      const disk = process.getuid?.() === 0 ? mountSmall(world.codexHome, DISK) : undefined;
      writeFileSync(config, text);
      return new Lane(options, world, disk);
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** The process of the engine, if it runs. */
  get pid(): number | undefined {
    return serversOf(this.world.root)[0];
  }

  /** Runs turns and faults until the time is up. Then a last engine checks every thread. */
  async run(): Promise<void> {
    const { over, kills, ledger } = this.#options;
    const disturbing = this.#disturb();
    while (!over()) await this.#life(kills);
    await disturbing;
    const codex = await this.#connect();
    try {
      for (const worker of this.#workers) await worker.finish(codex);
    } finally {
      await this.#end(codex);
    }
    ledger.closed(this.logs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    killAll(processesOf(this.world.root));
    this.#disk?.[Symbol.dispose]();
    await this.world.close();
  }

  async #connect(): Promise<CodexClient> {
    return await CodexClient.connect(this.world.clientOptions);
  }

  /** One process of the engine, until it is killed or the time is up. */
  async #life(isKilled: boolean): Promise<void> {
    const { over, random, pauses, ledger } = this.#options;
    const codex = await this.#connect();
    const until = isKilled ? performance.now() + between(random, pauses.lives) : Infinity;
    const work = Promise.all(this.#workers.map((worker) => worker.live(codex)));
    // The work ends with the connection. Its failure is reported below.
    const done = work.then(
      () => true,
      () => true,
    );
    let isDone = false;
    while (!isDone && !over() && performance.now() < until)
      isDone = await Promise.race([done, delay(10, false)]);
    if (isKilled && !isDone && !over()) {
      ledger.fault(KILL);
      killAll(processesOf(this.world.root).filter((pid) => pid === this.pid && !isGuard(pid)));
    }
    await work;
    if (this.pid !== undefined) await this.#gone("after the threads were deleted", this.pid);
    await this.#end(codex);
    await rm(path.join(this.world.workspace, "patches"), { recursive: true, force: true });
  }

  /** Disconnects. No process of the engine may remain. */
  async #end(codex: CodexClient): Promise<void> {
    await codex.disconnect();
    await this.#gone("after the engine has ended");
  }

  /** Waits until no process is left, apart from a running engine and its guard. */
  async #gone(when: string, engine?: number): Promise<void> {
    const left = (): ReturnType<typeof processes> =>
      this.#processes().filter(({ pid }) => engine === undefined || (pid !== engine && !isGuard(pid)));
    const until = performance.now() + PATIENCE_MS;
    while (left().length > 0 && performance.now() < until) await delay(20);
    for (const { words } of left())
      this.#options.ledger.wrong.push(`left ${when}: ${words.join(" ").slice(0, 200)}`);
  }

  #processes(): ReturnType<typeof processes> {
    return processes().filter(({ environment }) => environment.includes(this.world.root));
  }

  /** Faults of the disk and of processes. */
  async #disturb(): Promise<void> {
    const { over, random, pauses, ledger } = this.#options;
    while (!over()) {
      const until = performance.now() + between(random, pauses.faults);
      while (!over() && performance.now() < until) await delay(20);
      if (over()) return;
      const fault = random.pick(["a command", "a command", "an MCP server", "the disk"] as const);
      if (fault === "the disk") await (this.#filling = this.#fillDisk());
      else {
        const victims = this.#processes().filter(({ words, pid }) => {
          const isMcp = words.includes(MCP_PROGRAM);
          return fault === "an MCP server" ? isMcp : !isMcp && pid !== this.pid && !isGuard(pid);
        });
        if (victims.length === 0) continue;
        ledger.fault(`kill -9 of ${fault}`);
        killAll([random.pick(victims).pid]);
      }
    }
  }

  async #undisturbed(job: () => Promise<void>): Promise<void> {
    this.#calm++;
    try {
      await this.#filling;
      await job();
    } finally {
      this.#calm--;
    }
  }

  async #fillDisk(): Promise<void> {
    if (!this.#disk || this.#calm > 0) return;
    const { ledger, random } = this.#options;
    const filler = path.join(this.world.codexHome, "filler");
    ledger.fault("a full disk");
    try {
      fill(filler);
      await delay(100 + random.below(1_500));
    } finally {
      await rm(filler, { force: true });
    }
  }
}

function between(random: Random, [least, most]: readonly [number, number]): number {
  return least + random.below(most - least);
}

const SETTINGS = `model_auto_compact_token_limit = ${COMPACT_AT}
[model_providers.mock]
request_max_retries = 2
stream_max_retries = 2
stream_idle_timeout_ms = 1500
[mcp_servers.drill]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([MCP_PROGRAM])}
env = { LEDGER = "LEDGER_FILE" }
tool_timeout_sec = 1
`;
