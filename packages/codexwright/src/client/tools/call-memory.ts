import type { DynamicToolCallParams } from "../../protocol/index.ts";

/** Calls that are remembered: far more than a server waits for at once. */
const REMEMBERED = 64;

/**
 * A server that got no answer before the connection was lost asks again on the next one. No call is run twice: what
 * the first one came to is the answer.
 */
export class CallMemory<T> {
  /** What the last calls gave, or will. */
  readonly #runs = new Map<string, Promise<T>>();

  once(
    { turnId, callId, namespace, tool, arguments: args }: DynamicToolCallParams,
    run: () => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([turnId, callId, namespace, tool, args]);
    const running = this.#runs.get(key) ?? run();
    this.#runs.set(key, running);
    if (this.#runs.size > REMEMBERED) {
      const [oldest] = this.#runs.keys();
      if (oldest !== undefined) this.#runs.delete(oldest);
    }
    return running;
  }
}
