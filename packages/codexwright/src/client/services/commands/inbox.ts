import type { ServerNotifications } from "../../../protocol/index.ts";
import type { ServiceHost } from "../service-host.ts";

type Sink<P> = (params: P) => void;

/**
 * Routes each notification of one method to the subscriber of its id, with one look-up. Subscribes to a client on first
 * use.
 */
export class Inbox<M extends keyof ServerNotifications> {
  readonly #method: M;
  readonly #idOf: (params: ServerNotifications[M]) => string;
  readonly #sinks = new WeakMap<ServiceHost, Map<string, Sink<ServerNotifications[M]>>>();

  constructor(method: M, idOf: (params: ServerNotifications[M]) => string) {
    this.#method = method;
    this.#idOf = idOf;
  }

  /** Returns an unsubscribe function. */
  open(host: ServiceHost, id: string, sink: Sink<ServerNotifications[M]>): () => void {
    const sinks = this.#sinks.get(host) ?? this.#listen(host);
    sinks.set(id, sink);
    return () => sinks.delete(id);
  }

  #listen(host: ServiceHost): Map<string, Sink<ServerNotifications[M]>> {
    const sinks = new Map<string, Sink<ServerNotifications[M]>>();
    this.#sinks.set(host, sinks);
    host.onNotification(this.#method, (params) => sinks.get(this.#idOf(params))?.(params));
    return sinks;
  }
}
