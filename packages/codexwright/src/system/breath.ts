/** The number of steps after which the event loop may run. On a busy disk, each step may take a millisecond. */
const STEPS = 32;

/** Counts the synchronous steps of a long task and regularly lets the event loop run. */
export class Breath {
  #steps = 0;

  async step(): Promise<void> {
    this.#steps += 1;
    if (this.#steps % STEPS !== 0) return;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
