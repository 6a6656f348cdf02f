import type { RetryLimits } from "../host.ts";
import type { ModelError, ModelErrorDetails } from "./model-error.ts";

/** One repetition: what clients are notified of, and how long to wait first. */
export interface Repetition {
  readonly kind: "request" | "stream" | "connection";
  /** The number of this repetition among those of its kind, from 1. */
  readonly count: number;
  readonly waitMs: number;
}

/** The longest wait, also if the model's server asks for a longer one. */
export const LONGEST_WAIT_MS = 60_000;
const FIRST_CONNECTION_WAIT_MS = 5_000;

/** Reported failures that a repetition cannot mend. */
const FINAL: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "cyber_policy",
  "incomplete",
  "insufficient_quota",
  "invalid_prompt",
  "server_is_overloaded",
  "too_large",
  "usage_limit_reached",
  "usage_not_included",
]);

/** Counts the repetitions of one model request, and decides on the next one. */
export class RetryPolicy {
  readonly #limits: RetryLimits;
  readonly #random: () => number;
  #requests = 0;
  #streams = 0;
  #connections = 0;

  /** @param random returns numbers from 0 up to 1, for waits that differ between clients */
  constructor(limits: RetryLimits, random: () => number = Math.random) {
    this.#limits = limits;
    this.#random = random;
  }

  /** Returns the next repetition after this failure, or `undefined` if the failure is final. */
  next({ details }: ModelError): Repetition | undefined {
    if (details.final === true || details.phase === "request") return undefined;
    const wait = details.retryAfterMs;
    if (isEarly(details) && this.#requests < this.#limits.requests) {
      const count = ++this.#requests;
      return { kind: "request", count, waitMs: this.#wait(count, wait) };
    }
    if (details.reason !== undefined && FINAL.has(details.reason)) return undefined;
    if (details.phase === "connect" && this.#limits.connections > 0) {
      if (this.#connections === this.#limits.connections) return undefined;
      const count = ++this.#connections;
      const waitMs = Math.min(FIRST_CONNECTION_WAIT_MS * 2 ** (count - 1), LONGEST_WAIT_MS);
      return { kind: "connection", count, waitMs };
    }
    if (!isBroken(details) || this.#streams === this.#limits.streams) return undefined;
    const count = ++this.#streams;
    // A repeated response begins with a new request.
    this.#requests = 0;
    return { kind: "stream", count, waitMs: this.#wait(count, wait) };
  }

  /** Forgets the failures, after a response that completed. */
  reset(): void {
    this.#requests = 0;
    this.#streams = 0;
    this.#connections = 0;
  }

  #wait(count: number, asked: number | undefined): number {
    const own = this.#limits.delayMs * 2 ** (count - 1) * (0.9 + this.#random() * 0.2);
    const waitMs = asked === undefined || !Number.isFinite(asked) ? own : Math.max(0, asked);
    return Math.min(Math.round(waitMs), LONGEST_WAIT_MS);
  }
}

/** Whether the request failed before the model began to answer, and may succeed if it is sent again. */
function isEarly({ phase, status = 0, lost, reason }: ModelErrorDetails): boolean {
  if (phase === "connect" || lost === true) return true;
  if (phase !== "status" || reason === "usage_limit_reached") return false;
  return status >= 500 || status === 408 || status === 429;
}

/** Whether a response counts as broken off when its request was repeated often enough. */
function isBroken({ phase, status = 0, retryAfterMs }: ModelErrorDetails): boolean {
  if (phase !== "status") return true;
  return status >= 500 || status === 408 || (status === 429 && retryAfterMs !== undefined);
}
