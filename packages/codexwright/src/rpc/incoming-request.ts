import type { RequestId } from "./message.ts";
import type { Withdrawable } from "./withdrawable.ts";

/** A request from the peer that this end is answering. */
export interface IncomingRequest extends Withdrawable {
  readonly id: RequestId;
  /** Aborts when the request is withdrawn: the connection closed, or the request was dismissed. */
  readonly signal: AbortSignal;
  /** Whether the request is withdrawn: `signal.aborted`, without creating the signal. */
  readonly withdrawn: boolean;
  /** Calls back when the request is withdrawn, immediately if it already is. */
  onWithdrawn(call: () => void): void;
}

/** An incoming request, as the connection sees it: the connection can withdraw it. */
export class WithdrawableRequest implements IncomingRequest {
  readonly id: RequestId;
  /** Length of the request's line. */
  readonly length: number;
  readonly #calls: (() => void)[] = [];
  #controller: AbortController | undefined;
  #withdrawn = false;

  constructor(id: RequestId, length: number) {
    this.id = id;
    this.length = length;
  }

  /** Created on first use, because a signal costs as much as a simple answer, and most requests are never withdrawn. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#withdrawn) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  get withdrawn(): boolean {
    return this.#withdrawn;
  }

  onWithdrawn(call: () => void): void {
    if (this.#withdrawn) call();
    else this.#calls.push(call);
  }

  withdraw(): void {
    if (this.#withdrawn) return;
    this.#withdrawn = true;
    for (const call of this.#calls) call();
    this.#controller?.abort();
  }
}
