import type { ConnectedClient } from "./connected-client.ts";

const NOBODY: ReadonlySet<ConnectedClient> = new Set();

/** Tracks which connections follow which threads. */
export class Subscriptions {
  readonly #byThread = new Map<string, Set<ConnectedClient>>();
  readonly #byPeer = new Map<ConnectedClient, Set<string>>();
  readonly #abandoned: (threadId: string) => void;

  /** @param abandoned called when a thread has lost its last subscriber */
  constructor(abandoned: (threadId: string) => void) {
    this.#abandoned = abandoned;
  }

  of(threadId: string): ReadonlySet<ConnectedClient> {
    return this.#byThread.get(threadId) ?? NOBODY;
  }

  /** Returns false if the connection already follows the thread or has ended. */
  add(peer: ConnectedClient, threadId: string): boolean {
    if (peer.signal.aborted) return false;
    const peers = this.#byThread.get(threadId) ?? new Set();
    if (peers.has(peer)) return false;
    this.#byThread.set(threadId, peers.add(peer));
    this.#byPeer.set(peer, (this.#byPeer.get(peer) ?? new Set()).add(threadId));
    return true;
  }

  remove(peer: ConnectedClient, threadId: string): boolean {
    const peers = this.#byThread.get(threadId);
    if (!peers?.delete(peer)) return false;
    this.#byPeer.get(peer)?.delete(threadId);
    if (peers.size > 0) return true;
    this.#byThread.delete(threadId);
    this.#abandoned(threadId);
    return true;
  }

  drop(peer: ConnectedClient): void {
    for (const threadId of this.#byPeer.get(peer) ?? []) this.remove(peer, threadId);
    this.#byPeer.delete(peer);
  }
}
