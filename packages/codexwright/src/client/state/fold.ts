import type { Thread, ThreadItem } from "../../protocol/index.ts";
import { StateWriter, type TextField } from "./state-writer.ts";
import type { ThreadEvent } from "./events.ts";
import { STREAMS } from "./fold-item.ts";
import { foldEvent } from "./reduce.ts";
import { initialThreadState, type ThreadState, type TurnState } from "./state.ts";
import { StreamingItem } from "./streaming-item.ts";

/** The current turn. Valid until the next event, which changes it in place. */
export type LiveTurn = TurnState;

interface TailParams {
  readonly threadId: string;
  readonly turnId: string;
  readonly itemId: string;
  readonly delta: string;
}

/**
 * Folds the events of one thread like {@link reduceThread}, but without a copy per event.
 *
 * The cost of an event does not depend on the length of the thread, turn or text. State objects are created only when
 * they are read.
 */
export class ThreadFold {
  readonly #threadId: string;
  readonly #writer: StateWriter;
  /** The item that is streaming; undefined after any event that is not a text delta of this item. */
  #tail: StreamingItem | undefined;

  constructor(threadId: string) {
    this.#threadId = threadId;
    this.#writer = new StateWriter(initialThreadState(threadId));
  }

  /** Folds one event. Events of other threads are ignored. */
  apply(event: ThreadEvent): void {
    if (this.append(event)) return;
    this.#flush();
    foldEvent(this.#writer, event);
    this.#tail = this.#tailAfter(event);
  }

  /**
   * Handles an event that only adds text to the streaming item. Returns false, and does nothing, for any other event.
   * Text deltas are very frequent, so their text is collected and folded on the next read.
   */
  append(event: ThreadEvent): boolean {
    const tail = this.#tail;
    if (tail === undefined || tail.method !== event.method) return false;
    const params = event.params as TailParams | null | undefined;
    if (params?.itemId !== tail.itemId || params.turnId !== tail.turnId) return false;
    if (params.threadId !== this.#threadId || typeof params.delta !== "string") return false;
    tail.add(params.delta);
    return true;
  }

  /** The current item with all streamed text. The returned object never changes; the next delta creates a new one. */
  item(turnId: string, itemId: string): ThreadItem | undefined {
    this.#flush();
    return this.#writer.item(turnId, itemId)?.item;
  }

  /** Adds the history from `thread/resume` or `thread/read`. Turns and items that were seen live are kept. */
  seed(thread: Thread): void {
    this.#flush();
    this.#tail = undefined;
    foldEvent(this.#writer, { method: "thread/seeded", params: { threadId: thread.id, thread } });
  }

  /** The current state. Returns the same object until something changes; a returned object never changes. */
  get state(): ThreadState {
    this.#flush();
    return this.#writer.seal();
  }

  /** The running turn, even if another client started it. Cheaper than reading it from `state`. */
  get activeTurnId(): string | undefined {
    return this.#writer.state.activeTurnId;
  }

  /** The server requests that are not answered yet. */
  get pendingRequests(): ThreadState["pendingRequests"] {
    return this.#writer.requests.list;
  }

  /** The current turn of this id. Cheaper than reading it from `state`. */
  turn(turnId: string): LiveTurn | undefined {
    this.#flush();
    return this.#writer.turn(turnId);
  }

  #tailAfter({ method, params }: ThreadEvent): StreamingItem | undefined {
    const stream = STREAMS.get(method);
    const { threadId, turnId, itemId } = (params ?? {}) as TailParams;
    if (!stream || threadId !== this.#threadId) return undefined;
    const { type, field } = stream;
    const place = this.#writer.placeOf(turnId, itemId);
    const known = place && this.#writer.state.turns[place.turn]?.items[place.item];
    if (!place || known?.item.type !== type || known.life === "completed") return undefined;
    const text = (known.item as { readonly [F in TextField]?: unknown })[field];
    if (typeof text !== "string") return undefined;
    return new StreamingItem({ method, turnId, itemId, field, place }, text);
  }

  /** Writes the streamed text into the state. */
  #flush(): void {
    const tail = this.#tail;
    if (tail && !tail.isShown) this.#writer.putText(tail.place, tail.field, tail.show());
  }
}
