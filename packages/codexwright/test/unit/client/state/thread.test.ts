import { expect } from "vitest";
import { ThreadFold, type protocol, type ThreadEvent } from "codexwright";
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

const tokens = (inputTokens: number) => ({
  inputTokens,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0,
  totalTokens: inputTokens,
});
const used = (
  total: number,
  last: number,
  turnId = "u1",
  modelContextWindow: number | null = 1000,
): ThreadEvent =>
  note("thread/tokenUsage/updated", {
    turnId,
    tokenUsage: { total: tokens(total), last: tokens(last), modelContextWindow },
  });

const history = (turns: readonly object[], more: object = {}): ThreadEvent =>
  note("thread/seeded", { thread: { id: THREAD, turns, ...more } });
const past = (id: string, ...items: object[]) => ({ id, status: "completed", items });

verifies("state.usage", "the usage of a turn is the difference of the thread's totals", () => {
  const first = folded([running, used(100, 100), used(100, 100), used(150, 50), ended]);
  expect(first.turns[0]?.usage).toEqual(tokens(150));
  expect(first.usage).toEqual(tokens(150));
  const second = turnNote("turn/started", { id: "u2" });
  const after = folded([second, used(180, 30, "u2"), used(220, 40, "u2")], first);
  expect(after.turns.map(({ usage }) => usage?.inputTokens)).toEqual([150, 70]);
});

verifies("state.usage", "the context meter shows the last model call and the context window", () => {
  expect(folded([running, used(100, 100), used(150, 50)]).context).toEqual({
    usedTokens: 50,
    windowTokens: 1000,
  });
  expect(folded([running, used(100, 100, "u1", null)]).context).toEqual({ usedTokens: 100 });
});

verifies("state.usage", "token totals that are repeated for an old turn add no turn and no usage", () => {
  const state = folded([
    history([past("h")]),
    used(900, 40, "h"),
    used(900, 40, "x"),
    running,
    used(950, 50),
  ]);
  expect(state.turns.map(({ id, usage }) => [id, usage?.inputTokens])).toEqual([
    ["h", undefined],
    ["u1", 50],
  ]);
});

verifies("state.usage", "token totals that are repeated after a turn starts are its baseline", () => {
  const repeated = [history([past("h")]), running, used(900, 40, "h")];
  expect(folded(repeated).turns[1]?.usage).toBeUndefined();
  expect(folded([...repeated, used(950, 50)]).turns[1]?.usage?.inputTokens).toBe(50);
  // The report of the turn's first call was lost with a connection.
  expect(folded([...repeated, used(1_000, 50)]).turns[1]?.usage?.inputTokens).toBe(100);
  // If the model has already written output, it is unknown how much of the totals belongs to this turn.
  const late = [history([past("h")]), running, completed(message("m", "hi")), used(900, 40, "h")];
  expect(folded([...late, used(950, 50)]).turns[1]).toMatchObject({ partial: true });
  expect(folded([...late, used(950, 50)]).turns[1]?.usage).toBeUndefined();
});

verifies("state.usage", "totals that decrease are counted from the model call that reported them", () => {
  const state = folded([used(900, 40, "long ago"), running, used(100, 30), used(160, 60)]);
  expect(state.turns[0]?.usage?.inputTokens).toBe(90);
});

const asked = (requestId: string | number, turnId = "u1"): ThreadEvent =>
  note("serverRequest/opened", { requestId, method: "item/tool/call", params: { threadId: THREAD, turnId } });
const requestIds = (events: readonly ThreadEvent[]) =>
  folded(events).pendingRequests.map(({ requestId }) => requestId);

verifies("state.requests", "a request is pending until it is answered here or resolved by the server", () => {
  expect(folded([asked(0)]).pendingRequests).toEqual([
    { requestId: 0, method: "item/tool/call", params: { threadId: THREAD, turnId: "u1" } },
  ] as unknown[]);
  const answered = note("serverRequest/answered", { requestId: 0 });
  const resolved = note("serverRequest/resolved", { requestId: "0" });
  expect(requestIds([asked(0), asked("0"), asked(7)])).toEqual([0, "0", 7]);
  expect(requestIds([asked(0), asked("0"), asked(7), answered, answered])).toEqual(["0", 7]);
  expect(requestIds([asked(0), asked("0"), asked(7), resolved])).toEqual([0, 7]);
  expect(requestIds([asked(0), asked(7), asked(0)])).toEqual([7, 0]);
});

verifies("state.requests", "the end of a turn drops its pending requests", () => {
  expect(requestIds([running, asked(1), asked(2, "u2"), ended])).toEqual([2]);
  expect(requestIds([running, asked(1), note("thread/closed")])).toEqual([]);
});

verifies("state.foreign", "ignores events of other threads and unknown events", () => {
  const fold = new ThreadFold(THREAD);
  for (const event of [running, started(message("m", "")), said("m", "a")]) fold.apply(event);
  const before = fold.state;
  const foreign = [running, said("m", "b"), ended, asked(1), used(1, 1)].map((event) => ({
    ...event,
    params: { ...(event.params as object), threadId: "a sub-agent's" },
  }));
  const chatter = ["thread/realtime/started", "account/rateLimits/updated", "constructor", "codex/event/x"];
  for (const event of [...foreign, ...chatter.map((method) => note(method))] as ThreadEvent[]) {
    fold.apply(event);
    expect(fold.state).toBe(before);
  }
});

