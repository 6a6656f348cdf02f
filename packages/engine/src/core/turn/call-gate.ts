/**
 * Orders the tool calls of a turn. Parallel calls run together. Any other call waits for all calls before it, and all
 * calls after it wait for its end.
 */
export class CallGate {
  /** Resolves when the last exclusive call has ended. */
  #exclusive: Promise<void> = Promise.resolve();
  /** The ends of the parallel calls after that call. */
  #parallel: Promise<void>[] = [];

  /** Runs the work when its turn comes. The order is the order of the calls to this method. */
  enter<T>(parallel: boolean, work: () => Promise<T>): Promise<T> {
    const ready = parallel ? this.#exclusive : Promise.all([this.#exclusive, ...this.#parallel]);
    const result = ready.then(work);
    const ended = settled(result);
    if (parallel) this.#parallel.push(ended);
    else {
      this.#exclusive = ended;
      this.#parallel = [];
    }
    return result;
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}
