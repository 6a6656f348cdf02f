import { readFileSync } from "node:fs";
import { CodexError, type Delivery } from "../rpc/errors.ts";
import { LONGEST_MS } from "../rpc/limits.ts";
import * as is from "../rpc/options/check.ts";

/** How often the end of a lease is checked, because timers do not count the time in which the machine sleeps. */
const SLICE_MS = 1_000;

const DURATION: is.Check<number> = {
  expects: `> 0 and ≤ ${LONGEST_MS} milliseconds`,
  fits: (value) => typeof value === "number" && value > 0 && value <= LONGEST_MS,
  quotes: true,
};

/** The lease of a server is over. The processes of the server were killed, or the server was not started. */
export class LeaseEndedError extends CodexError {
  readonly code = "lease_ended";

  constructor(what: string, delivery: Delivery) {
    super(`the lease of the app-server is over: ${what}`, { delivery });
  }
}

/** Listens to a lease. */
export interface LeaseWatcher {
  readonly renewed?: () => void;
  readonly ended?: () => void;
}

/** Calls the watcher until the returned function is called. If the lease is over already, `ended` is called soon. */
export let watchLease: (lease: ServerLease, watcher: LeaseWatcher) => () => void;

/** Returns the end of a lease in hundredths of a second of the clock that the guard reads too. */
export let endOfLease: (lease: ServerLease) => number;

/**
 * The time that a server may run. It starts when the lease is created. When it is over, the server and all processes in
 * its group are killed, even if this process is stopped (SIGSTOP) or dead: the guard process beside the server keeps
 * the time. Renew the lease while the server should go on. A lease that is over stays over.
 *
 * On Linux, time in which the machine sleeps counts. On other systems the wall clock decides, so a change of the clock
 * moves the end, and the guard may be up to one second late.
 */
export class ServerLease {
  static {
    watchLease = (lease, watcher) => lease.#watch(watcher);
    endOfLease = (lease) => lease.#end;
  }

  readonly #watchers = new Set<LeaseWatcher>();
  /** In hundredths of a second. Whole, so that owner and guard see the end in the same moment. */
  #end: number;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ms the time until the lease ends */
  constructor(ms: number) {
    is.checkArgument("new ServerLease()", "ms", ms, DURATION);
    this.#end = now() + Math.ceil(ms / 10);
  }

  /** The time until the lease ends; 0 if it is over. */
  get remainingMs(): number {
    const rest = this.#isOver ? 0 : Math.max(0, this.#end - now());
    // The clock of other systems can be set back, which must not bring the lease back.
    this.#isOver = rest === 0;
    return rest * 10;
  }

  /** Lets the lease end in `ms` milliseconds from now, earlier or later than before. Does nothing if it is over. */
  renew(ms: number): void {
    is.checkArgument("renew()", "ms", ms, DURATION);
    if (this.remainingMs === 0) return;
    this.#end = now() + Math.ceil(ms / 10);
    this.#arm();
    for (const watcher of this.#watchers) watcher.renewed?.();
  }

  #watch(watcher: LeaseWatcher): () => void {
    this.#watchers.add(watcher);
    this.#arm();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) clearTimeout(this.#timer);
    };
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#watchers.size === 0) return;
    this.#timer = setTimeout(() => this.#check(), Math.min(this.remainingMs, SLICE_MS));
    // The server keeps this process alive, if anything should.
    this.#timer.unref();
  }

  #check(): void {
    if (this.remainingMs > 0) return this.#arm();
    for (const watcher of this.#watchers) watcher.ended?.();
  }
}

/** The time in hundredths of a second, on the same clock as the guard's. */
function now(): number {
  try {
    // Counts the time in which the machine sleeps, which no timer of Node does.
    return Math.round(Number.parseFloat(readFileSync("/proc/uptime", "latin1")) * 100);
  } catch {
    return Math.floor(Date.now() / 10);
  }
}
