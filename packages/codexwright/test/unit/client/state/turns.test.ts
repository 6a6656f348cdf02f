import { expect } from "vitest";
import { ThreadFold, type ThreadEvent } from "codexwright/client";
import { verifies } from "@codexwright/test-support/verifies";
import {
  completed,
  ended,
  folded,
  itemsOf,
  message,
  note,
  running,
  said,
  started,
  THREAD,
  turnNote,
} from "./events.ts";

verifies("state.turns", "a turn runs from its start to its end, with plan, diff and times", () => {
  const open = folded([
    note("thread/status/changed", { status: { type: "active", activeFlags: [] } }),
    turnNote("turn/started", { startedAt: 100 }),
    note("turn/plan/updated", { explanation: "because", plan: [{ step: "look", status: "inProgress" }] }),
    note("turn/diff/updated", { diff: "+1" }),
    note("turn/diff/updated", { diff: "+2" }),
  ]);
  expect(open).toEqual({
    threadId: THREAD,
    status: { type: "active", activeFlags: [] },
    activeTurnId: "u1",
    pendingRequests: [],
    turns: [
      {
        id: "u1",
        status: "inProgress",
        items: [],
        startedAt: 100,
        diff: "+2",
        plan: [{ step: "look", status: "inProgress" }],
        planExplanation: "because",
      },
    ],
  });
  const plan = note("turn/plan/updated", {
    explanation: null,
    plan: [{ step: "look", status: "completed" }],
  });
  const done = folded([plan, turnNote("turn/completed", { completedAt: 102, durationMs: 2000 })], open);
  expect(done.activeTurnId).toBeUndefined();
  expect(done.turns[0]).toMatchObject({ status: "completed", completedAt: 102, durationMs: 2000 });
  expect(done.turns[0]).not.toHaveProperty("planExplanation");
});

verifies("state.turns", "items that arrive before the start of their turn belong to it", () => {
  const review = { type: "enteredReviewMode", id: "r", review: "changes" };
  const state = folded([started(review), running]);
  expect(state).toMatchObject({ activeTurnId: "u1", turns: [{ id: "u1", items: [{ item: review }] }] });
  expect(state.turns).toHaveLength(1);
});

verifies(
  "review.interrupt",
  "the reviewer's own turn is merged into the turn of its review, in live events and in a loaded history",
  () => {
    const review = { type: "enteredReviewMode", id: "r", review: "changes" };
    const reviewer = turnNote("turn/started", { id: "u2", startedAt: 100 });
    const open = [started(review), reviewer, started(message("m", ""), "u2"), said("m", "text", "u2")];
    expect(folded(open)).toMatchObject({
      activeTurnId: "u1",
      turns: [{ id: "u1", reviewerTurnId: "u2", startedAt: 100, items: [{}, { item: { text: "text" } }] }],
    });
    const turns = [
      { id: "u2", status: "interrupted", items: [] },
      { id: "u1", status: "completed", items: [] },
    ];
    const seeded = note("thread/seeded", { thread: { id: THREAD, turns } });
    for (const end of [[ended], [ended, seeded], [seeded]]) {
      const state = folded([...open, ...end]);
      expect(state.turns).toMatchObject([{ id: "u1", status: "completed" }]);
      expect(state.activeTurnId).toBeUndefined();
    }
    // The next turn is not a part of the review, even if the end of the review was not reported.
    const next = folded([...open, turnNote("turn/started", { id: "u3" })]);
    expect(next).toMatchObject({ activeTurnId: "u3", turns: [{ id: "u1" }, { id: "u3" }] });
  },
);

verifies(
  "review.interrupt",
  "if the start of a review was missed, its reviewer's turn is removed from the state when the review ends",
  () => {
    const idle = note("thread/status/changed", { status: { type: "idle" } });
    for (const end of [[ended], [idle, ended]]) {
      const state = folded([
        turnNote("turn/started", { id: "u2" }),
        completed({ type: "exitedReviewMode", id: "r", review: "Fine." }),
        ...end,
      ]);
      expect(state.turns.map(({ id, status }) => [id, status])).toEqual([["u1", "completed"]]);
      expect(state.activeTurnId).toBeUndefined();
    }
  },
);

verifies("state.turns", "the items of turn/completed are added, and replace no known item", () => {
  const state = folded([
    running,
    completed(message("m1", "streamed")),
    turnNote("turn/completed", { items: [message("m1", "summary"), message("m2", "only here")] }),
  ]);
  expect(itemsOf(state)).toEqual([
    { item: message("m1", "streamed"), life: "completed" },
    { item: message("m2", "only here"), life: "completed" },
  ]);
});

verifies("state.turns", "turns that this client did not start are separate turns", () => {
  const state = folded([
    running,
    completed(message("m", "one")),
    ended,
    turnNote("turn/started", { id: "u2" }),
    completed(message("m", "two"), "u2"),
    completed(message("late", "one more"), "u1"),
  ]);
  expect(state.activeTurnId).toBe("u2");
  expect(itemsOf(state, "u1").map(({ item }) => item)).toEqual([
    message("m", "one"),
    message("late", "one more"),
  ]);
  expect(itemsOf(state, "u2").map(({ item }) => item)).toEqual([message("m", "two")]);
});

verifies("state.turns", "stores an error that the server does not retry, and keeps it with the turn", () => {
  const error = (text: string, willRetry: boolean): ThreadEvent =>
    note("error", { willRetry, error: { message: text } });
  expect(folded([running, error("Reconnecting", true)]).turns[0]).not.toHaveProperty("error");
  const failed = folded([
    running,
    error("no such model", false),
    turnNote("turn/completed", { status: "failed", error: null }),
  ]);
  expect(failed.turns[0]).toMatchObject({ status: "failed", error: { message: "no such model" } });
});

