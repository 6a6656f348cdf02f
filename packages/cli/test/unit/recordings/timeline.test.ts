import { expect } from "vitest";
import type { RecordedEntry } from "codexwright/recording";
import { verifies } from "@codexwright/test-support/verifies";
import { isWanted } from "../../../src/recordings/filter.ts";
import { Timeline, type Row } from "../../../src/recordings/timeline.ts";

const at = (ms: number, direction: "in" | "out", message: object): RecordedEntry =>
  ({ connection: 1, ms, direction, message }) as RecordedEntry;

const place = { threadId: "thread-1", turnId: "u" };

/** A turn with an approval, an item and a request that is never answered. */
const ENTRIES: readonly RecordedEntry[] = [
  at(0, "out", {
    id: 0,
    method: "turn/start",
    params: { threadId: "thread-1", input: [{ type: "text", text: "go" }] },
  }),
  at(1, "in", { method: "turn/started", params: { threadId: "thread-1", turn: { id: "u" } } }),
  at(2, "in", {
    id: 0,
    method: "item/commandExecution/requestApproval",
    params: { ...place, command: "rm x" },
  }),
  at(5, "in", { id: 0, result: { turn: { id: "u" } } }),
  at(9, "out", { id: 0, result: { decision: "decline" } }),
  at(10, "in", { method: "item/started", params: { ...place, item: { type: "agentMessage", id: "m" } } }),
  at(11, "in", { method: "item/agentMessage/delta", params: { ...place, itemId: "m", delta: "a" } }),
  at(12, "in", { method: "item/agentMessage/delta", params: { ...place, itemId: "m", delta: "b" } }),
  at(13, "in", {
    method: "item/completed",
    params: { ...place, item: { type: "agentMessage", id: "m", text: "ab" } },
  }),
  at(14, "in", { method: "error", params: { ...place, error: { message: "oh no" }, willRetry: true } }),
  at(15, "out", { id: 1, method: "turn/interrupt", params: place }),
  at(20, "in", {
    method: "turn/completed",
    params: { threadId: "thread-1", turn: { id: "u", status: "failed", error: { message: "bad" } } },
  }),
  { connection: 1, ms: 30, closed: { by: "client", message: "done" } },
];

function rowsOf(entries: readonly RecordedEntry[]): Row[] {
  const timeline = new Timeline();
  return [...entries.flatMap((entry) => timeline.push(entry)), ...timeline.end()];
}

verifies(
  "cli.recordings.inspect",
  "everything that has ended is a row with its time, duration and summary",
  () => {
    const told = rowsOf(ENTRIES).map(({ kind, ms, durationMs, summary, failed }) => [
      kind,
      ms,
      durationMs,
      summary,
      failed,
    ]);
    expect(told).toEqual([
      ["request", 0, 5, "go", false],
      ["question", 2, 7, "rm x → decline", false],
      ["item", 10, 3, "agentMessage · ab (2 deltas)", false],
      ["error", 14, undefined, "oh no", true],
      ["turn", 1, 19, "failed: bad", true],
      ["request", 15, undefined, "no answer", true],
      ["close", 30, undefined, "by the client: done", false],
    ]);
  },
);

verifies(
  "cli.recordings.inspect",
  "an unfinished recording shows what is pending, and lines that are not messages",
  () => {
    const begun = [...ENTRIES.slice(0, 3), ...ENTRIES.slice(5, 7)];
    const rows = rowsOf([...begun, { connection: 1, ms: 14, direction: "in", text: "panic" }]);
    expect(rows.map(({ kind, summary, failed }) => [kind, summary, failed])).toEqual([
      ["text", "from the server: panic", true],
      ["request", "no answer", true],
      ["question", "no answer", true],
      ["turn", "no end", true],
      ["item", "agentMessage · no end (1 deltas)", true],
    ]);
  },
);

verifies("cli.recordings.inspect", "a row must match all filters", () => {
  const rows = rowsOf(ENTRIES);
  const count = (filter: Parameters<typeof isWanted>[1]): number =>
    rows.filter((row) => isWanted(row, filter)).length;
  expect(count({})).toBe(7);
  expect(count({ errors: true })).toBe(3);
  expect(count({ kind: ["turn", "item"] })).toBe(2);
  expect(count({ method: ["turn/", "requestApproval"] })).toBe(4);
  expect(count({ thread: "thread" })).toBe(6);
  expect(count({ thread: "other" })).toBe(0);
  expect(count({ errors: true, kind: ["turn"] })).toBe(1);
});
