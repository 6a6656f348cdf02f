import type { Lane } from "../protocol/traits/lane-of.ts";
import { once } from "../rpc/once.ts";

interface QueuedWork {
  readonly shared: boolean;
  readonly owner: object;
  start(): void;
}

interface Queue {
  waiting: QueuedWork[];
  running: number;
  shared: boolean;
  /**
   * True while the loop runs. Work that finishes immediately calls this code again, and recursion could exhaust the
   * stack.
   */
  advancing: boolean;
}

/**
 * Runs work in lanes, which are queues that do not wait for each other. Work in the same lane runs one after the other,
 * with one exception: consecutive `shared` work runs in parallel.
 */
export class Lanes {
  readonly #queues = new Map<string, Queue>();

  /** Starts the work when the lane is free. The work must call `leave` when it is done. */
  enter(lane: Lane | undefined, owner: object, work: (leave: () => void) => void): void {
    if (!lane) return work(() => {});
    const { key, shared } = lane;
    const queue = this.#queues.get(key) ?? { waiting: [], running: 0, shared, advancing: false };
    this.#queues.set(key, queue);
    queue.waiting.push({ shared, owner, start: () => work(once(() => this.#leave(key, queue))) });
    this.#advance(queue);
  }

  /**
   * Drops the waiting work of this owner. If it were kept, a client that reconnects repeatedly could fill a blocked
   * lane.
   */
  drop(owner: object): void {
    for (const queue of this.#queues.values()) {
      const left = queue.waiting.filter((waiting) => waiting.owner !== owner);
      if (left.length === queue.waiting.length) continue;
      queue.waiting = left;
      this.#advance(queue);
    }
  }

  #leave(key: string, queue: Queue): void {
    queue.running--;
    this.#advance(queue);
    if (queue.running === 0 && queue.waiting.length === 0) this.#queues.delete(key);
  }

  #advance(queue: Queue): void {
    if (queue.advancing) return;
    queue.advancing = true;
    for (let next = queue.waiting[0]; next; next = queue.waiting[0]) {
      if (queue.running > 0 && !(queue.shared && next.shared)) break;
      queue.waiting.shift();
      queue.running++;
      queue.shared = next.shared;
      next.start();
    }
    queue.advancing = false;
  }
}
