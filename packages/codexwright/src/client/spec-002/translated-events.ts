import { WIRE_EVENTS, type ClientEvents } from "../connection/events.ts";
import type { ClientCore } from "../connection/core.ts";

type Emit = <E extends keyof ClientEvents>(event: E, ...args: ClientEvents[E]) => void;

/** Emits events with a colon, each made of a wire notification, while they have listeners. */
export class TranslatedEvents {
  readonly #onNotification: ClientCore["onNotification"];
  readonly #emit: Emit;
  /** How to stop, by event. */
  readonly #stops = new Map<keyof ClientEvents, () => void>();

  constructor(onNotification: ClientCore["onNotification"], emit: Emit) {
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

  /** A notification that no listener needs any more is not parsed. */
  stop(event: keyof ClientEvents): void {
    this.#stops.get(event)?.();
    this.#stops.delete(event);
  }
}
