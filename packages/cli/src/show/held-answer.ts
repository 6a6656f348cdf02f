import type { TurnEvent } from "codexwright";

/**
 * Holds back the last message of a turn: it may be the answer, which is printed elsewhere. A message that is
 * followed by another event was not the answer, and is shown then.
 */
export class HeldAnswer {
  #held: TurnEvent[] = [];
  #id: string | undefined;

  /** Returns the events to show now. */
  push(event: TurnEvent): readonly TurnEvent[] {
    const id = messageOf(event);
    if (id !== undefined) {
      const before = id === this.#id ? [] : this.#release();
      this.#id = id;
      this.#held.push(event);
      return before;
    }
    if (event.method === "turn/completed" && event.params.turn.status === "completed") {
      this.#held = [];
      return [event];
    }
    const isNext = event.method === "turn/completed" || itemOf(event) !== undefined;
    return isNext ? [...this.#release(), event] : [event];
  }

  #release(): readonly TurnEvent[] {
    this.#id = undefined;
    return this.#held.splice(0);
  }
}

/** Returns the id of the message that an event belongs to, if it may be the answer. */
function messageOf(event: TurnEvent): string | undefined {
  if (event.method === "item/agentMessage/delta") return event.params.itemId;
  const item = itemOf(event);
  return item?.type === "agentMessage" && item.phase !== "commentary" ? item.id : undefined;
}

interface Item {
  readonly type: string;
  readonly id: string;
  readonly phase?: unknown;
}

function itemOf({ params }: TurnEvent): Item | undefined {
  return (params as { readonly item?: Item }).item;
}
