import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { ResourceExhaustedError } from "../rpc/resource-exhausted.ts";
import { absoluteEntries } from "../system/find-program.ts";
import { startProcess } from "../system/start-process.ts";
import { GUARD_SCRIPT } from "./guard-script.ts";
import { endOfLease, watchLease, type ServerLease } from "./lease.ts";

/**
 * The environment variable that identifies the guard. It is set for the server, and the processes that the server
 * starts inherit it.
 */
const MARK = "CODEXWRIGHT_GUARD";

/** After its owner has died, a server has two seconds to end by itself: this many checks, 20 ms apart. */
const GRACE_LOOKS = 100;
/**
 * A sweep, which ends the remaining processes, takes milliseconds. If something delays it, we stop waiting after this
 * time.
 */
const SWEEP_MS = 5_000;
/** How often a guard is replaced if it is killed during its sweep. */
const SWEEPS = 3;
/** The delay before we try again if the system cannot start another guard. */
const RETRY_MS = 100;
/** Renewals of a lease reach the guard at most this often, because it starts a process for each. */
const RENEWAL_MS = 50;

/** Options of a guard. */
export interface GuardOptions {
  /** The number of checks whether the server has ended by itself. Default: enough for two seconds. */
  readonly looks?: number;
  /** A folder to remove at the end. */
  readonly folder?: string;
  /** The guard ends the server when this lease is over. */
  readonly lease?: ServerLease | undefined;
}

/**
 * A small process that ends all processes that a server leaves behind. It does so when the server dies, when we close
 * the server, and when our own process is killed (docs/decisions/0012-a-guard-beside-each-server.md). If the guard is
 * killed, it is replaced.
 */
export class Guard {
  /** Variables to add to the environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  readonly #args: readonly string[];
  readonly #lease: ServerLease | undefined;
  #unwatch: () => void = () => {};
  /** The end of the lease that the guard process knows. */
  #toldEnd: number | undefined;
  #nextRenewal: ReturnType<typeof setTimeout> | undefined;
  /** Pid and start time of the server. */
  #server: readonly [string, string] | undefined;
  #watcher: ChildProcess | undefined;
  /** Settles when the next guard process has started. */
  #starting: Promise<void> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isEnding = false;
  /** Whether a shell can run the script. */
  #isPossible = false;

  constructor({ looks = GRACE_LOOKS, folder = "", lease }: GuardOptions = {}) {
    const name = crypto.randomUUID();
    this.env = { [MARK]: name };
    this.#args = ["-c", GUARD_SCRIPT, "codexwright-guard", `${MARK}=${name}`, `${looks}`, folder];
    this.#lease = lease;
  }

  /** Whether a guard process runs, or is being replaced. */
  get isPossible(): boolean {
    return this.#isPossible;
  }

  /**
   * Starts the guard. Call this before you start the server. Rejects with `resource_exhausted` if a system limit is
   * reached. If there is no shell, there is no guard, and everything else works.
   */
  start(): Promise<void> {
    this.#unwatch();
    if (this.#lease && !this.#isEnding) {
      this.#unwatch = watchLease(this.#lease, { renewed: () => this.#renewed() });
    }
    this.#starting = this.#start();
    return this.#starting;
  }

  /** Passes the pid of the server to the guard. Call this as soon as the server is started. */
  watch(pid: number | undefined): void {
    if (pid === undefined) return;
    this.#server = [`${pid}`, startTime(pid)];
    this.#tell();
  }

  /** Call this when the server has ended or was never started. Resolves when none of the server's processes is left. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#unwatch();
    clearTimeout(this.#retry);
    clearTimeout(this.#nextRenewal);
    await this.#starting?.catch(() => {});
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      if (!this.#isPossible) return;
      // The guard was killed together with the server or during its sweep.
      if (!this.#watcher) await this.start().catch(() => {});
      if (this.#watcher && (await this.#sweep(this.#watcher))) return;
    }
  }

  async #start(): Promise<void> {
    if (process.platform === "win32") return;
    let watcher: ChildProcess;
    try {
      // A replacement gets the pid as an argument, because our process may be killed before the replacement has read a
      // line.
      this.#toldEnd = this.#lease && endOfLease(this.#lease);
      const args = [...this.#args, `${this.#toldEnd ?? ""}`, ...(this.#server ?? [])];
      watcher = await startProcess("/bin/sh", args, {
        // In its own session, the guard does not receive signals to our group or a hang-up of our terminal.
        detached: true,
        cwd: "/",
        env: {
          ...process.env,
          // The script needs the system's grep and sleep, whatever our PATH is.
          PATH: ["/usr/bin", "/bin", absoluteEntries(process.env["PATH"])].filter(Boolean).join(":"),
          // This process may run inside another server, whose guard must not end our guard.
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
    // Neither the guard nor its stdin keeps our process alive.
    watcher.unref();
    (watcher.stdin as { unref?(): void } | null)?.unref?.();
    this.#watcher = watcher;
    this.#isPossible = true;
    this.#tell();
    // The lease may have been renewed while the process was started.
    this.#renewed();
  }

  /**
   * Waits for the sweep of the guard process. Resolves with false if that process was killed or could not start a
   * program.
   */
  async #sweep(watcher: ChildProcess): Promise<boolean> {
    watcher.ref();
    const swept = new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, SWEEP_MS, true);
      watcher.once("exit", (code) => {
        clearTimeout(timer);
        resolve(code === 0);
      });
    });
    // The guard process may have received SIGSTOP.
    watcher.kill("SIGCONT");
    watcher.stdin?.end();
    const isSwept = await swept;
    watcher.unref();
    return isSwept;
  }

  #tell(): void {
    if (this.#server) this.#watcher?.stdin?.write(`server ${this.#server.join(" ")}\n`);
  }

  /** Tells the guard process the end of the lease, now or soon. */
  #renewed(): void {
    if (!this.#lease || this.#nextRenewal || this.#isEnding) return;
    const end = endOfLease(this.#lease);
    if (end === this.#toldEnd) return;
    this.#toldEnd = end;
    this.#watcher?.stdin?.write(`lease ${end}\n`);
    this.#nextRenewal = setTimeout(() => {
      this.#nextRenewal = undefined;
      this.#renewed();
    }, RENEWAL_MS);
    this.#nextRenewal.unref();
  }

  #ended(watcher: ChildProcess, signal: string | null): void {
    if (watcher === this.#watcher) this.#watcher = undefined;
    if (this.#isEnding) return;
    // If the shell exits by itself, it cannot run the script, so a replacement would not help.
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

/** The start time of a process, in the units of the kernel. Empty if there is no `/proc`. */
function startTime(pid: number): string {
  try {
    // The program name, in parentheses, may contain any characters.
    return (
      readFileSync(`/proc/${pid}/stat`, "latin1")
        .replace(/^.*\) /s, "")
        .split(" ")[19] ?? ""
    );
  } catch {
    return "";
  }
}
