import { expect } from "vitest";
import { ThreadFold, type ItemState } from "codexwright/client";
import { verifies } from "@codexwright/test-support/verifies";
import {
  completed,
  ended,
  folded,
  itemsOf,
  message,
  note,
  onlyItem,
  running,
  said,
  started,
  THREAD,
} from "./events.ts";

/** The state of an item, with only these fields of the item itself. */
const seen = ({ item, ...rest }: ItemState, ...fields: string[]): object => ({
  ...rest,
  ...Object.fromEntries(fields.map((field) => [field, (item as Record<string, unknown>)[field]])),
});

verifies("state.items", "appends deltas to the text of a message and of a plan", () => {
  const live = onlyItem([started(message("m", "")), said("m", "Hel"), said("m", "lo ä😀")]);
  expect(live).toEqual({ item: message("m", "Hello ä😀"), life: "inProgress" });
  const plan = [1, 2].map((n) => note("item/plan/delta", { itemId: "p", delta: `step ${n};` }));
  expect(onlyItem([started({ type: "plan", id: "p", text: "" }), ...plan])).toEqual({
    item: { type: "plan", id: "p", text: "step 1;step 2;" },
    life: "inProgress",
  });
});

verifies("state.items", "keeps the summary parts and the text of reasoning apart, by index", () => {
  const of = (kind: string, params: object) => note(`item/reasoning/${kind}`, { itemId: "r", ...params });
  const events = [
    started({ type: "reasoning", id: "r", summary: [], content: [] }),
    of("summaryPartAdded", { summaryIndex: 0 }),
    of("summaryTextDelta", { summaryIndex: 0, delta: "Fir" }),
    of("textDelta", { contentIndex: 0, delta: "raw" }),
    of("summaryPartAdded", { summaryIndex: 1 }),
    of("summaryTextDelta", { summaryIndex: 1, delta: "Second" }),
    of("summaryTextDelta", { summaryIndex: 0, delta: "st" }),
    of("textDelta", { contentIndex: 2, delta: "far" }),
    of("textDelta", { contentIndex: 1e9, delta: "nonsense" }),
    of("textDelta", { contentIndex: -1, delta: "nonsense" }),
    of("textDelta", { contentIndex: 0.5, delta: "nonsense" }),
  ];
  expect(onlyItem(events).item).toEqual({
    type: "reasoning",
    id: "r",
    summary: ["First", "Second"],
    content: ["raw", "", "far"],
  });
});

verifies("state.items", "collects the output of a command", () => {
  const of = (kind: string, params: object) =>
    note(`item/commandExecution/${kind}`, { itemId: "c", ...params });
  const events = [
    started({
      type: "commandExecution",
      id: "c",
      command: "ls",
      status: "inProgress",
      aggregatedOutput: null,
    }),
    of("outputDelta", { delta: "a\n" }),
    of("terminalInteraction", { processId: "1", stdin: "y\n" }),
    of("outputDelta", { delta: "b\n" }),
  ];
  const entry = onlyItem(events);
  expect(seen(entry, "command", "aggregatedOutput", "status")).toEqual({
    command: "ls",
    aggregatedOutput: "a\nb\n",
    status: "inProgress",
    life: "inProgress",
  });
  const done = {
    type: "commandExecution",
    id: "c",
    status: "completed",
    aggregatedOutput: "all",
    exitCode: 0,
  };
  expect(onlyItem([...events, completed(done)])).toEqual({ item: done, life: "completed" });
});

verifies("state.items", "a file change has its latest patch and the output of applying it", () => {
  const change = (diff: string) => ({ path: "a", kind: { type: "add" }, diff });
  const item = { type: "fileChange", id: "f", changes: [change("+1")], status: "inProgress" };
  const events = [
    started(item),
    note("item/fileChange/patchUpdated", { itemId: "f", changes: [change("+2")] }),
    note("item/fileChange/outputDelta", { itemId: "f", delta: "Suc" }),
    note("item/fileChange/outputDelta", { itemId: "f", delta: "cess" }),
  ];
  expect(onlyItem(events)).toEqual({
    item: { ...item, changes: [change("+2")] },
    life: "inProgress",
    output: "Success",
  });
  const done = { ...item, status: "completed" };
  expect(onlyItem([...events, completed(done)])).toEqual({
    item: done,
    life: "completed",
    output: "Success",
  });
});

verifies("state.items", "an MCP call has its latest progress until it is done", () => {
  const item = { type: "mcpToolCall", id: "x", server: "s", tool: "t", status: "inProgress" };
  const events = [
    started(item),
    note("item/mcpToolCall/progress", { itemId: "x", message: "1 of 2" }),
    note("item/mcpToolCall/progress", { itemId: "x", message: "2 of 2" }),
  ];
  expect(onlyItem(events)).toEqual({ item, life: "inProgress", progress: "2 of 2" });
  const done = { ...item, status: "completed", result: { content: [] } };
  expect(onlyItem([...events, completed(done)])).toEqual({ item: done, life: "completed" });
});

