import type { RequestId } from "./message.ts";

/** An incoming request that waits for our answer. */
export interface RequestContext {
  readonly id: RequestId;
  /** Aborts when the answer is not wanted any more: the connection closed, or the request was dismissed. */
  readonly signal: AbortSignal;
}

/** As a connection's own handler gets it. */
export interface IncomingRequest extends RequestContext {
  /** Calls back when the answer is not wanted any more; at once where that is so already. */
  onDropped(call: () => void): void;
}

/** A request of the peer's while it is being answered. */
export class Serving implements IncomingRequest {
  readonly id: RequestId;
  /** The length of its line. */
  readonly length: number;
  readonly #drops: (() => void)[] = [];
  #controller: AbortController | undefined;
  #isDropped = false;

  constructor(id: RequestId, length: number) {
    this.id = id;
    this.length = length;
  }

  /** Made when somebody asks for it: it costs as much as a simple answer, which nobody is going to cancel. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isDropped) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Whether the answer is not wanted any more; as the signal tells, without its cost. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  onDropped(call: () => void): void {
    if (this.#isDropped) call();
    else this.#drops.push(call);
  }

  drop(): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    for (const call of this.#drops) call();
    this.#controller?.abort();
  }
}
