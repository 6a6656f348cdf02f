import { expect } from "vitest";
import { NOISE, normalize, type Recording } from "codexwright/recording";
import { verifies } from "@codexwright/test-support/verifies";
import { recordingOf } from "./recordings.ts";

const THREAD = "0199f1a2-0000-7000-8000-00000000000a";
const TURN = "0199f1a2-0000-7000-8000-00000000000b";
const OTHER = "5a0b8f0e-6c1d-4a53-9a5c-000000000001";

function run({
  thread = THREAD,
  turn = TURN,
  item = "msg_1",
  home = "/work/a/home",
  port = 1234,
  deltas = ["Hi ", "you"],
}): Recording {
  const place = { threadId: thread, turnId: turn };
  return recordingOf(
    { out: { id: 7, method: "initialize", params: { clientInfo: { name: "x", version: "9.9.9" } } } },
    {
      in: {
        id: 7,
        result: { userAgent: "x/0.166.0", codexHome: home, platformFamily: "unix", platformOs: "linux" },
      },
    },
    { out: { id: 8, method: "thread/start", params: {} } },
    {
      in: {
        id: 8,
        result: {
          thread: {
            id: thread,
            createdAt: port,
            cliVersion: "0.166.0",
            path: `${home}/sessions/2026/11/15/rollout-2026-11-15T10-11-12-${thread}.jsonl`,
          },
          cwd: `${home}/../work`,
          url: `http://127.0.0.1:${port}/v1`,
        },
      },
    },
    { in: { method: "remoteControl/status/changed", params: {}, emittedAtMs: port } },
    { out: { id: 9, method: "turn/start", params: { threadId: thread, timeoutMs: 5 } } },
    {
      in: {
        method: "turn/started",
        params: { threadId: thread, turn: { id: turn, startedAt: 12 } },
        emittedAtMs: port,
      },
    },
    { in: { id: 9, result: { turn: { id: turn, startedAt: null } } } },
    {
      in: {
        method: "item/started",
        params: { ...place, item: { id: item, type: "agentMessage" }, startedAtMs: port },
      },
    },
    ...deltas.map((delta) => ({
      in: { method: "item/agentMessage/delta", params: { ...place, itemId: item, delta } },
    })),
    { in: { id: 0, method: "item/tool/call", params: { ...place, callId: item, tool: "t" } } },
    { out: { id: 0, result: { success: true } } },
    { in: { method: "serverRequest/resolved", params: { threadId: thread, requestId: 0 } } },
    {
      in: {
        method: "warned",
        params: { text: `thread ${thread} at 2026-11-15T10:11:12.345Z, see ${OTHER} in ${home}/x` },
      },
    },
    { in: "not JSON" },
    { closed: "client" },
  );
}

verifies("recording.normalize", "replaces values that differ between runs and keeps the rest", () => {
  const transcript = normalize(run({}), { drop: NOISE });
  const place = { threadId: "thread-1", turnId: "thread-1/turn-1" };
  expect(transcript.every(({ connection }) => connection === 1)).toBe(true);
  expect(transcript.map((message) => ({ ...message, connection: undefined }))).toEqual([
    {
      direction: "out",
      kind: "request",
      method: "initialize",
      id: "request-1",
      params: { clientInfo: { name: "x", version: "<version>" } },
    },
    {
      direction: "in",
      kind: "response",
      method: "initialize",
      id: "request-1",
      result: {
        userAgent: "<userAgent>",
        codexHome: "<codexHome>",
        platformFamily: "<platform>",
        platformOs: "<platform>",
      },
    },
    { direction: "out", kind: "request", method: "thread/start", id: "request-2", params: {} },
    {
      direction: "in",
      kind: "response",
      method: "thread/start",
      id: "request-2",
      result: {
        thread: {
          id: "thread-1",
          cliVersion: "<version>",
          path: "<codexHome>/sessions/<date>/rollout-<time>-thread-1.jsonl",
        },
        cwd: "<cwd>",
        url: "http://127.0.0.1:<port>/v1",
      },
    },
    {
      direction: "out",
      kind: "request",
      method: "turn/start",
      id: "request-3",
      params: { threadId: "thread-1", timeoutMs: 5 },
    },
    {
      direction: "in",
      kind: "notification",
      method: "turn/started",
      params: { threadId: "thread-1", turn: { id: "thread-1/turn-1" } },
    },
    {
      direction: "in",
      kind: "response",
      method: "turn/start",
      id: "request-3",
      result: { turn: { id: "thread-1/turn-1" } },
    },
    {
      direction: "in",
      kind: "notification",
      method: "item/started",
      params: { ...place, item: { id: "thread-1/item-1", type: "agentMessage" } },
    },
    {
      direction: "in",
      kind: "notification",
      method: "item/agentMessage/delta",
      params: { ...place, itemId: "thread-1/item-1", delta: "Hi you" },
    },
    {
      direction: "in",
      kind: "request",
      method: "item/tool/call",
      id: "thread-1/server-request-1",
      params: { ...place, callId: "thread-1/item-1", tool: "t" },
    },
    {
      direction: "out",
      kind: "response",
      method: "item/tool/call",
      id: "thread-1/server-request-1",
      result: { success: true },
    },
    {
      direction: "in",
      kind: "notification",
      method: "serverRequest/resolved",
      params: { threadId: "thread-1", requestId: "thread-1/server-request-1" },
    },
    {
      direction: "in",
      kind: "notification",
      method: "warned",
      params: { text: "thread thread-1 at <time>, see uuid-1 in <codexHome>/x" },
    },
    { direction: "in", kind: "text", text: "not JSON" },
    { direction: "out", kind: "closed", by: "client" },
  ]);
});

