import type { ThreadItem } from "../../protocol/index.ts";
import { RequestList } from "./request-list.ts";
import { MAX_TURNS, type ItemState, type ThreadState, type TurnState } from "./state.ts";
import { tokensOf } from "./tokens.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A turn that nobody else has seen yet. */
export type WritableTurn = Mutable<Omit<TurnState, "items">> & { items: ItemState[] };
/** Where an item holds the text that is streamed. */
export type TextField = "text" | "aggregatedOutput";
/** Indices into a state's turns and that turn's items. */
export interface ItemPlace {
  readonly turn: number;
  readonly item: number;
}
type WritableState = Mutable<Omit<ThreadState, "turns">> & { turns: TurnState[] };

/** Turns that change at once: the one that runs, and commands of earlier ones that were left in the background. */
const OWN_TURNS = 4;

/**
 * A state under change: what nobody else has seen is changed in place, the rest is copied first.
 *
 * So one folding code serves both the pure reducer (nothing is ours at first) and a long-lived fold
 * (everything is ours until it is looked at). Only what holds items is ever changed in place; the items
 * themselves are replaced, so an item that was handed out stays what it was.
 */
export class StateWriter {
  /** The server's requests that nobody has answered yet. */
  readonly requests: RequestList;
  #state: ThreadState;
  /** Whether the state was made here since it was last looked at. */
  #isOwn = false;
  /** The turns that were, those changed last: a turn that has left the list is copied once more, which is all. */
  #ownTurns: TurnState[] = [];
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
    this.#isOwn = false;
    if (this.#ownTurns.length > 0) this.#ownTurns = [];
    return this.#state;
  }

  /** The state, to be changed. Whoever asks does change it. */
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

  /** The turn, to be changed; a new one if there was none. */
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

  /** Adds a turn, at the end or at a place, and forgets the oldest one too many. */
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

  /** Puts an item into its turn, in the place of its last version if there is one. */
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

  /** Where an item is; valid until an event is folded. */
  placeOf(turnId: string, itemId: string): ItemPlace | undefined {
    const turn = this.#placeOfTurn(turnId);
    const known = this.#state.turns[turn];
    const item = known ? this.#placeOfItem(known, itemId) : -1;
    return item < 0 ? undefined : { turn, item };
  }

  /** Gives the item there another text. */
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

/** A turn of which only the id is known. */
export function newTurn(id: string): WritableTurn {
  return { id, status: "inProgress", items: [] };
}

/** An item with another text: a new one, for what was handed out stays as it was. */
export function withText(known: ItemState, field: TextField, text: string): ItemState {
  // Copied first and set then: literals that spread and override take twice the time.
  const item = { ...known.item } as ThreadItem & { [F in TextField]?: string | null };
  item[field] = text;
  const entry: Mutable<ItemState> = { ...known };
  entry.item = item;
  return entry;
}
