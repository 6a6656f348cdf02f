import { ResponseError } from "codexwright";

/** Limits on concurrent requests. */
export interface ShareLimits {
  /** The maximum number of unanswered requests of all clients. The app-server rejects more than 128. */
  readonly total: number;
  /** The maximum number of unanswered requests per client. */
  readonly each: number;
  /**
   * The maximum number of queued requests per client, in addition to the unanswered ones. More are rejected.
   */
  readonly waiting: number;
}

/** Schedules client requests round-robin, so that one busy client does not delay the others. */
export class FairShare {
  readonly #limits: ShareLimits;
  readonly #running = new Map<number, number>();
  /** Queued requests by client. The clients are in the order in which they are served next. */
  readonly #waiting = new Map<number, (() => void)[]>();
  #total = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Runs the work when it is the client's turn. Rejects with -32001 if the client's queue is full. */
  async run<T>(client: number, work: () => Promise<T>): Promise<T> {
    await this.#enter(client);
    try {
      return await work();
    } finally {
      this.#leave(client);
    }
  }

  async #enter(client: number): Promise<void> {
    if (this.#hasRoom(client)) return this.#start(client);
    const waiting = this.#waiting.get(client) ?? [];
    if (waiting.length >= this.#limits.waiting) {
      throw new ResponseError(-32001, "Server overloaded; retry later.");
    }
    this.#waiting.set(client, waiting);
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  #leave(client: number): void {
    this.#total--;
    const running = (this.#running.get(client) ?? 1) - 1;
    if (running > 0) this.#running.set(client, running);
    else this.#running.delete(client);
    for (const [next, waiting] of this.#waiting) {
      if (!this.#hasRoom(next)) continue;
      // Move the client to the end of the queue.
      this.#waiting.delete(next);
      const go = waiting.shift();
      if (waiting.length > 0) this.#waiting.set(next, waiting);
      if (!go) continue;
      this.#start(next);
      return go();
    }
  }

  #hasRoom(client: number): boolean {
    return this.#total < this.#limits.total && (this.#running.get(client) ?? 0) < this.#limits.each;
  }

  #start(client: number): void {
    this.#total++;
    this.#running.set(client, (this.#running.get(client) ?? 0) + 1);
  }
}
