import type { ServerEvent, ThreadItem } from "../../protocol/index.ts";
import type { ThreadFold } from "../state/index.ts";

/** A notification of a turn, with the item that the notification is about. */
export type TurnEvent = ServerEvent & {
  /** Timestamp of the server, if it sends one. */
  readonly emittedAtMs?: number;
  /** The item of this event, with everything folded until now. A slow consumer may see a later state of the item. */
  readonly item?: ThreadItem | undefined;
};

/** Looks the item up on first access: most consumers never read it, and a delta must stay cheap. */
class LiveEvent {
  readonly method: string;
  readonly params: unknown;
  readonly emittedAtMs: number | undefined;
  readonly #fold: ThreadFold;

  constructor(method: string, params: unknown, emittedAtMs: number | undefined, fold: ThreadFold) {
    this.method = method;
    this.params = params;
    this.emittedAtMs = emittedAtMs;
    this.#fold = fold;
  }

  get item(): ThreadItem | undefined {
    const { turnId, itemId, item } = this.params as {
      turnId?: string;
      itemId?: string;
      item?: { id: string };
    };
    const id = itemId ?? item?.id;
    return turnId === undefined || id === undefined ? undefined : this.#fold.item(turnId, id);
  }

  with(params: unknown): LiveEvent {
    return new LiveEvent(this.method, params, this.emittedAtMs, this.#fold);
  }
}

/** The event as iterators and subscribers receive it. */
export function liveEvent(event: ServerEvent, fold: ThreadFold): TurnEvent {
  const { method, params, emittedAtMs } = event as TurnEvent;
  return new LiveEvent(method, params, emittedAtMs, fold) as unknown as TurnEvent;
}

/** The same event with other params. */
export function withParams(event: TurnEvent, params: unknown): TurnEvent {
  return (event as unknown as LiveEvent).with(params) as unknown as TurnEvent;
}
