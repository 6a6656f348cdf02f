import type { ServerNotifications } from "../../protocol/index.ts";
import type { NotificationListener } from "../connection/listeners.ts";
import { WIRE_EVENTS, type ClientEvents } from "./events.ts";

type Listen = <M extends keyof ServerNotifications>(
  method: M,
  listener: NotificationListener<M>,
) => () => void;

type Emit = <E extends keyof ClientEvents>(event: E, ...args: ClientEvents[E]) => void;

/** Emits the events with a colon, each translated from a wire notification, while they have listeners. */
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

  /** A notification without listeners is not parsed. */
  stop(event: keyof ClientEvents): void {
    this.#stops.get(event)?.();
    this.#stops.delete(event);
  }
}
