import { checkFaults, type Played } from "./fault-check.ts";
import { isDelta } from "./messages.ts";

/**
 * A fault and its place: at the `nth` message of the method `on`, counted over all connections.
 *
 * A fault on a client request applies when the request arrives, or when its answer is written. A fault on a
 * notification or a server request applies when the message is written. `delta` stands for all methods that
 * carry a part of something longer. A fault that cannot happen is rejected with `invalid_argument`.
 */
export interface Fault {
  readonly on: string;
  /** Counted from 1; default 1. */
  readonly nth?: number;
  readonly fault: FaultKind;
}

/** The kinds of faults. */
export type FaultKind =
  /** The server crashes: before it answers a request, or after it has written another message. */
  | "crash"
  /** The server stops writing and reading on this connection. */
  | "stall"
  /** A line that is not JSON is sent before the message. */
  | "badLine"
  /** A line of 8 MiB is sent before the message. */
  | "hugeLine"
  /**
   * The answer is sent after the events that should follow it, or a second later if too few events follow. An error
   * answer is sent immediately. For requests that open a thread or run a turn.
   */
  | "earlyEvents"
  /** The message is sent twice. */
  | "duplicate"
  /** The message is never sent. */
  | "missing"
  /** The request is rejected as by an overloaded server. For client requests. */
  | "overload"
  /**
   * The message is this many milliseconds late. A late client request also delays later requests for the same thread.
   * On `initialize`, this simulates a slow start. Messages that the server writes after a late notification or server
   * request wait for it.
   */
  | { readonly delayMs: number };

/** The remaining faults of a fake server. */
export class FaultPlan {
  readonly #faults: { readonly fault: Fault; met: number }[];

  constructor(faults: readonly Fault[], played: Played) {
    checkFaults(faults, played);
    this.#faults = faults.map((fault) => ({ fault, met: 0 }));
  }

  get empty(): boolean {
    return this.#faults.length === 0;
  }

  /** Returns the faults of this kind that are due at a message of this method. */
  due(method: string, kinds: (kind: FaultKind) => boolean): FaultKind[] {
    const due: FaultKind[] = [];
    for (const entry of this.#faults) {
      const { on, nth = 1, fault } = entry.fault;
      if (!kinds(fault) || (on !== method && !(on === "delta" && isDelta(method)))) continue;
      if (++entry.met === nth) due.push(fault);
    }
    return due;
  }
}
