/** What is used of a socket. */
export interface StrangerSocket {
  /** Not known on a unix socket. */
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** How much a listener spends on sockets that have not shown that they may connect. */
export interface StrangerLimits {
  /** Sockets at once. */
  readonly most: number;
  /** How long one may take from its first packet to the end of its answer. */
  readonly ms: number;
}

/**
 * The limits of every listener. A flood pushes out a client that may connect only if more than `most` sockets come
 * between that client's connection and its request, which follows at once.
 */
export const STRANGERS: StrangerLimits = { most: 256, ms: 5_000 };

/**
 * The sockets that have not become connections: silent ones, those in the middle of a request, and those that are
 * being refused. Their number and their time are bounded, so that they cannot use up the file descriptors that
 * clients need.
 *
 * A new socket is never turned away, because it may be a client's. If there are too many, the oldest socket of the
 * address that has the most is closed: a flood from one address pushes out itself.
 */
export class Strangers {
  readonly #limits: StrangerLimits;
  readonly #all = new Map<StrangerSocket, Stranger>();
  /** The oldest first. */
  readonly #byAddress = new Map<string, Set<StrangerSocket>>();

  constructor(limits: StrangerLimits = STRANGERS) {
    this.#limits = limits;
  }

  /** How many there are. */
  get size(): number {
    return this.#all.size;
  }

  /** A socket was accepted. */
  add(socket: StrangerSocket): void {
    const { remoteAddress: address = "" } = socket;
    const same = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, same.add(socket));
    const timer = setTimeout(() => socket.destroy(), this.#limits.ms);
    this.#all.set(socket, { address, timer });
    socket.once("close", () => this.admit(socket));
    if (this.#all.size > this.#limits.most) this.#pushOut();
  }

  /** Its request is complete and is being decided on: it counts as the youngest of its address. */
  asked(socket: StrangerSocket): void {
    const same = this.#byAddress.get(this.#all.get(socket)?.address ?? "");
    if (same?.delete(socket)) same.add(socket);
  }

  /** It became a connection, or it is gone. */
  admit(socket: StrangerSocket): void {
    const known = this.#all.get(socket);
    if (!known) return;
    this.#all.delete(socket);
    clearTimeout(known.timer);
    const same = this.#byAddress.get(known.address);
    same?.delete(socket);
    if (same?.size === 0) this.#byAddress.delete(known.address);
  }

  #pushOut(): void {
    let most: ReadonlySet<StrangerSocket> = new Set();
    for (const same of this.#byAddress.values()) if (same.size > most.size) most = same;
    const [oldest] = most;
    if (!oldest) return;
    // Its `close` event comes later.
    this.admit(oldest);
    oldest.destroy();
  }
}

interface Stranger {
  /** A closed socket does not know it any more. */
  readonly address: string;
  readonly timer: ReturnType<typeof setTimeout>;
}
