import { InvalidArgumentError } from "../../rpc/errors.ts";

/**
 * Something that goes wrong, and where: at the `nth` message of the method `on`, counted over all connections.
 *
 * A request of the client's is met when it arrives, and its answer when that is written; notifications and requests
 * of the server's when they are written. `delta` stands for every method that carries a piece of something longer.
 */
export interface Fault {
  readonly on: string;
  /** From 1; default 1. */
  readonly nth?: number;
  readonly fault: FaultKind;
}

/** What can go wrong. */
export type FaultKind =
  /** The server dies: with a request before it answers, with a notification once that is written. */
  | "crash"
  /** It says nothing more on this connection, and hears nothing. */
  | "stall"
  /** A line that is no JSON comes before the message. */
  | "badLine"
  /** A line of 8 MiB comes before the message. */
  | "hugeLine"
  /** The answer comes after the events that should have followed it. */
  | "earlyEvents"
  /** The message comes twice. */
  | "duplicate"
  /** The message never comes. */
  | "missing"
  /** The request is refused, as by a server that has too much to do. */
  | "overload"
  /** The answer takes so long: a slow start, where it is `initialize`'s. */
  | { readonly delayMs: number };

const KINDS: readonly string[] = [
  "crash",
  "stall",
  "badLine",
  "hugeLine",
  "earlyEvents",
  "duplicate",
  "missing",
  "overload",
] satisfies FaultKind[];

/** The faults of a fake server that are still to come. */
export class FaultPlan {
  readonly #faults: { readonly fault: Fault; met: number }[];

  constructor(faults: readonly Fault[]) {
    for (const { fault } of faults) {
      if (typeof fault === "object" || KINDS.includes(fault)) continue;
      // It would never happen, and the test of it pass by accident.
      throw new InvalidArgumentError(`there is no fault ${fault}: give ${KINDS.join(", ")} or { delayMs }`);
    }
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

function isDelta(method: string): boolean {
  return /\/(delta|\w+Delta)$/.test(method);
}
