import { checkArgument, text } from "../../rpc/options/check.ts";
import { RecentMap } from "../../rpc/recent-map.ts";
import type { ServerEvent } from "../../protocol/index.ts";
import { followLife, newFacts, type ThreadFacts } from "./thread-facts.ts";
import { ThreadRoute, type ThreadHost } from "./thread-route.ts";

/**
 * Maximum number of busy threads that are kept although this client did not work on them. A server can report any
 * number of such threads.
 */
const STRANGERS_KEPT = 256;

/**
 * The threads that a client knows. The state of a thread lives as long as the program holds a handle of it, or a turn
 * runs or waits on it. So a client that starts a thousand threads does not keep a thousand states. The few facts that a
 * later call with the thread id needs are kept for the lifetime of the client, but only for threads that this client
 * opened or ran turns on. Of all other threads, only the most recent ones are followed.
 */
export class ThreadTable {
  readonly #busy = new Map<string, ThreadRoute>();
  /**
   * Busy threads for which no facts are kept. A route that is dropped from this map lives on as long as a handle holds
   * it.
   */
  readonly #strangers = new RecentMap<string, ThreadRoute>(STRANGERS_KEPT);
  readonly #known = new Map<string, WeakRef<ThreadRoute>>();
  readonly #facts = new Map<string, ThreadFacts>();
  readonly #gone = new FinalizationRegistry<string>((threadId) => {
    if (!this.#known.get(threadId)?.deref()) this.#known.delete(threadId);
  });

  get(threadId: string): ThreadRoute | undefined {
    return this.#busy.get(threadId) ?? this.#known.get(threadId)?.deref();
  }

  /**
   * Returns the route of a thread, and creates it again if it was garbage-collected. Returns `undefined` if this client
   * never worked on the thread.
   */
  recall(threadId: string, host: ThreadHost): ThreadRoute | undefined {
    return this.get(threadId) ?? (this.#facts.has(threadId) ? this.open(threadId, host) : undefined);
  }

  open(threadId: string, host: ThreadHost): ThreadRoute {
    const known = this.get(threadId);
    if (known) return known;
    checkArgument("thread()", "id", threadId, text);
    const route = new ThreadRoute(threadId, host, this.#facts.get(threadId) ?? newFacts());
    this.#known.set(threadId, new WeakRef(route));
    this.#gone.register(route, threadId);
    return route;
  }

  keep(route: ThreadRoute, needed: boolean): void {
    const { threadId } = route;
    if (!needed) {
      this.#busy.delete(threadId);
      this.#strangers.delete(threadId);
    } else if (this.#facts.has(threadId)) this.#busy.set(threadId, route);
    else this.#strangers.set(threadId, route);
  }

  /** Called when this client works on the thread: its facts are kept from now on. */
  remember({ threadId, facts }: ThreadRoute): void {
    if (this.#facts.has(threadId)) return;
    this.#facts.set(threadId, facts);
    const stranger = this.#strangers.get(threadId);
    if (!stranger) return;
    this.#strangers.delete(threadId);
    this.#busy.set(threadId, stranger);
  }

  /** Updates the facts of a thread from an event, even if the program holds no handle of the thread. */
  follow(threadId: string, event: ServerEvent): void {
    if (!event.method.startsWith("thread/")) return;
    const facts = this.get(threadId)?.facts ?? this.#facts.get(threadId);
    if (facts) followLife(facts, event);
    // A deleted thread is never used again.
    if (event.method === "thread/deleted") this.#facts.delete(threadId);
  }

  /** Routes with a turn that runs or waits. */
  busy(): ThreadRoute[] {
    return [...this.#busy.values(), ...this.#strangers.values()];
  }

  /** Called when the server was lost: its replacement has no subscriptions of this client. */
  unsubscribeAll(): void {
    for (const facts of this.#facts.values()) facts.subscribed = false;
  }

  /** All routes that the program may still hold. */
  live(): ThreadRoute[] {
    return [...this.#known.values()].flatMap((ref) => ref.deref() ?? []);
  }
}
