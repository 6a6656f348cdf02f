import type { ThreadTokenUsage, TurnError, TurnPlanStep } from "../../protocol/index.ts";
import type { Draft } from "./draft.ts";
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
  type Loose,
  type LooseTurn,
} from "./loose.ts";
import type { TurnUsage } from "./usage.ts";
import type { TurnState } from "./state.ts";
import { minus, tokensOf } from "./tokens.ts";

export type TurnFold = (draft: Draft, turnId: string, params: Loose) => void;

export const turnFolds: FoldTable<TurnFold> = {
  "turn/started": (draft, turnId, params) => {
    const known = draft.turn(turnId);
    if (known && known.status !== "inProgress") {
      // Servers before 0.100 count turns from 0 anew whenever they load a thread; no other starts a turn twice.
      if (!/^\d+$/.test(turnId)) return;
      draft.dropTurns((turn) => turn === known);
    }
    const turn = asTurn(params["turn"]);
    if (turn) mergeTurn(draft, turn);
    if (draft.state.activeTurnId !== turnId) draft.write().activeTurnId = turnId;
  },
  "turn/completed": (draft, turnId, params) => {
    const ran = draft.turn(turnId)?.status === "inProgress";
    const turn = asTurn(params["turn"]);
    if (turn) mergeTurn(draft, turn);
    const usage = usageIn(params["usage"]);
    if (usage && !same(draft.turn(turnId)?.usage, usage)) draft.writeTurn(turnId).usage = usage;
    // Asked for a turn while one ran, servers before 0.110 announced one that never was: it runs no longer either.
    const { activeTurnId } = draft.state;
    if (ran && activeTurnId !== undefined && draft.turn(activeTurnId)?.items.length === 0) {
      delete draft.write().activeTurnId;
    }
    if (draft.turn(turnId)?.status === "inProgress") draft.writeTurn(turnId).status = "completed";
    closeTurn(draft, turnId);
  },
  "turn/diff/updated": (draft, turnId, { diff }) => {
    if (typeof diff !== "string" || draft.turn(turnId)?.diff === diff) return;
    draft.writeTurn(turnId).diff = diff;
  },
  "turn/plan/updated": (draft, turnId, { plan, explanation }) => {
    if (!Array.isArray(plan)) return;
    const known = draft.turn(turnId);
    const why = typeof explanation === "string" ? explanation : undefined;
    if (same(known?.plan, plan) && known?.planExplanation === why) return;
    const turn = draft.writeTurn(turnId);
    turn.plan = plan as readonly TurnPlanStep[];
    if (why === undefined) delete turn.planExplanation;
    else turn.planExplanation = why;
  },
  error: (draft, turnId, { error, willRetry }) => {
    if (willRetry === true || !asObject(error) || same(draft.turn(turnId)?.error, error)) return;
    draft.writeTurn(turnId).error = error as TurnError;
  },
  "thread/tokenUsage/updated": (draft, turnId, { tokenUsage }) => {
    const { total, last, modelContextWindow } = (asObject(tokenUsage) ?? {}) as Partial<ThreadTokenUsage>;
    if (!asObject(total) || !asObject(last)) return;
    const { total: totals, last: call } = tokenUsage as ThreadTokenUsage;
    if (!same(draft.state.usage, totals)) draft.write().usage = totals;
    const context = {
      usedTokens: call.totalTokens ?? 0,
      ...(typeof modelContextWindow === "number" && { windowTokens: modelContextWindow }),
    };
    if (!same(draft.state.context, context)) draft.write().context = context;
    meterTurn(draft, turnId, tokenUsage as ThreadTokenUsage);
  },
};

/** The servers of 2025 told a turn's own tokens at its end. */
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

/** Counts a turn's own tokens as the difference of its thread's totals: nothing on the wire tells them. */
function meterTurn(draft: Draft, reportedId: string, { total, last }: ThreadTokenUsage): void {
  const reported = draft.turn(reportedId);
  // Servers repeat the totals when a thread is loaded, under the id of a turn of long ago: what they have grown by
  // is the newest turn's.
  const isRepeated = reported?.status !== "inProgress";
  const known = isRepeated ? draft.state.turns.at(-1) : reported;
  if (!known || known.partial) return;
  const turnId = known.id;
  if (isRepeated && !known.usageBefore) return beginCount(draft, known, total);
  if (isRepeated && known.usageBefore && total.totalTokens <= known.usageBefore.totalTokens) return;
  let before = known.usageBefore ?? minus(total, last);
  // The totals went back, as they do when a thread is reverted: count from this model call.
  if (total.totalTokens < before.totalTokens) before = minus(total, last);
  const usage = minus(total, before);
  if (same(known.usage, usage) && same(known.usageBefore, before)) return;
  const turn = draft.writeTurn(turnId);
  turn.usageBefore = before;
  turn.usage = usage;
}

/** Totals that are repeated may come behind the start of a turn that was asked for at once: it is counted from there. */
function beginCount(draft: Draft, { id, status, items }: TurnState, total: ThreadTokenUsage["total"]): void {
  if (status !== "inProgress") return;
  const turn = draft.writeTurn(id);
  // Once the model has said something, the totals may hold what that cost.
  if (items.every(({ item }) => item.type === "userMessage")) turn.usageBefore = tokensOf(total);
  else turn.partial = true;
}

/** Takes from a turn off the wire what it tells; its items add to what is known, they are never all of it. */
export function mergeTurn(draft: Draft, wire: LooseTurn): void {
  const { id, status, error } = wire;
  const known = draft.turn(id) ?? draft.writeTurn(id);
  // A turn that has ended does not run again, whatever a late answer says.
  if (status !== undefined && status !== "inProgress" && known.status === "inProgress") {
    draft.writeTurn(id).status = status;
  }
  if (asObject(error) && !same(known.error, error)) draft.writeTurn(id).error = error as TurnError;
  for (const field of ["startedAt", "completedAt", "durationMs"] as const) {
    const value = wire[field];
    if (typeof value === "number" && known[field] !== value) draft.writeTurn(id)[field] = value;
  }
  const live = known.items.some(({ item }) => !isMadeUp(item.id));
  for (const each of asList(wire.items)) {
    const item = asItem(each);
    // Under a made-up id it may be one of the items that were seen live.
    if (!item || isOpen(item) || (live && isMadeUp(item.id))) continue;
    if (draft.item(id, item.id)?.life !== "completed") completeItem(draft, id, item);
  }
}

/** Ends a turn: what is open in it will not be continued, what it asked needs no answer. */
export function closeTurn(draft: Draft, turnId: string): void {
  for (const entry of draft.turn(turnId)?.items ?? []) {
    if (entry.life === "inProgress") draft.putItem(turnId, { ...entry, life: "incomplete" });
  }
  if (draft.state.activeTurnId === turnId) delete draft.write().activeTurnId;
  draft.requests.dropAll(({ params }) => asObject(params)?.["turnId"] === turnId);
}
