import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { AuthFailedError, memoryPair, type Transport, type TransportFactory } from "codexwright/rpc";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";

interface Call {
  readonly id?: number;
  readonly method: string;
}

/** A server whose connections can be cut while it keeps running. It answers the requests in the table. */
function server(answers: Readonly<Record<string, (tell: (message: object) => void) => object>>) {
  let current: Transport | undefined;
  const factory: TransportFactory = () => {
    const [client, own] = memoryPair();
    current = own;
    const tell = (message: object): void => void own.send(JSON.stringify(message)).catch(() => {});
    own.open({
      line(text) {
        const { id, method } = JSON.parse(text) as Call;
        if (id === undefined) return;
        const result = method === "initialize" ? HELLO : (answers[method]?.(tell) ?? {});
        tell({ id, result });
      },
      closed() {},
    });
    return client;
  };
  return {
    factory,
    tell: (message: object) => current?.send(JSON.stringify(message)),
    cut: () => current?.close(),
  };
}

const HELLO = { userAgent: "x/0.166.0 (x)", codexHome: "/", platformFamily: "unix", platformOs: "linux" };
const RUNNING = { id: "u1", items: [], status: "inProgress" };
const user = { type: "userMessage", id: "i1", content: [] };
const answer = { type: "agentMessage", id: "i2", text: "whole" };
const tokens = (totalTokens: number) => ({
  inputTokens: totalTokens,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningOutputTokens: 0,
  totalTokens,
});
const usage = (turnId: string, total: number, last: number) => ({
  method: "thread/tokenUsage/updated",
  params: { threadId: "t1", turnId, tokenUsage: { total: tokens(total), last: tokens(last) } },
});

verifies(
  ["sockets.reconnect", "recovery.resume"],
  "events that arrive before the answer to a resume are applied after its history, and a surviving turn ends as the server reports",
  async () => {
    const thread = { id: "t1", turns: [], status: { type: "idle" } };
    const place = server({
      "thread/start": () => ({ thread, approvalPolicy: "never" }),
      "turn/start": () => ({ turn: RUNNING }),
      "thread/resume": (tell) => {
        // Sent before the answer, although it is newer than the answer's content.
        tell({ method: "item/completed", params: { threadId: "t1", turnId: "u1", item: answer } });
        tell(usage("u1", 30, 10));
        tell({ method: "thread/status/changed", params: { threadId: "t1", status: { type: "idle" } } });
        const ended = { ...RUNNING, status: "completed", durationMs: 5 };
        tell({ method: "turn/completed", params: { threadId: "t1", turn: ended } });
        const turns = [{ ...RUNNING, items: [user] }];
        return {
          thread: { ...thread, status: { type: "active", activeFlags: [] }, turns },
          approvalPolicy: "never",
        };
      },
    });
    await using codex = await CodexClient.connect({ transport: place.factory, reconnect: {} });
    const back = deferred();
    codex.on("reconnected", () => back.resolve());
    const handle = await codex.startThread();
    const turn = handle.turn("go");
    const outcome = rejection(turn.completed);
    await turn.started;
    await place.tell({ method: "turn/started", params: { threadId: "t1", turn: RUNNING } });
    await place.tell(usage("u1", 20, 20));
    await place.cut();
    await back.promise;
    expect(await outcome).toMatchObject({
      code: "turn_interrupted",
      recovered: true,
      turn: { status: "inProgress" },
    });
    const { turns, status, activeTurnId } = handle.state;
    expect([status, activeTurnId, turns.length]).toEqual([{ type: "idle" }, undefined, 1]);
    expect(turns[0]).toMatchObject({
      status: "completed",
      durationMs: 5,
      items: [{ item: user }, { item: answer }],
      usage: { totalTokens: 30 },
    });
  },
  { against: "fake" },
);

verifies(
  ["sockets.reconnect", "sockets.auth"],
  "rejected credentials end a reconnect immediately with that error",
  async () => {
    const place = server({});
    let connects = 0;
    const transport: TransportFactory = (signal) => {
      if (connects++ > 0) throw new AuthFailedError("expired websocket jwt", { httpStatus: 401 });
      return place.factory(signal);
    };
    await using codex = await CodexClient.connect({ transport, reconnect: { attempts: 5 } });
    const told = deferred<unknown>();
    codex.on("error", (error) => told.resolve(error));
    await place.cut();
    expect(await told.promise).toMatchObject({ code: "auth_failed", httpStatus: 401 });
    expect(await rejection(codex.request("thread/list", {}))).toMatchObject({ code: "auth_failed" });
    expect(connects).toBe(2);
  },
  { against: "fake" },
);

