import type { ThreadItem } from "../../protocol/index.ts";
import { StateWriter } from "./state-writer.ts";
import type { ThreadEvent } from "./events.ts";
import { itemFolds, type ItemFold } from "./fold-item.ts";
import { threadFolds, type ThreadFolding } from "./fold-thread.ts";
import { turnFolds, type TurnFold } from "./fold-turn.ts";
import { asId, asObject, type WireObject } from "./wire-values.ts";
import type { ThreadState } from "./state.ts";

// Maps, because a name off the wire may be one that every object has.
const TURN_FOLDS: ReadonlyMap<string, ItemFold | TurnFold> = new Map(
  Object.entries({ ...itemFolds, ...turnFolds }),
);
const THREAD_FOLDS: ReadonlyMap<string, ThreadFolding> = new Map(Object.entries(threadFolds));

/**
 * Folds one event into a state and gives the next one; the input is never changed.
 *
 * The same object comes back when the event changes nothing: it is of another thread, says what is known, or
 * is of no concern or of no shape. Copying the way to what changes costs as much as that turn has items; a
 * {@link ThreadFold} does not.
 */
export function reduceThread(state: ThreadState, event: ThreadEvent): ThreadState {
  const writer = new StateWriter(state);
  foldEvent(writer, event);
  return writer.seal();
}

/** Folds one event into the state of a writer; returns the item it was about, as it is now. */
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
