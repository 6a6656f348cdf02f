import type { DynamicToolCallParams } from "../protocol/index.ts";
import { RecentMap } from "../rpc/recent-map.ts";

/** Calls that are remembered: far more than a server waits for at once. */
const REMEMBERED = 64;

/** Characters of their arguments that are kept; the last call is kept at any length. */
const REMEMBERED_LENGTH = 4 * 1024 * 1024;

/**
 * A server that got no answer before the connection was lost asks again on the next one. No call is run twice: what
 * the first one came to is the answer.
 */
export class CallMemory<T> {
  /** What the last calls gave, or will. */
  readonly #runs = new RecentMap<string, Promise<T>>(REMEMBERED, REMEMBERED_LENGTH);

  once(
    { turnId, callId, namespace, tool, arguments: args }: DynamicToolCallParams,
    run: () => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([turnId, callId, namespace, tool, args]);
    const running = this.#runs.get(key) ?? run();
    this.#runs.set(key, running, key.length);
    return running;
  }
}