verifies(
  "state.turns",
  "a turn that has ended never runs again, but an id that an old server reuses is a new turn",
  () => {
    expect(folded([running, ended, running])).toMatchObject({ turns: [{ status: "completed" }] });
    expect(folded([running, ended, running]).activeTurnId).toBeUndefined();
    const zero = { id: "0" };
    const again = folded([
      turnNote("turn/started", zero),
      ...["a", "b", "a"].map((id) => completed(message(id, "before the restart"), "0")),
      turnNote("turn/completed", zero),
      turnNote("turn/started", zero),
      ...["c", "b", "a"].map((id) => started(message(id, "after"), "0")),
    ]);
    expect(again).toMatchObject({ activeTurnId: "0", turns: [{ id: "0", status: "inProgress" }] });
    expect(again.turns).toHaveLength(1);
    expect(itemsOf(again, "0").map(({ item }) => item)).toEqual(
      ["c", "b", "a"].map((id) => message(id, "after")),
    );
  },
);

verifies("state.turns", "no turn is active when the thread is idle or only a phantom turn is left", () => {
  for (const type of ["idle", "systemError", "notLoaded"]) {
    const state = folded([running, note("thread/status/changed", { status: { type } })]);
    expect(state.activeTurnId).toBeUndefined();
  }
  expect(folded([running, note("thread/closed")])).toMatchObject({ status: { type: "notLoaded" } });
  const phantom = folded([
    running,
    started(message("m", "")),
    turnNote("turn/started", { id: "phantom" }),
    ended,
  ]);
  expect(phantom.activeTurnId).toBeUndefined();
});

verifies("state.turns", "keeps the fifty most recent turns and the running one", () => {
  const fold = new ThreadFold(THREAD);
  for (let n = 0; n < 1000; n += 1) {
    fold.apply(turnNote("turn/started", { id: `u${n}` }));
    fold.apply(completed(message("m", String(n)), `u${n}`));
    fold.apply(turnNote("turn/completed", { id: `u${n}` }));
  }
  const { turns } = fold.state;
  expect([turns.length, turns.at(0)?.id, turns.at(-1)?.id]).toEqual([50, "u950", "u999"]);
  expect(fold.turn("u949")).toBeUndefined();
  expect(itemsOf(fold.state, "u950")).toEqual([{ item: message("m", "950"), life: "completed" }]);
});

verifies("state.turns", "keeps the latest name and status of the thread", () => {
  const thread = { id: THREAD, name: "first", status: { type: "idle" }, parentThreadId: "parent", turns: [] };
  const state = folded([
    { method: "thread/started", params: { thread } } as unknown as ThreadEvent,
    note("thread/name/updated", { threadName: "second" }),
  ]);
  expect(state).toMatchObject({ name: "second", status: { type: "idle" }, parentThreadId: "parent" });
  expect(folded([note("thread/name/updated", {})], state)).not.toHaveProperty("name");
});

verifies("state.turns", "a revert drops the reverted turns, or all turns if their ids are unknown", () => {
  const three = ["u1", "u2", "u3"].flatMap((id) => [
    turnNote("turn/started", { id }),
    turnNote("turn/completed", { id }),
  ]);
  const reverted = (params: object): string[] =>
    folded([...three, note("thread/reverted", params)]).turns.map(({ id }) => id);
  expect(reverted({ beforeTurnId: "u2" })).toEqual(["u1"]);
  expect(reverted({ beforeTurnId: "long ago" })).toEqual([]);
  expect(reverted({})).toEqual([]);
});

verifies(
  "state.incomplete",
  "items that are open at the end of their turn are incomplete, and may still complete",
  () => {
    const command = (status: string) => ({
      type: "commandExecution",
      id: "c",
      status,
      aggregatedOutput: null,
    });
    const print = (delta: string): ThreadEvent =>
      note("item/commandExecution/outputDelta", { itemId: "c", delta });
    const over = folded([
      running,
      started(command("inProgress")),
      completed(message("m1", "said")),
      started(message("m2", "")),
      said("m2", "cut o"),
      turnNote("turn/completed", { status: "interrupted" }),
    ]);
    expect(itemsOf(over).map(({ life }) => life)).toEqual(["incomplete", "completed", "incomplete"]);
    expect(itemsOf(over)[2]?.item).toEqual(message("m2", "cut o"));
    const next = turnNote("turn/started", { id: "u2" });
    const later = folded([next, print("still "), print("there")], over);
    expect(itemsOf(later)[0]).toMatchObject({
      life: "incomplete",
      item: { aggregatedOutput: "still there" },
    });
    const done = { ...command("completed"), aggregatedOutput: "still there." };
    const last = folded([completed(done)], later);
    expect(itemsOf(last)[0]).toEqual({ item: done, life: "completed" });
    expect(last.turns.map(({ id, status }) => [id, status])).toEqual([
      ["u1", "interrupted"],
      ["u2", "inProgress"],
    ]);
    expect(itemsOf(last, "u2")).toEqual([]);
  },
);

verifies("state.incomplete", "an item that starts after the end of its turn is not in progress", () => {
  expect(itemsOf(folded([running, ended, started(message("m", "")), said("n", "x")]))).toMatchObject([
    { life: "incomplete" },
    { life: "incomplete", partial: true },
  ]);
});
