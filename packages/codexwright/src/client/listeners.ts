/** Listeners by method; dispatching to a method nobody listens to costs one look-up. */
export class ListenerTable<L extends (...args: never[]) => unknown> {
  readonly #byMethod = new Map<string, readonly L[]>();

  /** Returns how to take the listener out again. */
  add(method: string, listener: L): () => void {
    this.#byMethod.set(method, [...this.get(method), listener]);
    return () => {
      const kept = this.get(method).filter((each) => each !== listener);
      if (kept.length > 0) this.#byMethod.set(method, kept);
      else this.#byMethod.delete(method);
    };
  }

  get(method: string): readonly L[] {
    return this.#byMethod.get(method) ?? NONE;
  }
}

const NONE: readonly never[] = [];
