/** The part of a socket that we use. */
export interface StrangerSocket {
  /** Undefined on a unix socket. */
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** The limits for sockets that are not authenticated yet. */
export interface StrangerLimits {
  /** The maximum number of sockets. */
  readonly most: number;
  /** The time limit for a socket, from its first packet to the end of our answer. */
  readonly ms: number;
}

/**
 * The limits of every listener. A flood of sockets can close the socket of a legitimate client only if more than `most`
 * sockets arrive between the client's connection and its request. A legitimate client sends its request immediately.
 */
export const STRANGERS: StrangerLimits = { most: 256, ms: 5_000 };

/**
 * The sockets that have not become connections: silent sockets, incomplete requests, and requests that are being
 * refused. Their number and their time are limited, so that they cannot use up the file descriptors that clients need.
 *
 * A new socket is always accepted, because it may belong to a client. If there are too many sockets, the address with
 * the most sockets is found, and its oldest socket is closed. So a flood from one address closes its own sockets.
 */
export class Strangers {
  readonly #limits: StrangerLimits;
  readonly #all = new Map<StrangerSocket, Stranger>();
  /** The sockets of each address, oldest first. */
  readonly #byAddress = new Map<string, Set<StrangerSocket>>();

  constructor(limits: StrangerLimits = STRANGERS) {
    this.#limits = limits;
  }

  /** The number of sockets. */
  get size(): number {
    return this.#all.size;
  }

  /** Called when a socket was accepted. */
  add(socket: StrangerSocket): void {
    const { remoteAddress: address = "" } = socket;
    const same = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, same.add(socket));
    const timer = setTimeout(() => socket.destroy(), this.#limits.ms);
    this.#all.set(socket, { address, timer });
    socket.once("close", () => this.admit(socket));
    if (this.#all.size > this.#limits.most) this.#pushOut();
  }

  /** Called when the request of a socket is complete. The socket now counts as the newest of its address. */
  asked(socket: StrangerSocket): void {
    const same = this.#byAddress.get(this.#all.get(socket)?.address ?? "");
    if (same?.delete(socket)) same.add(socket);
  }

  /** Called when the socket became a connection or was closed. */
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
    // The `close` event follows later.
    this.admit(oldest);
    oldest.destroy();
  }
}

interface Stranger {
  /** The address is stored here, because a closed socket no longer has it. */
  readonly address: string;
  readonly timer: ReturnType<typeof setTimeout>;
}
