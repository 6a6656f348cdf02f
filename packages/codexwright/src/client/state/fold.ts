import type { Thread, ThreadItem } from "../../protocol/index.ts";
import { Draft } from "./draft.ts";
import type { ThreadEvent } from "./events.ts";
import { foldEvent } from "./reduce.ts";
import { initialThreadState, type ThreadState, type TurnState } from "./state.ts";

/** A turn as it is right now: valid until the next event, which changes it in place. */
export type LiveTurn = TurnState;

/** The deltas that only add to a text. */
const STREAMS: ReadonlySet<string> = new Set([
  "item/agentMessage/delta",
  "item/commandExecution/outputDelta",
]);

/** How many pieces of text are kept before they are joined. */
const JOIN = 16;

interface TailParams {
  readonly threadId: string;
  readonly turnId: string;
  readonly itemId: string;
  readonly delta: string;
}

interface Tail {
  readonly method: string;
  readonly params: TailParams;
  text: string;
  /** What is to be added to the text. */
  pieces: string[];
}

/**
 * Folds the events of one thread as they come; the fold of {@link reduceThread} without a copy an event.
 *
 * An event costs the same however long the thread, the turn and the text are. States are made when somebody
 * looks.
 */
export class ThreadFold {
  readonly #threadId: string;
  readonly #draft: Draft;
  /** Text that has come for one item and is not in the draft yet. */
  #tail: Tail | undefined;

  constructor(threadId: string) {
    this.#threadId = threadId;
    this.#draft = new Draft(initialThreadState(threadId));
  }

  /** Takes one event; events of other threads are ignored. */
  apply(event: ThreadEvent): void {
    if (this.append(event)) return;
    this.#flush();
    const { params } = event as { params?: Partial<TailParams> | null };
    if (
      STREAMS.has(event.method) &&
      params?.threadId === this.#threadId &&
      typeof params.delta === "string"
    ) {
      this.#tail = { method: event.method, params: params as TailParams, text: params.delta, pieces: [] };
    } else {
      foldEvent(this.#draft, event);
    }
  }

  /**
   * Takes an event that only adds to the text of the item that streams; false, and nothing taken, if it is another.
   * Such deltas come by the thousand, one after the other: their text is collected and folded when somebody looks.
   */
  append(event: ThreadEvent): boolean {
    const tail = this.#tail;
    if (tail === undefined || tail.method !== event.method) return false;
    const params = event.params as TailParams;
    if (params.itemId !== tail.params.itemId || params.turnId !== tail.params.turnId) return false;
    if (params.threadId !== this.#threadId || typeof params.delta !== "string") return false;
    tail.pieces.push(params.delta);
    // Short texts cost more as entries of a list than as characters.
    if (tail.pieces.length === JOIN) {
      tail.text += tail.pieces.join("");
      tail.pieces = [];
    }
    return true;
  }

  /** One item as of now, with everything streamed so far. It does not change any more: the next delta makes another one. */
  item(turnId: string, itemId: string): ThreadItem | undefined {
    this.#flush();
    return this.#draft.item(turnId, itemId)?.item;
  }

  /** Takes a history that `thread/resume` or `thread/read` gave; what was seen live stays. */
  seed(thread: Thread): void {
    this.#flush();
    foldEvent(this.#draft, { method: "thread/seeded", params: { threadId: thread.id, thread } });
  }

  /** The state as of now: the same object until something changes, and never changed afterwards. */
  get state(): ThreadState {
    this.#flush();
    return this.#draft.seal();
  }

  /** The turn that runs now, whoever asked for it; as in the state, without its cost. */
  get activeTurnId(): string | undefined {
    return this.#draft.state.activeTurnId;
  }

  /** The server's requests that nobody has answered yet. */
  get pendingRequests(): ThreadState["pendingRequests"] {
    return this.#draft.requests.list;
  }

  /** One turn as of now, without the cost of a state. */
  turn(turnId: string): LiveTurn | undefined {
    this.#flush();
    return this.#draft.turn(turnId);
  }

  #flush(): void {
    const tail = this.#tail;
    if (!tail) return;
    this.#tail = undefined;
    const params = { ...tail.params, delta: tail.text + tail.pieces.join("") };
    foldEvent(this.#draft, { method: tail.method, params } as ThreadEvent);
  }
}
