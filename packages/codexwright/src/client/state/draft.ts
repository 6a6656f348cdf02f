import { RequestList } from "./request-list.ts";
import { MAX_TURNS, type ItemState, type ThreadState, type TurnState } from "./state.ts";
import { tokensOf } from "./tokens.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A turn that only its draft sees. */
export type DraftTurn = Mutable<Omit<TurnState, "items">> & { items: ItemState[] };
type DraftState = Mutable<Omit<ThreadState, "turns">> & { turns: TurnState[] };

/**
 * A state under change: what nobody else has seen is changed in place, the rest is copied first.
 *
 * So one folding code serves both the pure reducer (nothing is ours at first) and a long-lived fold
 * (everything is ours until it is looked at). Only what holds items is ever changed in place; the items
 * themselves are replaced, so an item that was handed out stays what it was.
 */
export class Draft {
  /** The server's requests that nobody has answered yet. */
  readonly requests: RequestList;
  #state: ThreadState;
  /** What was made here since the state was last looked at. */
  #own = new WeakSet<object>();
  /** Where a turn's items are, by turn and item; made when first needed. */
  readonly #places = new Map<string, Map<string, number>>();

  constructor(state: ThreadState) {
    this.#state = state;
    this.requests = new RequestList(state.pendingRequests);
  }

  /** The state as it stands, to read only. */
  get state(): Omit<ThreadState, "pendingRequests"> {
    return this.#state;
  }

  /** Gives the state away: from now on it is copied before it is changed. */
  seal(): ThreadState {
    const pendingRequests = this.requests.list;
    if (pendingRequests !== this.#state.pendingRequests) this.write().pendingRequests = pendingRequests;
    if (this.#own.has(this.#state)) this.#own = new WeakSet();
    return this.#state;
  }

  /** The state, to be changed. Whoever asks does change it. */
  write(): DraftState {
    if (!this.#own.has(this.#state)) {
      this.#state = this.#made({ ...this.#state, turns: [...this.#state.turns] });
    }
    return this.#state as DraftState;
  }

  turn(id: string): TurnState | undefined {
    return this.#state.turns[this.#placeOfTurn(id)];
  }

  /** The turn, to be changed; a new one if there was none. */
  writeTurn(id: string): DraftTurn {
    const state = this.write();
    const place = this.#placeOfTurn(id);
    const known = state.turns[place];
    if (!known)
      return this.addTurn({ ...newTurn(id), ...(state.usage && { usageBefore: tokensOf(state.usage) }) });
    if (this.#own.has(known)) return known as DraftTurn;
    const copy = this.#made({ ...known, items: [...known.items] });
    state.turns[place] = copy;
    return copy;
  }

  /** Adds a turn, at the end or at a place, and forgets the oldest one too many. */
  addTurn(turn: DraftTurn, at?: number): DraftTurn {
    const state = this.write();
    state.turns.splice(at ?? state.turns.length, 0, this.#made(turn));
    const oldest = state.turns.find(({ id }) => id !== state.activeTurnId);
    if (oldest && state.turns.length > MAX_TURNS) this.dropTurns((other) => other === oldest);
    return turn;
  }

  dropTurns(which: (turn: TurnState, place: number) => boolean): void {
    const kept: TurnState[] = [];
    for (const [place, turn] of this.#state.turns.entries()) {
      if (which(turn, place)) this.#places.delete(turn.id);
      else kept.push(turn);
    }
    if (kept.length < this.#state.turns.length) this.write().turns = kept;
  }

  item(turnId: string, itemId: string): ItemState | undefined {
    const turn = this.turn(turnId);
    return turn?.items[this.#placeOfItem(turn, itemId)];
  }

  /** Puts an item into its turn, in the place of its last version if there is one. */
  putItem(turnId: string, entry: ItemState): void {
    const turn = this.writeTurn(turnId);
    const place = this.#placeOfItem(turn, entry.item.id);
    if (place >= 0) {
      turn.items[place] = entry;
    } else {
      turn.items.push(entry);
      this.#places.get(turnId)?.set(entry.item.id, turn.items.length - 1);
    }
  }

  #made<T extends object>(value: T): T {
    this.#own.add(value);
    return value;
  }

  #placeOfTurn(id: string): number {
    const last = this.#state.turns.length - 1;
    if (this.#state.turns[last]?.id === id) return last;
    return this.#state.turns.findLastIndex((turn) => turn.id === id);
  }

  #placeOfItem(turn: TurnState, itemId: string): number {
    const last = turn.items.length - 1;
    if (turn.items[last]?.item.id === itemId) return last;
    let places = this.#places.get(turn.id);
    if (!places) {
      places = new Map(turn.items.map(({ item }, place) => [item.id, place]));
      this.#places.set(turn.id, places);
    }
    return places.get(itemId) ?? -1;
  }
}

/** A turn of which only the id is known. */
export function newTurn(id: string): DraftTurn {
  return { id, status: "inProgress", items: [] };
}
