import {
  AbortedError,
  ConnectionClosedError,
  OverloadedError,
  RequestTimeoutError,
  RpcError,
  type CloseReason,
  type Delivery,
} from "./errors.ts";
import { backoffMs } from "./backoff.ts";
import type { RequestId, WireMessage } from "./message.ts";
import { offAbort, onAbort } from "./on-abort.ts";
import * as is from "./options/check.ts";
import type { Table } from "./options/table.ts";

/** How long one request waits, and what ends the wait. */
export interface RequestOptions {
  /** Stops waiting for the answer. The peer is not notified. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit from the call to the answer; 0 = no limit. It includes retries, and the wait while too many other
   * requests are in flight.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * If true, the request does not count towards the in-flight limit. Use it for calls that run for a long time, and for
   * calls that end other calls.
   */
  readonly uncapped?: boolean | undefined;
}

export const REQUEST_OPTIONS: Table<RequestOptions> = {
  signal: is.signal,
  timeoutMs: is.milliseconds,
  uncapped: is.flag,
};

/** The part of a connection that a call uses. */
export interface CallHost {
  /** Writes the request under a new id and returns the id. */
  write(call: OutgoingCall): RequestId;
  /** Called when the call has its outcome. A later answer to its id is ignored. */
  forget(call: OutgoingCall, id: RequestId | undefined): void;
  /** Calls back when the in-flight limit allows another request. Returns a function that leaves the queue. */
  enter(go: () => void): () => void;
  leave(): void;
}

const OVERLOADED = -32001;

/** One outgoing request, from the call until it settles. */
export class OutgoingCall {
  readonly method: string;
  /** The members of the request without the id, as JSON. */
  readonly body: string;
  readonly promise: Promise<unknown>;
  readonly #host: CallHost;
  readonly #options: RequestOptions;
  #resolve!: (value: unknown) => void;
  #reject!: (error: unknown) => void;
  #id: RequestId | undefined;
  #sent = false;
  #holdsSlot = false;
  #done = false;
  #refusals = 0;
  #leaveQueue: (() => void) | undefined;
  #deadline: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(host: CallHost, method: string, body: string, options: RequestOptions) {
    this.#host = host;
    this.method = method;
    this.body = body;
    this.#options = options;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  start(): void {
    const { signal, timeoutMs, uncapped } = this.#options;
    if (signal?.aborted) return this.#onAbort();
    onAbort(signal, this.#onAbort);
    if (timeoutMs) this.#deadline = setTimeout(() => this.#expire(timeoutMs), timeoutMs);
    if (uncapped) return this.#send();
    this.#leaveQueue = this.#host.enter(() => {
      this.#holdsSlot = true;
      this.#send();
    });
  }

  /** Called with the peer's answer. */
  answer(message: WireMessage): void {
    const { error } = message;
    if (!error) return this.#settle(() => this.#resolve(message.result));
    // An overloaded server refuses a request before it executes any part of the request, so it is safe to retry every
    // method.
    if (error.code === OVERLOADED) return this.#scheduleRetry();
    this.#fail(new RpcError(this.method, error));
  }

  /** Called when the connection is closed. */
  closed(reason: CloseReason): void {
    this.#fail(new ConnectionClosedError(reason, this.#delivery()));
  }

  #send(): void {
    this.#sent = true;
    this.#id = this.#host.write(this);
  }

  #scheduleRetry(): void {
    this.#refusals++;
    this.#sent = false;
    this.#retry = setTimeout(() => this.#send(), backoffMs(this.#refusals));
  }

  #expire(timeoutMs: number): void {
    if (this.#refusals > 0 && !this.#sent) this.#fail(new OverloadedError(this.method, this.#refusals));
    else this.#fail(new RequestTimeoutError(this.method, this.#delivery(), timeoutMs));
  }

  readonly #onAbort = (): void => {
    this.#fail(new AbortedError(this.method, this.#delivery(), this.#options.signal?.reason));
  };

  #delivery(): Delivery {
    return this.#sent ? "unknown" : "notSent";
  }

  #fail(error: unknown): void {
    this.#settle(() => this.#reject(error));
  }

  /**
   * Every outcome passes through here. Releases the timers and listeners of the call, and its slot in the in-flight
   * limit.
   */
  #settle(outcome: () => void): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#retry);
    offAbort(this.#options.signal, this.#onAbort);
    this.#leaveQueue?.();
    this.#host.forget(this, this.#id);
    outcome();
    if (this.#holdsSlot) this.#host.leave();
  }
}
