import type { ThreadItem, Turn as WireTurn } from "../../protocol/index.ts";
import { TurnNotStartedError } from "../errors.ts";
import type { TurnState } from "../state/index.ts";
import type { TurnHost } from "./turn-host.ts";

/** The turn at its end. Kept here because the thread's state drops old turns. */
type Ended = Pick<WireTurn, "status" | "items" | "error">;

/** The wire fields of a turn, as far as its events have reported them. */
export abstract class TurnFields {
  readonly threadId: string;
  readonly #of: Pick<TurnHost, "fold">;
  #ended: Ended | undefined;

  protected constructor(of: Pick<TurnHost, "threadId" | "fold">) {
    this.threadId = of.threadId;
    this.#of = of;
  }

  protected abstract get knownId(): string | undefined;

  /** The id of the turn. Throws before `started` has resolved. */
  get id(): string {
    if (this.knownId === undefined) throw new TurnNotStartedError();
    return this.knownId;
  }

  /** `<thread id>-<turn id>`: one name for both, for logs. */
  get sessionId(): string {
    return `${this.threadId}-${this.id}`;
  }

  /** Returns false only if the turn has another id. A starting turn may still get this id. */
  mayBe(turnId: string): boolean {
    const { knownId } = this;
    return knownId === undefined || knownId === turnId || this.#of.fold.turn(turnId)?.id === knownId;
  }

  /** The folded state of the turn, as long as the thread keeps it. */
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

  /** All items of the turn so far, in order of first appearance, with all streamed text. */
  get items(): ThreadItem[] {
    return this.#ended ? [...this.#ended.items] : this.#itemsNow();
  }

  /** The server's error, if it reported one for this turn. */
  get error(): WireTurn["error"] {
    return this.#ended?.error ?? null;
  }

  /** Stores the final state of the turn. */
  protected endAs(turn: Pick<WireTurn, "status" | "error">): void {
    this.#ended ??= { status: turn.status, error: turn.error ?? null, items: this.#itemsNow() };
  }

  #itemsNow(): ThreadItem[] {
    const { knownId } = this;
    const live = knownId === undefined ? undefined : this.#of.fold.turn(knownId);
    return (live?.items ?? []).map(({ item }) => item);
  }
}
