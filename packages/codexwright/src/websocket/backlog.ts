/** A socket that has buffered less than this keeps up: even a fast one always has some bytes buffered. */
const KEPT_UP = 1024 * 1024;

/** How often a socket with a backlog is checked. */
const LOOK_MS = 20;

/** The part of a WebSocket that a backlog needs. */
export interface Buffering {
  readonly readyState: number;
  readonly bufferedAmount: number;
}

const OPEN = 1;

/** Waits until a built-in socket has sent most of its buffered bytes. Such a socket has no event for this, only a number. */
export class Backlog {
  readonly #socket: Buffering;
  #taken: Promise<void> | undefined;

  constructor(socket: Buffering) {
    this.#socket = socket;
  }

  /** Resolves when the socket keeps up; returns `undefined` if it already does. All writers share one wait. */
  taken(): Promise<void> | undefined {
    if (!this.#isBehind()) return undefined;
    this.#taken ??= this.#look();
    return this.#taken;
  }

  async #look(): Promise<void> {
    while (this.#isBehind()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    this.#taken = undefined;
  }

  /** A closed socket never sends the rest, so writers must not wait for it. */
  #isBehind(): boolean {
    return this.#socket.bufferedAmount > KEPT_UP && this.#socket.readyState === OPEN;
  }
}
