import { expect } from "vitest";
import {
  initialThreadState,
  reduceThread,
  ThreadFold,
  type ItemState,
  type ThreadEvent,
  type ThreadState,
} from "codexwright/client";

export const THREAD = "t1";
const ids = { threadId: THREAD, turnId: "u1" };

/** An event of thread t1 and, unless the params name another, of its turn u1. */
export function note(method: string, params: object = {}): ThreadEvent {
  return { method, params: { ...ids, ...params } } as unknown as ThreadEvent;
}

/** An event about turn u1 or another turn. */
export function turnNote(method: "turn/started" | "turn/completed", turn: object = {}): ThreadEvent {
  const status = method === "turn/started" ? "inProgress" : "completed";
  return {
    method,
    params: { threadId: THREAD, turn: { id: "u1", status, items: [], ...turn } },
  } as unknown as ThreadEvent;
}

export const running: ThreadEvent = turnNote("turn/started");
export const ended: ThreadEvent = turnNote("turn/completed");

export const started = (item: object, turnId = "u1"): ThreadEvent => note("item/started", { turnId, item });
export const completed = (item: object, turnId = "u1"): ThreadEvent =>
  note("item/completed", { turnId, item });
export const message = (id: string, text: string): object => ({ type: "agentMessage", id, text });
export const said = (itemId: string, delta: string, turnId = "u1"): ThreadEvent =>
  note("item/agentMessage/delta", { turnId, itemId, delta });

/** The state after the events. Checks that the live state and the reducer agree. */
export function folded(events: readonly ThreadEvent[], from?: ThreadState): ThreadState {
  const state = events.reduce(
    (before, event) => reduceThread(before, event),
    from ?? initialThreadState(THREAD),
  );
  if (!from) {
    const fold = new ThreadFold(THREAD);
    for (const event of events) fold.apply(event);
    expect(fold.state).toEqual(state);
  }
  return state;
}

export function itemsOf(state: ThreadState, turnId = "u1"): readonly ItemState[] {
  return state.turns.find(({ id }) => id === turnId)?.items ?? [];
}

/** The only item of turn u1 after the events. */
export function onlyItem(events: readonly ThreadEvent[]): ItemState {
  const [entry, ...others] = itemsOf(folded(events));
  expect(others).toEqual([]);
  if (!entry) throw new Error("there is no item");
  return entry;
}
