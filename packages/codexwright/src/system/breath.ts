/** How many steps are taken before other work of this process gets its turn. On a busy disk each may take a millisecond. */
const STEPS = 32;

/** Counts synchronous steps of a long work, and lets other work of this process run now and then. */
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
