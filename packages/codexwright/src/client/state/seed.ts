import type { Thread, ThreadItem } from "../../protocol/index.ts";
import type { TurnUsage } from "./usage.ts";
import { newTurn, type StateWriter, type WritableTurn } from "./state-writer.ts";
import { closeTurn, mergeTurn } from "./fold-turn.ts";
import { asItem, asList, asTurn, isMadeUp, isOpen, type PartialTurn } from "./wire-values.ts";
import { MAX_TURNS, type ItemState } from "./state.ts";
import { tokensOf } from "./tokens.ts";

/** Adds a history from the server. Unknown turns are inserted at their place in the history. */
export function seedTurns(writer: StateWriter, thread: Partial<Thread>): void {
  const history = asList(thread.turns)
    .flatMap((each) => asTurn(each) ?? [])
    .slice(-MAX_TURNS)
    // A history lists the reviewer of an inline review as a separate turn. In our state, the reviewer is part of the
    // review.
    .filter(({ id }) => (writer.turn(id)?.id ?? id) === id);
  const live = writer.state.turns.some(({ id }) => !isMadeUp(id));
  let at = Math.max(
    0,
    writer.state.turns.findIndex(({ id }) => history.some((turn) => turn.id === id)),
  );
  // If several turns were missed, only the first of them has a known baseline for its usage.
  const settled = live && writer.state.turns.every(({ status }) => status !== "inProgress");
  let usageBefore = settled && writer.state.usage ? tokensOf(writer.state.usage) : undefined;
  for (const turn of history) {
    if (writer.turn(turn.id)) {
      mergeTurn(writer, turn);
      if (writer.turn(turn.id)?.status !== "inProgress") closeTurn(writer, turn.id);
      at = writer.state.turns.findIndex(({ id }) => id === turn.id) + 1;
    } else if (!(live && isMadeUp(turn.id))) {
      // If turns were seen live, a turn with a made-up id is skipped: it may be one of those turns under another id.
      const before = writer.state.turns.length;
      writer.addTurn(seeded(turn, at === before ? usageBefore : undefined), at);
      if (at === before) usageBefore = undefined;
      // A full state drops its oldest turn, which shifts every index.
      if (writer.state.turns.length > before) at += 1;
    }
  }
  const last = history.at(-1);
  if (last?.status === "inProgress" && writer.turn(last.id)?.status === "inProgress") {
    if (writer.state.activeTurnId !== last.id) writer.write().activeTurnId = last.id;
  }
}

function seeded(turn: PartialTurn, usageBefore: TurnUsage | undefined): WritableTurn {
  const { id, status = "completed", error, startedAt, completedAt, durationMs } = turn;
  const runs = status === "inProgress";
  const items = new Map<string, ItemState>();
  for (const each of asList(turn.items)) {
    const item = asItem(each);
    if (item) items.set(item.id, { item, life: lifeOf(item, runs) });
  }
  return {
    ...newTurn(id),
    status,
    items: [...items.values()],
    ...(error && { error }),
    ...(usageBefore ? { usageBefore } : runs && { partial: true }),
    ...(typeof startedAt === "number" && { startedAt }),
    ...(typeof completedAt === "number" && { completedAt }),
    ...(typeof durationMs === "number" && { durationMs }),
  };
}

/** A history may contain items that never completed, still with status `inProgress`. */
function lifeOf(item: ThreadItem, turnRuns: boolean): ItemState["life"] {
  if (!isOpen(item)) return "completed";
  return turnRuns ? "inProgress" : "incomplete";
}
