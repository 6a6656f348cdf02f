import type { ThreadTokenUsage, TurnError, TurnPlanStep } from "../../protocol/index.ts";
import type { StateWriter } from "./state-writer.ts";
import type { FoldTable } from "./events.ts";
import { completeItem } from "./fold-item.ts";
import {
  asItem,
  asList,
  asObject,
  asTurn,
  isMadeUp,
  isOpen,
  same,
  type WireObject,
  type PartialTurn,
} from "./wire-values.ts";
import type { TurnUsage } from "./usage.ts";
import type { TurnState } from "./state.ts";
import { tokensOf, usageSince } from "./tokens.ts";

export type TurnFold = (writer: StateWriter, turnId: string, params: WireObject) => void;

export const turnFolds: FoldTable<TurnFold> = {
  "turn/started": (writer, turnId, params) => {
    const review = reviewStartedAs(writer, turnId);
    if (review) writer.writeTurn(review.id).reviewerTurnId = turnId;
    const known = writer.turn(turnId);
    if (known && known.status !== "inProgress") {
      // Servers before 0.100 number turns from 0 again each time they load a thread. No other server starts a turn
      // twice.
      if (!/^\d+$/.test(turnId)) return;
      writer.dropTurns((turn) => turn === known);
    }
    const turn = asTurn(params["turn"]);
    if (turn) mergeTurn(writer, turn);
    const { id } = writer.turn(turnId) ?? { id: turnId };
    if (writer.state.activeTurnId !== id) writer.write().activeTurnId = id;
  },
  "turn/completed": (writer, turnId, params) => {
    const known = writer.turn(turnId);
    // A review ends when its own turn id ends, not when the turn of its reviewer ends.
    if (known && known.id !== turnId) return;
    const ran = known?.status === "inProgress";
    const turn = asTurn(params["turn"]);
    if (turn) mergeTurn(writer, turn);
    const usage = usageIn(params["usage"]);
    if (usage && !same(writer.turn(turnId)?.usage, usage)) writer.writeTurn(turnId).usage = usage;
    if (ran) dropPhantoms(writer, turnId);
    if (writer.turn(turnId)?.status === "inProgress") writer.writeTurn(turnId).status = "completed";
    closeTurn(writer, turnId);
  },
  "turn/diff/updated": (writer, turnId, { diff }) => {
    if (typeof diff !== "string" || writer.turn(turnId)?.diff === diff) return;
    writer.writeTurn(turnId).diff = diff;
  },
  "turn/plan/updated": (writer, turnId, { plan, explanation }) => {
    if (!Array.isArray(plan)) return;
    const known = writer.turn(turnId);
    const why = typeof explanation === "string" ? explanation : undefined;
    if (same(known?.plan, plan) && known?.planExplanation === why) return;
    const turn = writer.writeTurn(turnId);
    turn.plan = plan as readonly TurnPlanStep[];
    if (why === undefined) delete turn.planExplanation;
    else turn.planExplanation = why;
  },
  error: (writer, turnId, { error, willRetry }) => {
    if (willRetry === true || !asObject(error) || same(writer.turn(turnId)?.error, error)) return;
    writer.writeTurn(turnId).error = error as TurnError;
  },
  "thread/tokenUsage/updated": (writer, turnId, { tokenUsage }) => {
    const { total, last, modelContextWindow } = (asObject(tokenUsage) ?? {}) as Partial<ThreadTokenUsage>;
    if (!asObject(total) || !asObject(last)) return;
    const { total: totals, last: call } = tokenUsage as ThreadTokenUsage;
    if (!same(writer.state.usage, totals)) writer.write().usage = totals;
    const context = {
      usedTokens: call.totalTokens ?? 0,
      ...(typeof modelContextWindow === "number" && { windowTokens: modelContextWindow }),
    };
    if (!same(writer.state.context, context)) writer.write().context = context;
    meterTurn(writer, turnId, tokenUsage as ThreadTokenUsage);
  },
};

/**
 * Finds the running review whose reviewer starts as this turn. The server reports the review mode before this start,
 * and never reports that the reviewer has ended.
 */
function reviewStartedAs(writer: StateWriter, turnId: string): TurnState | undefined {
  const last = writer.state.turns.at(-1);
  if (last?.status !== "inProgress" || last.id === turnId || last.reviewerTurnId !== undefined)
    return undefined;
  return last.items.some(({ item }) => item.type === "enteredReviewMode") ? last : undefined;
}

/**
 * Removes turns that never end. Servers before 0.110 announced such a turn if it was requested while another turn ran.
 * The turn of a reviewer looks the same if the start of its review was missed. The server reports nothing more about
 * such turns, so they are dropped when this turn ends.
 */
