/** Listeners by method; dispatching to a method nobody listens to costs one look-up. */
export class ListenerTable<L extends (...args: never[]) => unknown> {
  readonly #byMethod = new Map<string, readonly { readonly listener: L }[]>();

  /** Returns how to take this registration out again; others of the same function stay. */
  add(method: string, listener: L): () => void {
    const entry = { listener };
    this.#byMethod.set(method, [...this.get(method), entry]);
    return () => {
      const kept = this.get(method).filter((each) => each !== entry);
      if (kept.length > 0) this.#byMethod.set(method, kept);
      else this.#byMethod.delete(method);
    };
  }

  get(method: string): readonly { readonly listener: L }[] {
    return this.#byMethod.get(method) ?? NONE;
  }
}

const NONE: readonly never[] = [];