const METHODS = [
  "item/started item/completed item/agentMessage/delta item/plan/delta item/reasoning/textDelta",
  "item/reasoning/summaryPartAdded item/commandExecution/outputDelta item/fileChange/patchUpdated",
  "item/commandExecution/terminalInteraction item/fileChange/outputDelta item/mcpToolCall/progress",
  "turn/started turn/completed turn/diff/updated turn/plan/updated error thread/tokenUsage/updated",
  "thread/started thread/seeded thread/status/changed thread/name/updated thread/reverted thread/closed",
  "serverRequest/opened serverRequest/answered serverRequest/resolved",
].flatMap((line) => line.split(" "));
const FIELDS = [
  "item itemId delta turn turnId diff plan tokenUsage thread status message changes error requestId",
  "summaryIndex contentIndex threadName beforeTurnId",
].flatMap((line) => line.split(" "));

verifies("state.foreign", "never throws, for any shape of an event", () => {
  const values = [undefined, null, 0, "", "u1", [], {}, [null], { id: null }, { id: "u1", items: [null, 1] }];
  const fold = new ThreadFold(THREAD);
  for (const method of METHODS) {
    for (const params of [undefined, null, 1, "x", []])
      fold.apply({ method, params } as unknown as ThreadEvent);
    for (const value of values) {
      fold.apply(note(method, Object.fromEntries(FIELDS.map((field) => [field, value]))));
      for (const field of FIELDS) fold.apply(note(method, { itemId: "i", [field]: value }));
    }
  }
  fold.seed({ id: THREAD, turns: [null, {}, { id: "x" }] } as unknown as protocol.Thread);
  expect(() => structuredClone(fold.state)).not.toThrow();
});

const turnIds = (events: readonly ThreadEvent[]) => folded(events).turns.map(({ id }) => id);

verifies("state.turns", "inserts a history before the live turns, with each turn and item once", () => {
  const state = folded([
    running,
    completed(message("m1", "live")),
    started(message("m2", "")),
    said("m2", "ha"),
    history([
      past("h1", message("m1", "old")),
      past("u1", message("m1", "stored"), message("m2", "half"), message("m3", "missed")),
    ]),
  ]);
  expect(state.turns.map(({ id, status }) => [id, status])).toEqual([
    ["h1", "completed"],
    ["u1", "completed"],
  ]);
  expect(itemsOf(state, "h1")).toEqual([{ item: message("m1", "old"), life: "completed" }]);
  expect(itemsOf(state)).toEqual(
    [message("m1", "live"), message("m2", "half"), message("m3", "missed")].map((item) => ({
      item,
      life: "completed",
    })),
  );
  expect(state.activeTurnId).toBeUndefined();
});

verifies("state.turns", "inserts a page of a history at its place among the known turns", () => {
  const known = history(["a", "b", "e"].map((id) => past(id)));
  expect(turnIds([note("thread/seeded", { thread: { id: "another", turns: [past("a")] } })])).toEqual([]);
  expect(turnIds([known, running, history(["b", "c", "d", "e"].map((id) => past(id)))])).toEqual([
    "a",
    "b",
    "c",
    "d",
    "e",
    "u1",
  ]);
  const long = Array.from({ length: 120 }, (_, n) => past(`h${n}`));
  const live = ["u1", "u2", "u3"].map((id) => turnNote("turn/started", { id }));
  expect(turnIds([...live, history(long)])).toHaveLength(50);
  expect(turnIds([...live, history(long)]).slice(-5)).toEqual(["h118", "h119", "u1", "u2", "u3"]);
});

verifies("state.turns", "a turn that was joined while it ran is active and marked as partial", () => {
  const command = { type: "commandExecution", id: "c", status: "inProgress" };
  const turn = { id: "u1", status: "inProgress", items: [message("m", "done"), command] };
  const joined = folded([
    history([past("h"), turn], { status: { type: "active", activeFlags: [] }, name: "n" }),
    used(500, 20),
  ]);
  expect(joined).toMatchObject({ activeTurnId: "u1", name: "n", usage: tokens(500) });
  expect(joined.turns[1]).toMatchObject({
    partial: true,
    items: [{ life: "completed" }, { life: "inProgress" }],
  });
  expect(joined.turns[1]).not.toHaveProperty("usage");
  const over = { ...turn, status: "interrupted" };
  expect(itemsOf(folded([history([over])]))[1]?.life).toBe("incomplete");
  expect(itemsOf(folded([running, started(command), history([over])]))[0]?.life).toBe("incomplete");
});

verifies("state.turns", "a history with made-up ids neither duplicates nor changes live turns", () => {
  const madeUp = history([past("turn-1", message("item-1", "a")), past("turn-2", message("item-1", "b"))]);
  expect(turnIds([madeUp])).toEqual(["turn-1", "turn-2"]);
  const live = turnNote("turn/started", { id: "0" });
  expect(turnIds([live, madeUp])).toEqual(["0"]);
  const more = history([past("turn-1"), past("turn-2"), past("turn-3")]);
  expect(turnIds([madeUp, live, more])).toEqual(["turn-1", "turn-2", "0"]);
  const items = history([past("u1", message("item-1", "a"), message("item-2", "b"))]);
  expect(itemsOf(folded([running, completed(message("m", "a")), items]))).toHaveLength(1);
  expect(itemsOf(folded([items]))).toHaveLength(2);
});