function dropPhantoms(writer: StateWriter, endedId: string): void {
  const { activeTurnId } = writer.state;
  if (activeTurnId !== undefined && writer.turn(activeTurnId)?.items.length === 0) {
    delete writer.write().activeTurnId;
  }
  writer.dropTurns(({ id, status, items }) => {
    return id !== endedId && status === "inProgress" && items.length === 0;
  });
}

/** Servers of 2025 report the tokens of a turn at its end. */
function usageIn(value: unknown): TurnUsage | undefined {
  const told = asObject(value);
  if (!told) return undefined;
  const count = (field: string): number => (typeof told[field] === "number" ? told[field] : 0);
  const [inputTokens, outputTokens] = [count("inputTokens"), count("outputTokens")];
  return {
    inputTokens,
    cachedInputTokens: count("cachedInputTokens"),
    outputTokens,
    reasoningOutputTokens: count("reasoningOutputTokens"),
    totalTokens: count("totalTokens") || inputTokens + outputTokens,
  };
}

/** Computes the tokens of a turn from the totals of its thread: newer servers do not send the tokens of a turn. */
function meterTurn(writer: StateWriter, reportedId: string, { total, last }: ThreadTokenUsage): void {
  const reported = writer.turn(reportedId);
  // When a thread is loaded, servers repeat its totals with the id of an old turn. Any increase belongs to the newest
  // turn.
  const isRepeated = reported?.status !== "inProgress";
  const known = isRepeated ? writer.state.turns.at(-1) : reported;
  if (!known || known.partial) return;
  const turnId = known.id;
  if (isRepeated && !known.usageBefore) return beginCount(writer, known, total);
  if (isRepeated && known.usageBefore && total.totalTokens <= known.usageBefore.totalTokens) return;
  let before = known.usageBefore ?? usageSince(total, last);
  // The totals decreased, as after a revert: count from this model call.
  if (total.totalTokens < before.totalTokens) before = usageSince(total, last);
  const usage = usageSince(total, before);
  if (same(known.usage, usage) && same(known.usageBefore, before)) return;
  const turn = writer.writeTurn(turnId);
  turn.usageBefore = before;
  turn.usage = usage;
}

/**
 * Sets the baseline of a turn from totals that the server repeats. If the turn was requested right after the thread was
 * loaded, these totals can arrive after the start of the turn.
 */
function beginCount(
  writer: StateWriter,
  { id, status, items }: TurnState,
  total: ThreadTokenUsage["total"],
): void {
  if (status !== "inProgress") return;
  const turn = writer.writeTurn(id);
  // After output of the model, the totals may already include its tokens.
  if (items.every(({ item }) => item.type === "userMessage")) turn.usageBefore = tokensOf(total);
  else turn.partial = true;
}

/**
 * Merges the fields of a wire turn. Its items are added to the known items, because the wire's list is never complete.
 */
export function mergeTurn(writer: StateWriter, wire: PartialTurn): void {
  const { id, status, error } = wire;
  const known = writer.turn(id) ?? writer.writeTurn(id);
  // A turn that has ended never runs again, even if a late answer reports it as running.
  if (status !== undefined && status !== "inProgress" && known.status === "inProgress") {
    writer.writeTurn(id).status = status;
  }
  if (asObject(error) && !same(known.error, error)) writer.writeTurn(id).error = error as TurnError;
  for (const field of ["startedAt", "completedAt", "durationMs"] as const) {
    const value = wire[field];
    if (typeof value === "number" && known[field] !== value) writer.writeTurn(id)[field] = value;
  }
  const live = known.items.some(({ item }) => !isMadeUp(item.id));
  for (const each of asList(wire.items)) {
    const item = asItem(each);
    // An item with an id that the server made up may be an item that was already seen live under another id.
    if (!item || isOpen(item) || (live && isMadeUp(item.id))) continue;
    if (writer.item(id, item.id)?.life !== "completed") completeItem(writer, id, item);
  }
}

/** Ends a turn: its open items become incomplete, and its pending requests are dropped. */
export function closeTurn(writer: StateWriter, turnId: string): void {
  const turn = writer.turn(turnId);
  for (const entry of turn?.items ?? []) {
    if (entry.life === "inProgress") writer.putItem(turnId, { ...entry, life: "incomplete" });
  }
  if (writer.state.activeTurnId === turnId) delete writer.write().activeTurnId;
  const ids: readonly unknown[] = [turnId, turn?.reviewerTurnId ?? turnId];
  writer.requests.dropAll(({ params }) => ids.includes(asObject(params)?.["turnId"]));
}
