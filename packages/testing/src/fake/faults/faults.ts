import { checkFaults, type Played } from "./fault-check.ts";
import { isDelta } from "./messages.ts";

/**
 * Something that goes wrong, and where: at the `nth` message of the method `on`, counted over all connections.
 *
 * A request of the client is met when it arrives, and its answer when that is written. A notification or a request of
 * the server is met when it is written. `delta` stands for every method that carries a piece of something longer.
 * A fault that cannot happen is refused with `invalid_argument`.
 */
export interface Fault {
  readonly on: string;
  /** From 1; default 1. */
  readonly nth?: number;
  readonly fault: FaultKind;
}

/** What can go wrong. */
export type FaultKind =
  /** The server dies: with a request before it answers, with another message once that is written. */
  | "crash"
  /** The server writes nothing more on this connection, and reads nothing. */
  | "stall"
  /** A line that is not JSON comes before the message. */
  | "badLine"
  /** A line of 8 MiB comes before the message. */
  | "hugeLine"
  /**
   * The answer comes after the events that should follow it, or a second later if too few follow; an error comes at
   * once. For requests that open a thread or run a turn.
   */
  | "earlyEvents"
  /** The message comes twice. */
  | "duplicate"
  /** The message never comes. */
  | "missing"
  /** The request is refused, as by a server that has too much to do. For requests of the client. */
  | "overload"
  /**
   * The message is late. A request is taken up so much later, and so is what follows it on the same thread; on
   * `initialize` that is a slow start. What the server writes after a late notification or request waits behind it.
   */
  | { readonly delayMs: number };

/** The faults of a fake server that are still to come. */
export class FaultPlan {
  readonly #faults: { readonly fault: Fault; met: number }[];

  constructor(faults: readonly Fault[], played: Played) {
    checkFaults(faults, played);
    this.#faults = faults.map((fault) => ({ fault, met: 0 }));
  }

  get empty(): boolean {
    return this.#faults.length === 0;
  }

  /** The faults of this kind that are due at a message of this method. */
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
