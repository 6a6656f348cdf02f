/** Which requests must not overlap. */
export interface Lane {
  readonly key: string;
  /** Requests that only read run together. */
  readonly shared: boolean;
}

interface Waiting {
  readonly shared: boolean;
  start(): void;
}

interface Queue {
  readonly waiting: Waiting[];
  running: number;
  shared: boolean;
}

/** First come, first served within a lane; lanes do not wait for one another. */
export class Lanes {
  readonly #queues = new Map<string, Queue>();

  /** Starts the work once the lane is free, and gives it what to call when it is done. */
  enter(lane: Lane | undefined, work: (leave: () => void) => void): void {
    if (!lane) return work(() => {});
    const { key, shared } = lane;
    const queue = this.#queues.get(key) ?? { waiting: [], running: 0, shared };
    this.#queues.set(key, queue);
    queue.waiting.push({ shared, start: () => work(once(() => this.#leave(key, queue))) });
    this.#advance(queue);
  }

  #leave(key: string, queue: Queue): void {
    queue.running--;
    this.#advance(queue);
    if (queue.running === 0 && queue.waiting.length === 0) this.#queues.delete(key);
  }

  #advance(queue: Queue): void {
    for (let next = queue.waiting[0]; next; next = queue.waiting[0]) {
      if (queue.running > 0 && !(queue.shared && next.shared)) return;
      queue.waiting.shift();
      queue.running++;
      queue.shared = next.shared;
      next.start();
    }
  }
}

function once(then: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    then();
  };
}