verifies("state.items", "keeps items of every type unchanged, even unknown types", () => {
  const kinds = [
    "userMessage hookPrompt agentMessage functionCallOutput plan reasoning commandExecution fileChange",
    "mcpToolCall dynamicToolCall collabAgentToolCall subAgentActivity webSearch imageView sleep",
    "imageGeneration enteredReviewMode exitedReviewMode contextCompaction codeReview inventedTomorrow",
  ].flatMap((line) => line.split(" "));
  const items = kinds.map((type) => Object.freeze({ type, id: `${type}-1`, of: { any: [type] } }));
  const open = folded(items.map((item) => started(item)));
  expect(itemsOf(open)).toEqual(items.map((item) => ({ item, life: "inProgress" })));
  const done = folded(
    items.map((item) => completed(item)),
    open,
  );
  expect(itemsOf(done).map(({ life }) => life)).toEqual(kinds.map(() => "completed"));
  for (const [at, { item }] of itemsOf(done).entries()) expect(item as object).toBe(items[at]);
});

verifies("state.items", "the completed item replaces the streamed one, and later deltas are ignored", () => {
  const truth = { ...message("m", "Truth"), phase: "final_answer" };
  const events = [started(message("m", "")), said("m", "guess"), completed(truth)];
  expect(onlyItem([...events, said("m", " and more"), started(message("m", ""))])).toEqual({
    item: truth,
    life: "completed",
  });
});

verifies("state.items", "an item that completes twice is stored once, in its last form", () => {
  const patch = (status: string) => completed({ type: "fileChange", id: "f", changes: [], status });
  const state = folded([running, patch("declined"), completed(message("m", "no")), patch("failed")]);
  expect(itemsOf(state).map(({ item }) => item)).toEqual([
    { type: "fileChange", id: "f", changes: [], status: "failed" },
    message("m", "no"),
  ]);
});

verifies("state.items", "an item that starts twice keeps its streamed text", () => {
  const events = [started(message("m", "")), said("m", "half"), started(message("m", ""))];
  expect(onlyItem(events)).toEqual({ item: message("m", "half"), life: "inProgress" });
});

verifies(
  "state.items",
  "an item whose start was missed has its known fields and is marked as partial",
  () => {
    const joined = {
      agentMessage: ["item/agentMessage/delta", { delta: "…end" }, { text: "…end" }],
      plan: ["item/plan/delta", { delta: "…end" }, { text: "…end" }],
      reasoning: ["item/reasoning/summaryTextDelta", { summaryIndex: 1, delta: "…" }, { summary: ["", "…"] }],
      commandExecution: ["item/commandExecution/outputDelta", { delta: "…" }, { aggregatedOutput: "…" }],
      fileChange: ["item/fileChange/patchUpdated", { changes: [] }, { changes: [] }],
      mcpToolCall: ["item/mcpToolCall/progress", { message: "…" }, { server: "" }],
    } as const;
    for (const [type, [method, params, item]] of Object.entries(joined)) {
      const state = folded([note(method, { itemId: "i", ...params })]);
      expect(state.turns).toMatchObject([
        {
          id: "u1",
          partial: true,
          items: [{ life: "inProgress", partial: true, item: { type, id: "i", ...item } }],
        },
      ]);
    }
    expect(folded([note("item/commandExecution/terminalInteraction", { itemId: "i" })]).turns).toEqual([]);
  },
);

verifies("state.items", "a late start or the end of a partial item completes it", () => {
  const start = { ...message("m", ""), phase: "commentary" };
  expect(onlyItem([said("m", "abc"), started(start)])).toEqual({
    item: { ...start, text: "abc" },
    life: "inProgress",
  });
  expect(onlyItem([said("m", "abc"), completed(message("m", "all abc"))])).toEqual({
    item: message("m", "all abc"),
    life: "completed",
  });
});

verifies("state.items", "an item can be read after each event, and a returned item never changes", () => {
  const fold = new ThreadFold(THREAD);
  const texts = [running, started(message("m", "")), said("m", "a"), said("m", "b"), ended].map((event) => {
    fold.apply(event);
    const item = fold.item("u1", "m");
    return item && { item, text: "text" in item ? item.text : undefined };
  });
  expect(texts.map((each) => each?.text)).toEqual([undefined, "", "a", "ab", "ab"]);
  // Items that were returned earlier have not changed.
  for (const each of texts) if (each) expect(each.item).toHaveProperty("text", each.text);
});

verifies("state.items", "200,000 deltas make one item, and change nothing else", () => {
  const fold = new ThreadFold(THREAD);
  for (const id of ["a", "b", "c"]) fold.apply(started(message(id, "")));
  const live = fold.turn("u1");
  for (let n = 0; n < 200_000; n += 1) fold.apply(said("b", "0123456789"));
  // No state was read, so none was created: the turn and its list are still the same objects.
  expect(fold.turn("u1")).toBe(live);
  const [a, b] = itemsOf(fold.state);
  expect(a?.item).toEqual(message("a", ""));
  expect(b?.item).toEqual(message("b", "0123456789".repeat(200_000)));
});
