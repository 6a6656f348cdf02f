import fc from "fast-check";
import { expect } from "vitest";
import {
  initialThreadState,
  reduceThread,
  ThreadFold,
  type ThreadEvent,
  type ThreadState,
} from "codexwright/client";
import { verifies } from "@codexwright/test-support/verifies";
import {
  completed,
  ended,
  folded,
  message,
  note,
  running,
  said,
  started,
  THREAD,
  turnNote,
} from "./events.ts";

const turnId = fc.constantFrom("u1", "u2", "0", "turn-1");
const itemId = fc.constantFrom("a", "b", "c");
const of = (method: string, params: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<ThreadEvent> =>
  fc.record({ turnId, itemId, ...params }).map((made) => note(method, made));
const item = fc.oneof(
  itemId.map((id) => message(id, "final")),
  itemId.map((id) => ({ type: "commandExecution", id, status: "inProgress", aggregatedOutput: null })),
  itemId.map((id) => ({ type: "reasoning", id, summary: [], content: [] })),
);
const turn = fc.record({
  id: turnId,
  status: fc.constantFrom("completed", "failed", "inProgress"),
  items: fc.array(item, { maxLength: 2 }),
});
const tokens = fc.nat(100).map((n) => ({
  inputTokens: n,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0,
  totalTokens: n,
}));

const event: fc.Arbitrary<ThreadEvent> = fc.oneof(
  of("item/started", { item }),
  of("item/completed", { item }),
  of("item/agentMessage/delta", { delta: fc.constantFrom("x", "yz") }),
  of("item/commandExecution/outputDelta", { delta: fc.constant("o") }),
  of("item/reasoning/summaryTextDelta", { delta: fc.constant("s"), summaryIndex: fc.nat(2) }),
  of("item/fileChange/outputDelta", { delta: fc.constant("f") }),
  of("item/mcpToolCall/progress", { message: fc.constant("p") }),
  turnId.map((id) => turnNote("turn/started", { id })),
  turn.map((made) => turnNote("turn/completed", made)),
  of("turn/diff/updated", { diff: fc.constantFrom("+1", "+2") }),
  of("turn/plan/updated", { plan: fc.constantFrom([], [{ step: "s", status: "pending" }]) }),
  of("error", { willRetry: fc.boolean(), error: fc.constant({ message: "e" }) }),
  of("thread/tokenUsage/updated", { tokenUsage: fc.record({ total: tokens, last: tokens }) }),
  of("thread/status/changed", { status: fc.record({ type: fc.constantFrom("idle", "active") }) }),
  of("serverRequest/opened", { requestId: fc.nat(2), method: fc.constant("item/tool/call") }),
  of("serverRequest/resolved", { requestId: fc.nat(2) }),
  of("thread/reverted", { beforeTurnId: turnId }),
  of("thread/seeded", {
    thread: fc.record({ id: fc.constant(THREAD), turns: fc.array(turn, { maxLength: 3 }) }),
  }),
  of("item/agentMessage/delta", { threadId: fc.constant("another"), delta: fc.constant("!") }),
  fc.constant({ method: "item/agentMessage/delta" } as unknown as ThreadEvent),
);

const frozen = <T>(value: T): T => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) frozen(inner);
  }
  return value;
};

verifies(
  "state.pure",
  "the live state and the reducer agree on every sequence of events, and a returned state never changes",
  () => {
    // Texts arrive in several pieces. A reader may read the state after each piece, sometimes, or never.
    const look = fc.constantFrom("never", "each", "third");
    const run = fc.tuple(event, look, fc.constantFrom(1, 1, 1, 5, 40));
    const sequence = fc
      .array(run, { maxLength: 25 })
      .map((runs) =>
        runs.flatMap(([next, how, times]) =>
          Array.from(
            { length: times },
            (_, n) => [next, how === "each" || (how === "third" && n % 3 === 2)] as const,
          ),
        ),
      );
    fc.assert(
      fc.property(sequence, (steps) => {
        const fold = new ThreadFold(THREAD);
        let state: ThreadState = initialThreadState(THREAD);
        const looks: { readonly state: ThreadState; readonly was: string }[] = [];
        for (const [next, looked] of steps) {
          // Frozen, so that changing a state or an event in place throws.
          state = frozen(reduceThread(state, frozen(next)));
          fold.apply(next);
          if (looked) {
            expect(fold.state).toEqual(state);
            looks.push({ state: fold.state, was: JSON.stringify(fold.state) });
          }
        }
        expect(fold.state).toEqual(state);
        for (const { state: then, was } of looks) expect(JSON.stringify(then)).toBe(was);
      }),
      { seed: 4, numRuns: 300 },
    );
  },
);

verifies(
  "state.pure",
  "every state has each turn and item once, and no running item in an ended turn",
  () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const { turns } = folded(events);
        expect(new Set(turns.map(({ id }) => id)).size).toBe(turns.length);
        for (const { items, status } of turns) {
          expect(new Set(items.map((entry) => entry.item.id)).size).toBe(items.length);
          if (status !== "inProgress") expect(items.map(({ life }) => life)).not.toContain("inProgress");
        }
      }),
      { seed: 5, numRuns: 200 },
    );
  },
);

verifies("state.pure", "unchanged parts are the same object in the next state", () => {
  const fold = new ThreadFold(THREAD);
  const u2 = turnNote("turn/started", { id: "u2" });
  for (const each of [running, completed(message("a", "a")), ended, u2, started(message("b", ""), "u2")])
    fold.apply(each);
  fold.apply(started(message("c", ""), "u2"));
  const before = fold.state;
  expect(fold.state).toBe(before);
  fold.apply(said("c", "x", "u2"));
  const after = fold.state;
  expect(after).not.toBe(before);
  expect(after.turns[0]).toBe(before.turns[0]);
  expect(after.turns[1]?.items[0]).toBe(before.turns[1]?.items[0]);
  expect(after.turns[1]?.items[1]?.item).toEqual(message("c", "x"));
  expect(before.turns[1]?.items[1]?.item).toEqual(message("c", ""));
});

verifies("state.pure", "an event that repeats known facts returns the same state", () => {
  const usage = note("thread/tokenUsage/updated", {
    tokenUsage: { total: { totalTokens: 5 }, last: { totalTokens: 5 } },
  });
  const told = [
    running,
    note("turn/diff/updated", { diff: "+1" }),
    note("turn/plan/updated", { plan: [{ step: "s", status: "pending" }] }),
    note("thread/status/changed", { status: { type: "active", activeFlags: ["waitingOnApproval"] } }),
    usage,
    note("error", { willRetry: false, error: { message: "e" } }),
    note("serverRequest/resolved", { requestId: 1 }),
  ];
  const state = folded(told);
  for (const again of told) expect(reduceThread(state, structuredClone(again))).toBe(state);
  const over = reduceThread(state, ended);
  expect(reduceThread(over, structuredClone(ended))).toBe(over);
  // A state may be stored, so it is plain JSON.
  expect(JSON.parse(JSON.stringify(over))).toEqual(over);
});
