import type { Peer } from "./peer.ts";

const NOBODY: ReadonlySet<Peer> = new Set();

/** Which connections follow which threads. */
export class Subscriptions {
  readonly #byThread = new Map<string, Set<Peer>>();

  of(threadId: string): ReadonlySet<Peer> {
    return this.#byThread.get(threadId) ?? NOBODY;
  }

  /** False where it followed already, or cannot any more. */
  add(peer: Peer, threadId: string): boolean {
    if (peer.signal.aborted) return false;
    const peers = this.#byThread.get(threadId) ?? new Set();
    if (peers.has(peer)) return false;
    this.#byThread.set(threadId, peers.add(peer));
    return true;
  }

  remove(peer: Peer, threadId: string): boolean {
    const peers = this.#byThread.get(threadId);
    if (!peers?.delete(peer)) return false;
    if (peers.size === 0) this.#byThread.delete(threadId);
    return true;
  }

  drop(peer: Peer): void {
    for (const threadId of this.#byThread.keys()) this.remove(peer, threadId);
  }
}
