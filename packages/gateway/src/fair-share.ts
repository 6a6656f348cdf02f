import { ResponseError } from "codexwright";

/** How much is done at once. */
export interface ShareLimits {
  /** Requests that wait for an answer at once: the app-server refuses more than 128. */
  readonly total: number;
  /** Of those, what one client may have. */
  readonly each: number;
  /** Further requests of one client that may wait for their turn; more are refused. */
  readonly waiting: number;
}

/** Lets the requests of clients through in turns, so that none holds up the others by asking for much. */
export class FairShare {
  readonly #limits: ShareLimits;
  readonly #running = new Map<number, number>();
  /** By client; the clients in the order in which they are served next. */
  readonly #waiting = new Map<number, (() => void)[]>();
  #total = 0;

  constructor(limits: ShareLimits) {
    this.#limits = limits;
  }

  /** Runs it when it is the client's turn; rejects with -32001 where too much of the client's waits. */
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
      // To the end of the line.
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
