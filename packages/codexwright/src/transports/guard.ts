import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { ResourceExhaustedError } from "../rpc/resource-exhausted.ts";
import { absoluteEntries } from "../system/find-program.ts";
import { startProcess } from "../system/start-process.ts";
import { GUARD_SCRIPT } from "./guard-script.ts";

/** In the environment of a server and of all that it runs: the name of its guard. */
const MARK = "CODEXWRIGHT_GUARD";

/** A server whose stdin closed with its owner gets two seconds to end by itself: so many looks, 20 ms apart. */
const GRACE_LOOKS = 100;
/** A sweep takes milliseconds; one that a process of others holds up must not hold us up. */
const SWEEP_MS = 5_000;
/** A guard that was killed while it swept is replaced so often. */
const SWEEPS = 3;
/** When the system cannot start another guard, we try again after this time. */
const RETRY_MS = 100;

/** What a guard does when its owner and its server are gone. */
export interface GuardOptions {
  /** How often it looks whether the server has ended by itself; default: for two seconds. */
  readonly looks?: number;
  /** A folder that it removes. */
  readonly folder?: string;
}

/**
 * A small process that ends everything that a server leaves behind: when the server dies, when we close it, and when
 * we are killed (docs/decisions/0012-a-guard-beside-each-server.md). It is replaced when it is killed.
 */
export class Guard {
  /** To be laid over the environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  readonly #args: readonly string[];
  /** Pid and start time of the server. */
  #server: readonly [string, string] | undefined;
  #watcher: ChildProcess | undefined;
  /** The start of the next watcher. */
  #starting: Promise<void> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isEnding = false;
  /** Whether there is a shell that runs the script. */
  #isPossible = false;

  constructor({ looks = GRACE_LOOKS, folder = "" }: GuardOptions = {}) {
    const name = crypto.randomUUID();
    this.env = { [MARK]: name };
    this.#args = ["-c", GUARD_SCRIPT, "codexwright-guard", `${MARK}=${name}`, `${looks}`, folder];
  }

  /**
   * Starts the guard; call this before the server is started. Rejects with `resource_exhausted`. Without a shell there
   * is no guard, and everything else works.
   */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  /** Tells the guard which process the server is. Call this as soon as the server is started. */
  watch(pid: number | undefined): void {
    if (pid === undefined) return;
    this.#server = [`${pid}`, startTime(pid)];
    this.#tell();
  }

  /** The server has ended, or was never started: resolves when nothing of it is left. */
  async end(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#retry);
    await this.#starting?.catch(() => {});
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      if (!this.#isPossible) return;
      // A guard that was killed together with the server, or while it swept.
      if (!this.#watcher) await this.start().catch(() => {});
      if (this.#watcher && (await this.#sweep(this.#watcher))) return;
    }
  }

  async #start(): Promise<void> {
    if (process.platform === "win32") return;
    let watcher: ChildProcess;
    try {
      // A replacement gets the server as arguments: we may be killed before it has read a line.
      watcher = await startProcess("/bin/sh", [...this.#args, ...(this.#server ?? [])], {
        // A session of its own: a signal to our group or a hang-up of our terminal does not reach it.
        detached: true,
        cwd: "/",
        env: {
          ...process.env,
          // The script needs the system's grep and sleep, whatever PATH its owner has.
          PATH: ["/usr/bin", "/bin", absoluteEntries(process.env["PATH"])].filter(Boolean).join(":"),
          // Our own process may run inside a server of somebody else, whose guard must not end this one.
          [MARK]: undefined,
        },
        stdio: ["pipe", "ignore", "ignore"],
      });
    } catch (error) {
      if (error instanceof ResourceExhaustedError) throw error;
      return;
    }
    watcher.stdin?.on("error", () => {});
    watcher.once("exit", (_code, signal) => this.#ended(watcher, signal));
    // Neither keeps our process from ending.
    watcher.unref();
    (watcher.stdin as { unref?(): void } | null)?.unref?.();
    this.#watcher = watcher;
    this.#isPossible = true;
    this.#tell();
  }

  /** Lets the watcher sweep; resolves when it has, with false if it was killed before or could not start a program. */
  async #sweep(watcher: ChildProcess): Promise<boolean> {
    watcher.ref();
    const swept = new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, SWEEP_MS, true);
      watcher.once("exit", (code) => {
        clearTimeout(timer);
        resolve(code === 0);
      });
    });
    // It may have been stopped.
    watcher.kill("SIGCONT");
    watcher.stdin?.end();
    const isSwept = await swept;
    watcher.unref();
    return isSwept;
  }

  #tell(): void {
    if (this.#server) this.#watcher?.stdin?.write(`${this.#server.join(" ")}\n`);
  }

  #ended(watcher: ChildProcess, signal: string | null): void {
    if (watcher === this.#watcher) this.#watcher = undefined;
    if (this.#isEnding) return;
    // A shell that exits by itself cannot run the script, and another one could not either.
    if (signal === null) this.#isPossible = false;
    else this.#replace();
  }

  #replace(): void {
    this.start().catch(() => {
      if (this.#isEnding) return;
      this.#retry = setTimeout(() => this.#replace(), RETRY_MS);
      this.#retry.unref();
    });
  }
}

/** When a process was started, as the kernel counts; empty without `/proc`. */
function startTime(pid: number): string {
  try {
    // The name of the program, in parentheses, may hold anything.
    return (
      readFileSync(`/proc/${pid}/stat`, "latin1")
        .replace(/^.*\) /s, "")
        .split(" ")[19] ?? ""
    );
  } catch {
    return "";
  }
}
