import type { ThreadItem, Turn as WireTurn } from "../../protocol/index.ts";
import { TurnNotStartedError } from "../errors.ts";
import type { TurnState } from "../state/index.ts";
import type { TurnHost } from "./turn-host.ts";

/** What a turn was when it ended: the thread's state forgets old turns. */
type Ended = Pick<WireTurn, "status" | "items" | "error">;

/** The wire's fields of a turn, as far as its events have reported them. */
export abstract class TurnFields {
  readonly threadId: string;
  readonly #of: Pick<TurnHost, "fold">;
  #ended: Ended | undefined;

  protected constructor(of: Pick<TurnHost, "threadId" | "fold">) {
    this.threadId = of.threadId;
    this.#of = of;
  }

  protected abstract get knownId(): string | undefined;

  /** Known once `started` has resolved. */
  get id(): string {
    if (this.knownId === undefined) throw new TurnNotStartedError();
    return this.knownId;
  }

  /** `<thread id>-<turn id>`, for logs that need one name for both. */
  get sessionId(): string {
    return `${this.threadId}-${this.id}`;
  }

  /** Returns false only if the turn has another id; a turn that is being started may get this one. */
  mayBe(turnId: string): boolean {
    const { knownId } = this;
    return knownId === undefined || knownId === turnId || this.#of.fold.turn(turnId)?.id === knownId;
  }

  /** The turn's folded state so far, while the thread remembers it. */
  get state(): TurnState | undefined {
    return this.#of.fold.state.turns.find((turn) => turn.id === this.knownId);
  }

  /**
   * "inProgress" until the turn has ended. If the server never reported its end, a turn that had started is
   * "interrupted" and any other is "failed".
   */
  get status(): WireTurn["status"] {
    return this.#ended?.status ?? "inProgress";
  }

  /** Every item of the turn so far, in the order they first appeared, with all that was streamed of it. */
  get items(): ThreadItem[] {
    return this.#ended ? [...this.#ended.items] : this.#itemsNow();
  }

  /** Why the server ended the turn, if it reported that. */
  get error(): WireTurn["error"] {
    return this.#ended?.error ?? null;
  }

  /** Keeps what the turn is now, as its last state. */
  protected endAs(turn: Pick<WireTurn, "status" | "error">): void {
    this.#ended ??= { status: turn.status, error: turn.error ?? null, items: this.#itemsNow() };
  }

  #itemsNow(): ThreadItem[] {
    const { knownId } = this;
    const live = knownId === undefined ? undefined : this.#of.fold.turn(knownId);
    return (live?.items ?? []).map(({ item }) => item);
  }
}
