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

/** How one request waits. */
export interface RequestOptions {
  /** Gives up waiting; the peer is not told. */
  readonly signal?: AbortSignal | undefined;
  /** From the call to the answer, waiting for a slot and retries included; 0 = no limit. */
  readonly timeoutMs?: number | undefined;
  /** Holds no slot of the in-flight cap: for calls that last, and for those that end others. */
  readonly uncapped?: boolean | undefined;
}

export const REQUEST_OPTIONS: Table<RequestOptions> = {
  signal: is.signal,
  timeoutMs: is.milliseconds,
  uncapped: is.flag,
};

/** What a call needs of the connection it runs on. */
export interface CallHost {
  /** Writes the request under a fresh id, which it returns. */
  write(call: OutgoingCall): RequestId;
  /** The call has its outcome: an answer that still comes for its id is nobody's. */
  forget(call: OutgoingCall, id: RequestId | undefined): void;
  /** Calls back once there is room; returns how to leave the line. */
  enter(go: () => void): () => void;
  leave(): void;
}

const OVERLOADED = -32001;

/** One outgoing request from the caller's `await` to its one outcome. */
export class OutgoingCall {
  readonly method: string;
  /** The request's members but for its id, as JSON. */
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

  /** The peer answered. */
  answer(message: WireMessage): void {
    const { error } = message;
    if (!error) return this.#settle(() => this.#resolve(message.result));
    // The server refuses before it executes anything, so any method may be sent again.
    if (error.code === OVERLOADED) return this.#scheduleRetry();
    this.#fail(new RpcError(this.method, error));
  }

  /** The connection is gone. */
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

  /** The one exit: whatever the outcome, nothing of the call stays behind. */
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
