import { RpcError } from "../../rpc/errors.ts";
import { refuseEnded, type ThreadFacts } from "./thread-facts.ts";

/**
 * Delays before each further attempt to resume a thread that the server is closing. A server closes a thread within
 * milliseconds.
 */
const CLOSING_MS = [20, 50, 100, 200, 400, 800];

/** Makes the server load a thread and send its events. Concurrent calls share one resume. */
export class ThreadLoading {
  readonly #threadId: string;
  readonly #facts: ThreadFacts;
  readonly #resume: () => Promise<void>;
  #underWay: Promise<void> | undefined;

  constructor(threadId: string, facts: ThreadFacts, resume: () => Promise<void>) {
    this.#threadId = threadId;
    this.#facts = facts;
    this.#resume = resume;
  }

  /** Resolves immediately if the thread is already subscribed. */
  async ensure(): Promise<void> {
    if (this.#facts.subscribed) return;
    refuseEnded(this.#threadId, this.#facts);
    this.#underWay ??= this.#load().finally(() => (this.#underWay = undefined));
    await this.#underWay;
  }

  async #load(): Promise<void> {
    for (const waitMs of CLOSING_MS) {
      try {
        return await this.#resume();
      } catch (error) {
        if (!isClosing(error)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    await this.#resume();
  }
}

/** Servers up to 0.120 unload a thread only after they have answered the unsubscribe. */
function isClosing(error: unknown): boolean {
  return error instanceof RpcError && /is closing; retry/.test(error.message);
}
