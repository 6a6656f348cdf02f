import { whenWithdrawn, type Withdrawable } from "../rpc/withdrawable.ts";

/** Runs `call` after `ms` milliseconds. Returns a function that cancels the timer. */
type After = (ms: number, call: () => void) => () => void;

const byTimer: After = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

/** Ends a call when the timeout of its tool is reached, or when the request is withdrawn. */
export class CallLimit implements Disposable {
  /** Rejects when the limit is reached. Never resolves. */
  readonly reached: Promise<never>;
  readonly #unwatch: () => void;
  readonly #cancel: (() => void) | undefined;
  #reject: (reason: unknown) => void = () => {};
  #own: AbortController | undefined;
  #stopped: { readonly reason: unknown } | undefined;

  constructor(
    { name, timeoutMs = 0 }: { readonly name: string; readonly timeoutMs?: number | undefined },
    request: Withdrawable,
    after: After = byTimer,
  ) {
    this.reached = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.reached.catch(() => {}); // No caller may be waiting any more.
    this.#unwatch = whenWithdrawn(request, () => this.#stop(request.signal.reason));
    if (timeoutMs > 0) this.#cancel = after(timeoutMs, () => this.#stop(timedOut(name, timeoutMs)));
  }

  /** A separate signal for the tool, so that the tool is not aborted after the call has ended. Created on first use. */
  get signal(): AbortSignal {
    if (!this.#own) {
      this.#own = new AbortController();
      if (this.#stopped) this.#own.abort(this.#stopped.reason);
    }
    return this.#own.signal;
  }

  throwIfReached(): void {
    if (this.#stopped) throw this.#stopped.reason;
  }

  [Symbol.dispose](): void {
    this.#cancel?.();
    this.#unwatch();
  }

  #stop(reason: unknown): void {
    this.#stopped ??= { reason };
    this.#own?.abort(reason);
    this.#reject(reason);
  }
}

function timedOut(tool: string, ms: number): DOMException {
  return new DOMException(`${tool} did not finish within ${ms} ms and was cancelled`, "TimeoutError");
}
