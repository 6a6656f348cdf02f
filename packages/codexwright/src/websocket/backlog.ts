/** A socket that has buffered fewer bytes than this keeps up: even a fast socket always has some bytes buffered. */
const KEPT_UP = 1024 * 1024;

/** How often to check a socket that has a backlog. */
const LOOK_MS = 20;

/** The part of a WebSocket that a backlog needs. */
export interface Buffering {
  readonly readyState: number;
  readonly bufferedAmount: number;
}

const OPEN = 1;

/**
 * Waits until a built-in socket has sent most of its buffered bytes. Such a socket has no event for this, only
 * `bufferedAmount`.
 */
export class Backlog {
  readonly #socket: Buffering;
  #taken: Promise<void> | undefined;

  constructor(socket: Buffering) {
    this.#socket = socket;
  }

  /**
   * Returns a promise that resolves when the socket keeps up. Returns `undefined` if it already does. All writers share
   * one wait.
   */
  taken(): Promise<void> | undefined {
    if (!this.#isBehind()) return undefined;
    this.#taken ??= this.#look();
    return this.#taken;
  }

  async #look(): Promise<void> {
    while (this.#isBehind()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    this.#taken = undefined;
  }

  /**
   * A closed socket never sends its remaining bytes, so it does not count as behind, and writers do not wait for it.
   */
  #isBehind(): boolean {
    return this.#socket.bufferedAmount > KEPT_UP && this.#socket.readyState === OPEN;
  }
}
