import type { ThreadItem } from "../../protocol/index.ts";
import { RequestList } from "./request-list.ts";
import { MAX_TURNS, type ItemState, type ThreadState, type TurnState } from "./state.ts";
import { tokensOf } from "./tokens.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A turn that no caller has received yet, so it can be changed in place. */
export type WritableTurn = Mutable<Omit<TurnState, "items">> & { items: ItemState[] };
/** The item fields that receive streamed text. */
export type TextField = "text" | "aggregatedOutput";
/** Indices of a turn in the state and of an item in that turn. */
export interface ItemPlace {
  readonly turn: number;
  readonly item: number;
}
type WritableState = Mutable<Omit<ThreadState, "turns">> & { turns: TurnState[] };

/**
 * How many turns can be changed in place: the running turn, and earlier turns whose commands still run in the
 * background.
 */
const OWN_TURNS = 4;

/**
 * A state that is being changed. Objects that no caller has received are changed in place; all others are copied first.
 *
 * So the same folds serve the pure reducer, which must copy each object before its first change, and a long-lived fold,
 * which copies an object only if a caller has read it. Only containers of items are changed in place. Items are always
 * replaced, so an item that a caller has received never changes.
 */
export class StateWriter {
  /** The server requests that are not answered yet. */
  readonly requests: RequestList;
  #state: ThreadState;
  /** Whether the state object was created here since the last `seal`. */
  #isOwn = false;
  /**
   * The turns that were created here since the last `seal`, at most `OWN_TURNS`. If a turn drops out of this list, the
   * next change copies it once more.
   */
  #ownTurns: TurnState[] = [];
  /** The index of each item, by turn and item id; created on first use. */
  readonly #places = new Map<string, Map<string, number>>();

  constructor(state: ThreadState) {
    this.#state = state;
    this.requests = new RequestList(state.pendingRequests);
  }

  /** The current state, read-only. */
  get state(): Omit<ThreadState, "pendingRequests"> {
    return this.#state;
  }

  /** Returns the state. After this, objects are copied before they are changed. */
  seal(): ThreadState {
    const pendingRequests = this.requests.list;
    if (pendingRequests !== this.#state.pendingRequests) this.write().pendingRequests = pendingRequests;
    this.#isOwn = false;
    if (this.#ownTurns.length > 0) this.#ownTurns = [];
    return this.#state;
  }

  /** Returns the state for a change. Call it only for a real change, because it may copy. */
  write(): WritableState {
    if (!this.#isOwn) {
      const state = { ...this.#state } as WritableState;
      state.turns = state.turns.slice();
      this.#state = state;
      this.#isOwn = true;
    }
    return this.#state as WritableState;
  }

  /** Finds a turn by its id; a review also by the id of its reviewer. */
  turn(id: string): TurnState | undefined {
    return this.#state.turns[this.#placeOfTurn(id)];
  }

  /** Returns the turn for a change; creates it if it is unknown. */
  writeTurn(id: string): WritableTurn {
    const place = this.#placeOfTurn(id);
    if (place >= 0) return this.#writeTurnAt(place);
    const { usage } = this.#state;
    return this.addTurn({ ...newTurn(id), ...(usage && { usageBefore: tokensOf(usage) }) });
  }

  #writeTurnAt(place: number): WritableTurn {
    const { turns } = this.write();
    const known = turns[place] as TurnState;
    if (this.#ownTurns.includes(known)) return known as WritableTurn;
    const copy = { ...known } as WritableTurn;
    copy.items = known.items.slice();
    turns[place] = copy;
    return this.#made(copy);
  }

  /** Adds a turn at the end or at an index, and drops the oldest turn beyond the limit. */
  addTurn(turn: WritableTurn, at?: number): WritableTurn {
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

  /** Adds an item to its turn, or replaces its earlier version. */
  putItem(turnId: string, entry: ItemState): void {
    const turn = this.writeTurn(turnId);
    const place = this.#placeOfItem(turn, entry.item.id);
    if (place >= 0) {
      turn.items[place] = entry;
    } else {
      turn.items.push(entry);
      this.#places.get(turn.id)?.set(entry.item.id, turn.items.length - 1);
    }
  }

  /** The indices of an item; valid until the next event is folded. */
  placeOf(turnId: string, itemId: string): ItemPlace | undefined {
    const turn = this.#placeOfTurn(turnId);
    const known = this.#state.turns[turn];
    const item = known ? this.#placeOfItem(known, itemId) : -1;
    return item < 0 ? undefined : { turn, item };
  }

  /** Replaces the text of the item at this place. */
  putText({ turn, item }: ItemPlace, field: TextField, text: string): void {
    const { items } = this.#writeTurnAt(turn);
    items[item] = withText(items[item] as ItemState, field, text);
  }

  #made(turn: WritableTurn): WritableTurn {
    if (this.#ownTurns.length === OWN_TURNS) this.#ownTurns.shift();
    this.#ownTurns.push(turn);
    return turn;
  }

  #placeOfTurn(id: string): number {
    const last = this.#state.turns.length - 1;
    if (this.#state.turns[last]?.id === id) return last;
    return this.#state.turns.findLastIndex((turn) => turn.id === id || turn.reviewerTurnId === id);
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

/** A turn with a known id and nothing else. */
export function newTurn(id: string): WritableTurn {
  return { id, status: "inProgress", items: [] };
}

/** A copy of the item with another text. An item that a caller has received never changes. */
export function withText(known: ItemState, field: TextField, text: string): ItemState {
  // Copy, then assign: literals that spread and override take twice the time.
  const item = { ...known.item } as ThreadItem & { [F in TextField]?: string | null };
  item[field] = text;
  const entry: Mutable<ItemState> = { ...known };
  entry.item = item;
  return entry;
}
