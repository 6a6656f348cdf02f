import { expect } from "vitest";
import { compareTranscripts, normalize, type TranscriptDifference } from "codexwright/recording";
import { verifies } from "@codexwright/test-support/verifies";
import { recordingOf, type Said } from "./recordings.ts";

const start: Said[] = [
  { out: { id: 1, method: "thread/start", params: {} } },
  { in: { id: 1, result: { thread: { id: "t" } } } },
  { out: { id: 2, method: "turn/start", params: { threadId: "t" } } },
];
const answer: Said = { in: { id: 2, result: { turn: { id: "u" } } } };
const place = { threadId: "t", turnId: "u" };
const started: Said = { in: { method: "turn/started", params: { threadId: "t", turn: { id: "u" } } } };
const item = (method: "started" | "completed", id: string, more = {}): Said => ({
  in: { method: `item/${method}`, params: { ...place, item: { id, type: "x", ...more } } },
});
const usage: Said = { in: { method: "thread/tokenUsage/updated", params: { ...place, total: 3 } } };
const done: Said = {
  in: { method: "turn/completed", params: { threadId: "t", turn: { id: "u", status: "completed" } } },
};

function differences(
  a: readonly Said[],
  b: readonly Said[],
  allow?: (difference: TranscriptDifference) => boolean,
): string[] {
  const transcripts = [a, b].map((said) => normalize(recordingOf(...said)));
  return compareTranscripts(transcripts[0] ?? [], transcripts[1] ?? [], { ...(allow && { allow }) }).map(
    ({ text }) => text,
  );
}

const base = [...start, answer, started, item("started", "a"), item("completed", "a"), usage, done];

verifies("recording.compare", "accepts either order for messages that race on a real server", () => {
  expect(differences(base, base)).toEqual([]);
  // The answer comes after the start of the turn, and the usage in the middle of the item.
  expect(
    differences(base, [...start, started, answer, item("started", "a"), usage, item("completed", "a"), done]),
  ).toEqual([]);
  const two = (...order: number[]): Said[] => {
    const all = [1, 2].map((n) => [
      { out: { id: n, method: "thread/read", params: { threadId: `t${n}` } } },
      { in: { id: n, result: { n } } },
    ]);
    const left = all.map((each) => [...each]);
    return order.flatMap((n) => left[n - 1]?.splice(0, 1) ?? []);
  };
  expect(differences(two(1, 1, 2, 2), two(1, 2, 2, 1))).toEqual([]);
});

verifies("recording.compare", "reports a changed order of messages that belong together", () => {
  const swapped = [...start, answer, started, item("completed", "a"), item("started", "a"), usage, done];
  expect(differences(base, swapped)).not.toEqual([]);
  const late = [...start, answer, started, item("started", "a"), usage, done, item("completed", "a")];
  expect(differences(base, late)).toEqual([
    'turns of thread-1: in notification turn/completed params.(open items): nothing became ["thread-1/item-1"]',
  ]);
  expect(
    differences(base, [...start, answer, item("started", "a"), item("completed", "a"), usage, done, started]),
  ).not.toEqual([]);
});

verifies("recording.compare", "reports the place, the old and the new value of each difference", () => {
  const changed = [
    ...start,
    answer,
    started,
    item("started", "a"),
    item("completed", "a", { status: "failed" }),
    done,
  ];
  expect(differences(base, changed)).toEqual([
    'thread-1/item-1: in notification item/completed params.item.status: nothing became "failed"',
    'thread/tokenUsage/updated of thread-1: missing in notification thread/tokenUsage/updated {"params":{"threadId":"thread-1","total":3,"turnId":"thread-1/turn-1"}}',
  ]);
  const request = (n: number): Said => ({ out: { id: 1, method: "model/list", params: { n } } });
  const result = (n: number): Said => ({ in: { id: 1, result: { n } } });
  expect(differences([request(1), result(1)], [request(2), result(1)])).toEqual([
    'model/list {"n":2}: out request model/list params.n: 1 became 2',
  ]);
  expect(differences([request(1), result(1)], [request(1), { in: { id: 1, error: { code: 3 } } }])).toEqual([
    'model/list {"n":1}: in response model/list result: {"n":1} became nothing',
    'model/list {"n":1}: in response model/list error: nothing became {"code":3}',
  ]);
  expect(differences([], [{ closed: "server" }])).toEqual(['closed: unexpected in closed {"by":"server"}']);
});

verifies("recording.compare", "ignores differences that the allow option accepts", () => {
  const more = [...base, { in: { method: "thread/started", params: { thread: { id: "t" } } } }];
  expect(differences(base, more)).toHaveLength(1);
  const seen: string[] = [];
  const allowed = differences(base, more, ({ kind, method }) => {
    seen.push(`${kind} ${method}`);
    return method === "thread/started";
  });
  expect(allowed).toEqual([]);
  expect(seen).toEqual(["unexpected thread/started"]);
});

verifies("recording.compare", "names the cursors of a client apart from those of the server", () => {
  const list = (id: number, cursor: string, given: string): Said[] => [
    { out: { id, method: "thread/list", params: { cursor } } },
    { in: { id, result: { data: [], nextCursor: given } } },
  ];
  const last: Said[] = [{ out: { id: 3, method: "thread/list", params: { cursor: "of my own" } } }];
  // One server gives the same cursor twice, the other gives two.
  const same = [...list(1, "mine", "12:00"), ...list(2, "12:00", "12:00"), ...last];
  const two = [...list(1, "mine", "12:00"), ...list(2, "12:00", "12:01"), ...last];
  expect(differences(same, same)).toEqual([]);
  expect(differences(same, two, ({ path }) => path === "result.nextCursor")).toEqual([]);
  expect(differences(same, two)).toHaveLength(1);
});
