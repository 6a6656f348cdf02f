import type { Clock } from "../clock.ts";

/** How long a call may take: its tool's time limit, or until whoever asked lets go of it. */
export class CallLimit implements Disposable {
  readonly #own = new AbortController();
  readonly #outer: AbortSignal;
  readonly #stop: () => void;
  readonly #onAbort = (): void => this.#own.abort(this.#outer.reason);
  /** Rejects when the limit is reached, and never otherwise. */
  readonly reached: Promise<never>;

  constructor(
    outer: AbortSignal,
    clock: Clock,
    tool: { readonly name: string; readonly timeoutMs?: number | undefined },
  ) {
    this.#outer = outer;
    this.reached = new Promise((_, reject) => {
      this.signal.addEventListener("abort", () => reject(this.signal.reason as Error), { once: true });
    });
    this.reached.catch(() => {}); // nobody may be waiting any more
    if (outer.aborted) this.#onAbort();
    else outer.addEventListener("abort", this.#onAbort, { once: true });
    const { timeoutMs = 0 } = tool;
    const timedOut = (): void =>
      this.#own.abort(
        new DOMException(
          `${tool.name} did not finish within ${timeoutMs} ms and was cancelled`,
          "TimeoutError",
        ),
      );
    this.#stop = timeoutMs > 0 ? clock.after(timeoutMs, timedOut) : () => {};
  }

  get signal(): AbortSignal {
    return this.#own.signal;
  }

  [Symbol.dispose](): void {
    this.#stop();
    this.#outer.removeEventListener("abort", this.#onAbort);
  }
}
