import type { ThreadHost } from "./thread-route.ts";
import { ThreadRoute } from "./thread-route.ts";

/**
 * The threads a client knows. A route lives as long as somebody holds a handle of its thread or a turn runs on
 * it, so a client that starts a thousand threads does not keep a thousand states.
 */
export class ThreadTable {
  readonly #busy = new Map<string, ThreadRoute>();
  readonly #known = new Map<string, WeakRef<ThreadRoute>>();
  readonly #gone = new FinalizationRegistry<string>((threadId) => {
    if (!this.#known.get(threadId)?.deref()) this.#known.delete(threadId);
  });

  get(threadId: string): ThreadRoute | undefined {
    return this.#busy.get(threadId) ?? this.#known.get(threadId)?.deref();
  }

  open(threadId: string, host: ThreadHost): ThreadRoute {
    const known = this.get(threadId);
    if (known) return known;
    const route = new ThreadRoute(threadId, host);
    this.#known.set(threadId, new WeakRef(route));
    this.#gone.register(route, threadId);
    return route;
  }

  keep(route: ThreadRoute, busy: boolean): void {
    if (busy) this.#busy.set(route.threadId, route);
    else this.#busy.delete(route.threadId);
  }

  /** Routes of threads that run a turn or have turns waiting. */
  active(): ThreadRoute[] {
    return [...this.#busy.values()];
  }
}
