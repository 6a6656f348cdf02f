import type { DynamicToolCallParams } from "../protocol/index.ts";
import { RecentMap } from "../rpc/recent-map.ts";

/** The number of calls to remember: far more than a server waits for at the same time. */
const REMEMBERED = 64;

/**
 * The maximum total length, in characters, of the arguments of the remembered calls. The last call is kept at any
 * length.
 */
const REMEMBERED_LENGTH = 4 * 1024 * 1024;

/**
 * Remembers the results of calls. If the connection is lost before the server receives an answer, the server repeats
 * the call on the next connection. The call is then not run again: the result of the first run is the answer.
 */
export class CallMemory<T> {
  /** The results of the last calls, pending or settled. */
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
