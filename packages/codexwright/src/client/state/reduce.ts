import type { ThreadItem } from "../../protocol/index.ts";
import { StateWriter } from "./state-writer.ts";
import type { ThreadEvent } from "./events.ts";
import { itemFolds, type ItemFold } from "./fold-item.ts";
import { threadFolds, type ThreadFolding } from "./fold-thread.ts";
import { turnFolds, type TurnFold } from "./fold-turn.ts";
import { asId, asObject, type WireObject } from "./wire-values.ts";
import type { ThreadState } from "./state.ts";

// Maps, because a method name from the wire may equal the name of a built-in property of every object.
const TURN_FOLDS: ReadonlyMap<string, ItemFold | TurnFold> = new Map(
  Object.entries({ ...itemFolds, ...turnFolds }),
);
const THREAD_FOLDS: ReadonlyMap<string, ThreadFolding> = new Map(Object.entries(threadFolds));

/**
 * Folds one event into a state and returns the next state. Never changes the input.
 *
 * Returns the same object if the event changes nothing: it is about another thread, repeats known facts, is not
 * relevant, or is malformed. Each event that changes a turn copies the turn's list of items; {@link ThreadFold} avoids
 * these copies.
 */
export function reduceThread(state: ThreadState, event: ThreadEvent): ThreadState {
  const writer = new StateWriter(state);
  foldEvent(writer, event);
  return writer.seal();
}

/** Folds one event into the state of a writer. Returns the item that the event is about, in its new state. */
export function foldEvent(writer: StateWriter, event: ThreadEvent): ThreadItem | undefined {
  const params = asObject(event.params);
  if (!params || threadOf(params) !== writer.state.threadId) return undefined;
  const foldTurn = TURN_FOLDS.get(event.method);
  if (!foldTurn) {
    THREAD_FOLDS.get(event.method)?.(writer, params);
    return undefined;
  }
  const turnId = asId(params["turnId"]) ?? asId(asObject(params["turn"])?.["id"]);
  return turnId === undefined ? undefined : (foldTurn(writer, turnId, params) ?? undefined);
}

function threadOf(params: WireObject): unknown {
  return params["threadId"] ?? asObject(params["thread"])?.["id"];
}