verifies(
  ["sockets.reconnect", "state.usage"],
  "token totals that the server repeats with the id of an older turn count for the newest turn",
  async () => {
    const { initialThreadState, reduceThread } = await import("codexwright");
    const begun = (id: string) => ({
      method: "turn/started",
      params: { threadId: "t1", turn: { ...RUNNING, id } },
    });
    const events = [begun("u1"), usage("u1", 10, 10), begun("u2"), usage("u1", 35, 5)];
    let state = initialThreadState("t1");
    for (const event of events) {
      const ended = {
        method: "turn/completed",
        params: { threadId: "t1", turn: { ...RUNNING, status: "completed" } },
      };
      if (event.method === "turn/started" && state.turns.length === 1)
        state = reduceThread(state, ended as never);
      state = reduceThread(state, event as never);
    }
    expect(state.turns.map((turn) => turn.usage?.totalTokens)).toEqual([10, 25]);
  },
);

verifies(
  "sockets.reconnect",
  "a call that waits for a reconnect respects its signal and its time limit",
  async () => {
    const place = server({});
    let connects = 0;
    const transport: TransportFactory = (signal) =>
      connects++ === 0 ? place.factory(signal) : new Promise(() => {});
    await using codex = await CodexClient.connect({ transport, reconnect: {}, startupTimeoutMs: 60_000 });
    const lost = deferred();
    codex.on("exit", () => lost.resolve());
    await place.cut();
    await lost.promise;
    const controller = new AbortController();
    const aborted = rejection(codex.request("thread/list", {}, { signal: controller.signal }));
    controller.abort();
    expect(await aborted).toMatchObject({ code: "aborted", delivery: "notSent" });
    const late = rejection(codex.request("thread/list", {}, { timeoutMs: 5 }));
    expect(await late).toMatchObject({ code: "request_timeout", delivery: "notSent" });
  },
  { against: "fake" },
);

verifies("sockets.reconnect", "a reconnect leaves no listener behind", async () => {
  const place = server({});
  const signals = new Map<AbortSignal, number>();
  // oxlint-disable-next-line typescript/unbound-method -- restored below
  const { addEventListener, removeEventListener } = AbortSignal.prototype;
  const count = (signal: AbortSignal, by: number): void =>
    void signals.set(signal, (signals.get(signal) ?? 0) + by);
  AbortSignal.prototype.addEventListener = function (this: AbortSignal, ...args: never[]) {
    count(this, 1);
    (addEventListener as (...all: never[]) => void).apply(this, args);
  };
  AbortSignal.prototype.removeEventListener = function (this: AbortSignal, ...args: never[]) {
    count(this, -1);
    (removeEventListener as (...all: never[]) => void).apply(this, args);
  };
  try {
    await using codex = await CodexClient.connect({ transport: place.factory, reconnect: {} });
    for (let time = 0; time < 3; time++) {
      const back = deferred();
      codex.once("reconnected", () => back.resolve());
      await place.cut();
      await back.promise;
    }
    expect(Math.max(...signals.values())).toBe(0);
  } finally {
    Object.assign(AbortSignal.prototype, { addEventListener, removeEventListener });
  }
});

verifies(
  ["sockets.reconnect", "recovery.resume"],
  "if a resume reports a turn as interrupted without a completion time, reads the turn again, because the history lags",
  async () => {
    const ended = (status: string, completedAt: number | null) => ({
      id: "t1",
      status: { type: "idle" },
      turns: [{ id: "u1", status, items: [user, answer], error: null, completedAt, durationMs: null }],
    });
    const histories = [ended("interrupted", null), ended("completed", 1_700_000_000)];
    const place = server({
      "thread/start": () => ({ thread: { id: "t1", turns: [] }, approvalPolicy: "never" }),
      "turn/start": () => ({ turn: RUNNING }),
      "thread/resume": () => ({ thread: ended("interrupted", null) }),
      "thread/read": () => ({ thread: histories.shift() }),
    });
    await using codex = await CodexClient.connect({ transport: place.factory, reconnect: {} });
    const thread = await codex.startThread();
    const turn = thread.turn("go");
    const outcome = rejection(turn.completed);
    await turn.started;
    void place.cut();
    expect(await outcome).toMatchObject({
      code: "turn_interrupted",
      recovered: true,
      turn: { status: "completed" },
    });
    expect(thread.state.turns).toMatchObject([{ id: "u1", status: "completed" }]);
    expect(histories).toEqual([]);
  },
);
