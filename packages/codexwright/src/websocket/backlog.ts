/** Below it, what a socket has been given counts as taken: a socket that keeps up has always something on its way. */
const KEPT_UP = 1024 * 1024;

/** How often a socket with a backlog is looked at. */
const LOOK_MS = 20;

/** What is used of a socket that does not report when it has sent something. */
export interface Buffering {
  readonly readyState: number;
  readonly bufferedAmount: number;
}

const OPEN = 1;

/** Tells when a built-in socket has sent most of what it was given. It has no event for that, only a number. */
export class Backlog {
  readonly #socket: Buffering;
  #taken: Promise<void> | undefined;

  constructor(socket: Buffering) {
    this.#socket = socket;
  }

  /** Resolves when the socket keeps up; `undefined` if it does already. One wait serves all writers. */
  taken(): Promise<void> | undefined {
    if (!this.#isBehind()) return undefined;
    this.#taken ??= this.#look();
    return this.#taken;
  }

  async #look(): Promise<void> {
    while (this.#isBehind()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    this.#taken = undefined;
  }

  /** A socket that has ended never sends the rest: nothing waits for that. */
  #isBehind(): boolean {
    return this.#socket.bufferedAmount > KEPT_UP && this.#socket.readyState === OPEN;
  }
}
