import type { Thread, ThreadItem } from "../../protocol/index.ts";
import { StateWriter, type TextField } from "./state-writer.ts";
import type { ThreadEvent } from "./events.ts";
import { STREAMS } from "./fold-item.ts";
import { foldEvent } from "./reduce.ts";
import { initialThreadState, type ThreadState, type TurnState } from "./state.ts";
import { StreamingItem } from "./streaming-item.ts";

/** A turn as it is right now: valid until the next event, which changes it in place. */
export type LiveTurn = TurnState;

interface TailParams {
  readonly threadId: string;
  readonly turnId: string;
  readonly itemId: string;
  readonly delta: string;
}

/**
 * Folds the events of one thread as they come; the fold of {@link reduceThread} without a copy an event.
 *
 * An event costs the same however long the thread, the turn and the text are. States are made when somebody
 * looks.
 */
export class ThreadFold {
  readonly #threadId: string;
  readonly #writer: StateWriter;
  /** The item whose deltas come one after the other; none once something else has come. */
  #tail: StreamingItem | undefined;

  constructor(threadId: string) {
    this.#threadId = threadId;
    this.#writer = new StateWriter(initialThreadState(threadId));
  }

  /** Takes one event; events of other threads are ignored. */
  apply(event: ThreadEvent): void {
    if (this.append(event)) return;
    this.#flush();
    foldEvent(this.#writer, event);
    this.#tail = this.#tailAfter(event);
  }

  /**
   * Takes an event that only adds to the text of the item that streams; false, and nothing taken, if it is another.
   * Such deltas come by the thousand, one after the other: their text is collected and folded when somebody looks.
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

  /** One item as of now, with everything streamed so far. It does not change any more: the next delta makes another one. */
  item(turnId: string, itemId: string): ThreadItem | undefined {
    this.#flush();
    return this.#writer.item(turnId, itemId)?.item;
  }

  /** Takes a history that `thread/resume` or `thread/read` gave; what was seen live stays. */
  seed(thread: Thread): void {
    this.#flush();
    this.#tail = undefined;
    foldEvent(this.#writer, { method: "thread/seeded", params: { threadId: thread.id, thread } });
  }

  /** The state as of now: the same object until something changes, and never changed afterwards. */
  get state(): ThreadState {
    this.#flush();
    return this.#writer.seal();
  }

  /** The turn that runs now, whoever asked for it; as in the state, without its cost. */
  get activeTurnId(): string | undefined {
    return this.#writer.state.activeTurnId;
  }

  /** The server's requests that nobody has answered yet. */
  get pendingRequests(): ThreadState["pendingRequests"] {
    return this.#writer.requests.list;
  }

  /** One turn as of now, without the cost of a state. */
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
