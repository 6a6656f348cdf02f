import type { ModelEvent } from "../ports.ts";
import { ModelError } from "./model-error.ts";

/**
 * The most that one response may hold, in characters of its items and deltas. Each event counts as `EVENT_SIZE` more, so
 * that a response of endless tiny events ends too.
 */
export const RESPONSE_SIZE: number = 64 * 1024 * 1024;
const EVENT_SIZE = 256;

/** Counts what one response holds. */
export class ResponseSize {
  #size = 0;

  /** Throws a `ModelError` if the response is too large with this event. */
  add(event: ModelEvent): void {
    this.#size += EVENT_SIZE;
    if ("delta" in event) this.#size += event.delta.length;
    else if ("item" in event) this.#size += JSON.stringify(event.item).length;
    if (this.#size <= RESPONSE_SIZE) return;
    const text = `a response of the model is larger than ${RESPONSE_SIZE / 1024 / 1024} MiB`;
    throw new ModelError(text, { phase: "stream", final: true });
  }
}
