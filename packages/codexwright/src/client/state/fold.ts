import type { Thread, ThreadItem } from "../../protocol/index.ts";
import { Draft } from "./draft.ts";
import type { ThreadEvent } from "./events.ts";
import { foldEvent } from "./reduce.ts";
import { initialThreadState, type ThreadState, type TurnState } from "./state.ts";

/** A turn as it is right now: valid until the next event, which changes it in place. */
export type LiveTurn = TurnState;

/**
 * Folds the events of one thread as they come; the fold of {@link reduceThread} without a copy an event.
 *
 * An event costs the same however long the thread, the turn and the text are. States are made when somebody
 * looks.
 */
export class ThreadFold {
  readonly #draft: Draft;

  constructor(threadId: string) {
    this.#draft = new Draft(initialThreadState(threadId));
  }

  /**
   * Takes one event; gives the item it was about, with everything streamed so far.
   *
   * That item does not change any more: the next delta makes another one. Events of other threads are ignored.
   */
  apply(event: ThreadEvent): ThreadItem | undefined {
    return foldEvent(this.#draft, event);
  }

  /** Takes a history that `thread/resume` or `thread/read` gave; what was seen live stays. */
  seed(thread: Thread): void {
    foldEvent(this.#draft, { method: "thread/seeded", params: { threadId: thread.id, thread } });
  }

  /** The state as of now: the same object until something changes, and never changed afterwards. */
  get state(): ThreadState {
    return this.#draft.seal();
  }

  /** The turn that runs now, whoever asked for it; as in the state, without its cost. */
  get activeTurnId(): string | undefined {
    return this.#draft.state.activeTurnId;
  }

  /** One turn as of now, without the cost of a state. */
  turn(turnId: string): LiveTurn | undefined {
    return this.#draft.turn(turnId);
  }
}
