import type { ServerNotifications } from "../../protocol/index.ts";
import type { NotificationListener } from "../connection/listeners.ts";
import { WIRE_EVENTS, type ClientEvents } from "./events.ts";

type Listen = <M extends keyof ServerNotifications>(
  method: M,
  listener: NotificationListener<M>,
) => () => void;

type Emit = <E extends keyof ClientEvents>(event: E, ...args: ClientEvents[E]) => void;

/**
 * Emits the events with a colon in their name. Each is translated from a wire notification, but only while it has
 * listeners.
 */
export class TranslatedEvents {
  readonly #onNotification: Listen;
  readonly #emit: Emit;
  /** Unsubscribe functions, by event. */
  readonly #stops = new Map<keyof ClientEvents, () => void>();

  constructor(onNotification: Listen, emit: Emit) {
    this.#onNotification = onNotification;
    this.#emit = emit;
  }

  start(event: keyof ClientEvents): void {
    if (!Object.hasOwn(WIRE_EVENTS, event) || this.#stops.has(event)) return;
    const { method, args } = WIRE_EVENTS[event as keyof typeof WIRE_EVENTS];
    const stop = this.#onNotification(method, (params) =>
      this.#emit(event, ...(args as (each: unknown) => never)(params)),
    );
    this.#stops.set(event, stop);
  }

  /** Called when an event has no listeners any more, so that its notification is not parsed. */
  stop(event: keyof ClientEvents): void {
    this.#stops.get(event)?.();
    this.#stops.delete(event);
  }
}