verifies(
  "recording.normalize",
  "normalizes two runs with different ids, folders, times and chunks to the same transcript",
  () => {
    const other = run({
      thread: "01aaaaaa-0000-7000-8000-00000000000c",
      turn: "01aaaaaa-0000-7000-8000-00000000000d",
      item: "item_99",
      home: "/var/elsewhere",
      port: 9,
      deltas: ["H", "i", " you"],
    });
    expect(normalize(other)).toEqual(normalize(run({})));
    // On old servers, turn numbers are unique only within their thread.
    expect(normalize(run({ turn: "0", item: "0" }))).toEqual(normalize(run({})));
  },
);

verifies("recording.normalize", "names threads in request order and keeps their turns apart", () => {
  const started = (id: number, thread: string): object => ({ id, result: { thread: { id: thread } } });
  const turn = (threadId: string, id: string): { in: object } => ({
    in: { method: "turn/started", params: { threadId, turn: { id } } },
  });
  const asked = [
    { out: { id: 1, method: "thread/start", params: { n: 1 } } },
    { out: { id: 2, method: "thread/start", params: { n: 2 } } },
  ];
  const transcript = normalize(
    recordingOf(...asked, { in: started(2, "b") }, { in: started(1, "a") }, turn("b", "0"), turn("a", "0")),
  );
  expect(transcript.slice(2).map(({ result, params }) => result ?? params)).toEqual([
    { thread: { id: "thread-2" } },
    { thread: { id: "thread-1" } },
    { threadId: "thread-2", turn: { id: "thread-2/turn-1" } },
    { threadId: "thread-1", turn: { id: "thread-1/turn-1" } },
  ]);
});

verifies("recording.normalize", "joins deltas unless a message about the same item separates them", () => {
  const delta = (itemId: string, text: string, more = {}): { in: object } => ({
    in: { method: "item/reasoning/textDelta", params: { threadId: "t", itemId, delta: text, ...more } },
  });
  const transcript = normalize(
    recordingOf(
      delta("a", "1", { contentIndex: 0 }),
      delta("b", "x"),
      { in: { method: "other", params: {} } },
      delta("a", "2", { contentIndex: 0 }),
      delta("a", "3", { contentIndex: 1 }),
      delta("a", "4", { contentIndex: 0 }),
      { in: { method: "command/exec/outputDelta", params: { processId: "p", deltaBase64: "w6" } } },
      { in: { method: "command/exec/outputDelta", params: { processId: "p", deltaBase64: "pA==" } } },
    ),
  );
  const texts = transcript.map(({ params }) => (params as { delta?: string; deltaBase64?: string }).delta);
  expect(texts).toEqual(["12", "x", undefined, "3", "4", undefined]);
  expect(normalize(recordingOf({ in: "text" }, { in: { id: 3, result: {} } }))).toHaveLength(2);
});

verifies("recording.normalize", "uses the given names for the given folders", () => {
  const transcript = normalize(
    recordingOf({ in: { method: "m", params: { a: "/w/x/y", b: "see /w/x.", c: "/w/xy", d: "/w" } } }),
    {
      paths: { inner: "/w/x/", outer: "/w" },
    },
  );
  expect(transcript[0]?.params).toEqual({ a: "<inner>/y", b: "see <inner>.", c: "<outer>/xy", d: "<outer>" });
});
