import { expect } from "vitest";
import {
  Connection,
  ResponseError,
  type CloseReason,
  type IncomingRequest,
  type Transport,
} from "codexwright/rpc";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { open } from "./peer.ts";
import type { BadLine } from "../../../src/rpc/connection.ts";

verifies(
  ["rpc.classify", "spec001.envelopes", "spec001.any-order"],
  "matches answers to requests by id, in any order, although both ends count from 0",
  async () => {
    const { connection, peer } = open({ request: (_method, params) => ({ echo: params }) });
    const first = connection.request("a", {});
    const second = connection.request("b", { x: 1 });
    await peer.got(2);
    await peer.send({ id: 0, method: "server/asks", params: 7 });
    await peer.send({ id: 1, result: "B" });
    await peer.send({ id: 0, result: "A" });
    expect(await Promise.all([first, second])).toEqual(["A", "B"]);
    expect(await peer.got(3)).toEqual([
      { id: 0, method: "a", params: {} },
      { id: 1, method: "b", params: { x: 1 } },
      { id: 0, result: { echo: 7 } },
    ]);
  },
);

verifies(
  ["rpc.server-requests", "spec001.envelopes"],
  "answers with the same id: 0, other numbers and strings",
  async () => {
    const { peer } = open({ request: (method) => method });
    for (const id of [0, 12, "", "abc"]) await peer.send({ id, method: "ask" });
    const answers = await peer.got(4);
    expect(answers.map((answer) => answer.id)).toEqual([0, 12, "", "abc"]);
  },
);

verifies(
  "rpc.server-requests",
  "a waiting handler delays neither other requests nor notifications",
  async () => {
    const release = deferred();
    const seen: string[] = [];
    const { peer } = open({
      notification: (method) => seen.push(method),
      request: async (method) => {
        if (method === "slow") await release.promise;
        return method;
      },
    });
    await peer.send({ id: 1, method: "slow" });
    await peer.send({ id: 2, method: "quick" });
    await peer.send({ method: "note" });
    expect((await peer.got(1))[0]).toEqual({ id: 2, result: "quick" });
    expect(seen).toEqual(["note"]);
    release.resolve();
    expect((await peer.got(2))[1]).toEqual({ id: 1, result: "slow" });
  },
);

verifies(
  "rpc.server-requests",
  "when a handler fails, answers with an error that does not reveal the exception",
  async () => {
    const { peer } = open({
      request: (method) => {
        if (method === "refused") throw new ResponseError(-32000, "not today", { why: 1 });
        if (method === "unwritable") return { n: 1n };
        throw new Error("the password is hunter2");
      },
    });
    for (const [id, method] of ["refused", "broken", "unwritable"].entries()) await peer.send({ id, method });
    const answers = await peer.got(3);
    expect(answers[0]).toEqual({ id: 0, error: { code: -32000, message: "not today", data: { why: 1 } } });
    expect(answers[1]?.error).toMatchObject({ code: -32603, message: "the handler of this request failed" });
    expect(answers[2]?.error).toMatchObject({ code: -32603 });
  },
);

verifies(
  "rpc.in-flight",
  "keeps the order when waiting requests are aborted, and after the queue was empty",
  async () => {
    const { connection, peer } = open({}, 1);
    const asked: Promise<unknown>[] = [];
    for (const round of [0, 1]) {
      const stop = new AbortController();
      const ask = (n: number): Promise<unknown> =>
        connection.request(`${round}.${n}`, {}, n % 3 === 2 ? { signal: stop.signal } : {}).catch(() => {});
      asked.push(...[0, 1, 2, 3, 4, 5].map(ask));
      stop.abort();
      for (let at = 4 * round; at < 4 * round + 4; at++) {
        const { id } = (await peer.got(at + 1))[at] ?? {};
        if (id !== undefined) await peer.send({ id, result: {} });
      }
      await Promise.all(asked);
    }
    const methods = peer.messages.map(({ method }) => method);
    expect(methods).toEqual(["0.0", "0.1", "0.3", "0.4", "1.0", "1.1", "1.3", "1.4"]);
  },
);

verifies("rpc.in-flight", "sends at most maxInFlight requests at a time, in order", async () => {
  const { connection, peer } = open({}, 2);
  const answers = ["a", "b", "c", "d"].map((method) => connection.request(method, {}));
  await peer.got(2);
  await peer.send({ id: 1, result: "B" });
  expect(await answers[1]).toBe("B");
  expect((await peer.got(3)).map((message) => message.method)).toEqual(["a", "b", "c"]);
  await peer.send({ id: 0, result: "A" });
  await peer.got(4);
  await peer.send({ id: 2, result: "C" });
  await peer.send({ id: 3, result: "D" });
  expect(await Promise.all(answers)).toEqual(["A", "B", "C", "D"]);
});

verifies(
  "rpc.in-flight",
  "sends an uncapped request although the limit is reached, and does not count it towards the limit",
  async () => {
    const { connection, peer } = open({}, 1);
    void connection.request("full", {});
    const waiting = connection.request("waiting", {});
    const urgent = connection.request("urgent", {}, { uncapped: true });
    expect((await peer.got(2)).map((message) => message.method)).toEqual(["full", "urgent"]);
    await peer.send({ id: 1, result: "went through" });
    expect(await urgent).toBe("went through");
    await peer.send({ id: 0, result: {} });
    await peer.got(3);
    await peer.send({ id: 2, result: "then" });
    expect(await waiting).toBe("then");
  },
);

verifies("rpc.timeout", "a timeout error reports whether the request had been sent", async () => {
  const { connection, peer } = open({}, 1);
  const sent = rejection(connection.request("sent", {}, { timeoutMs: 250 }));
  const queued = rejection(connection.request("queued", {}, { timeoutMs: 1 }));
  expect(await queued).toMatchObject({ code: "request_timeout", delivery: "notSent", retryable: true });
  expect(await sent).toMatchObject({
    code: "request_timeout",
    delivery: "unknown",
    retryable: false,
    timeoutMs: 250,
  });
  const next = connection.request("next", {});
  expect((await peer.got(2)).map((message) => message.method)).toEqual(["sent", "next"]);
  await peer.send({ id: 0, result: "late answers are ignored" });
  await peer.send({ id: 1, result: "ok" });
  expect(await next).toBe("ok");
});

verifies("rpc.abort", "a signal ends the wait, before and after the request was sent", async () => {
  const { connection, peer } = open();
  const early = connection.request("never", {}, { signal: AbortSignal.abort("early") });
  expect(await rejection(early)).toMatchObject({ code: "aborted", delivery: "notSent", cause: "early" });
  const controller = new AbortController();
  const outcome = rejection(connection.request("sent", {}, { signal: controller.signal }));
  await peer.got(1);
  controller.abort("stop");
  expect(await outcome).toMatchObject({ code: "aborted", delivery: "unknown", cause: "stop" });
  expect(peer.messages.map((message) => message.method)).toEqual(["sent"]);
});

verifies("rpc.overload", "rejects with the code, message and data of any other error", async () => {
  const { connection, peer } = open();
  const outcome = rejection(connection.request("x", {}));
  await peer.got(1);
  await peer.send({ id: 0, error: { code: -32600, message: "thread not found: 1", data: { a: 1 } } });
  expect(await outcome).toMatchObject({
    code: "rpc",
    rpcCode: -32600,
    message: "thread not found: 1",
    data: { a: 1 },
    method: "x",
    delivery: "rejected",
  });
});

verifies(
  "rpc.closed-latch",
  "rejects pending, queued and later calls when the connection closes",
  async () => {
    const reasons: CloseReason[] = [];
    const { connection, peer } = open({ closed: (reason) => reasons.push(reason) }, 1);
    const sent = rejection(connection.request("sent", {}));
    const queued = rejection(connection.request("queued", {}));
    await peer.got(1);
    await peer.close();
    expect(await sent).toMatchObject({ code: "connection_closed", delivery: "unknown" });
    expect(await queued).toMatchObject({ code: "connection_closed", delivery: "notSent", retryable: true });
    expect(await rejection(connection.request("later", {}))).toMatchObject({ delivery: "notSent" });
    expect(await rejection(connection.notify("later", {}))).toMatchObject({ code: "connection_closed" });
    expect(reasons).toHaveLength(1);
    expect(peer.messages.map((message) => message.method)).toEqual(["sent"]);
  },
);

verifies(
  "rpc.closed-latch",
  "aborts a handler's signal when the connection closes, and drops its answer",
  async () => {
    const started = deferred();
    const aborted = deferred();
    const { peer } = open({
      request: async (_method, _params, { signal }) => {
        started.resolve();
        signal.addEventListener("abort", () => aborted.resolve());
        await aborted.promise;
        return "too late";
      },
    });
    await peer.send({ id: 0, method: "ask" });
    await started.promise;
    await peer.close();
    await aborted.promise;
    expect(peer.messages).toEqual([]);
  },
);

verifies(
  "rpc.server-requests",
  "aborts the handler of a dismissed request and sends no answer; handles a replayed request once",
  async () => {
    const started = deferred();
    const aborted = deferred();
    let calls = 0;
    const { connection, peer } = open({
      request: async (method, _params, { signal }) => {
        if (method === "ping") return "pong";
        calls++;
        started.resolve();
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        aborted.resolve();
        return "too late";
      },
    });
    await peer.send({ id: 7, method: "ask" });
    await peer.send({ id: 7, method: "ask" });
    await started.promise;
    connection.dismiss(7);
    connection.dismiss(99);
    await aborted.promise;
    await peer.send({ id: 8, method: "ping" });
    expect(await peer.got(1)).toEqual([{ id: 8, result: "pong" }]);
    expect(calls).toBe(1);
  },
);

verifies(
  "rpc.server-requests",
  "does not call a handler if its request is dismissed first; a signal that is read afterwards is already aborted",
  async () => {
    const asked: string[] = [];
    const context = deferred<IncomingRequest>();
    let read = (_line: string): void => {};
    const transport: Transport = {
      open: (sink) => void (read = (line) => sink.line(line)),
      send: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const connection: Connection = new Connection({
      transport,
      maxInFlight: 1,
      handlers: {
        notification: (_method, params) => connection.dismiss(params as number),
        request: async (method, _params, request) => {
          asked.push(method);
          context.resolve(request);
          return await new Promise<never>(() => {});
        },
        badLine: () => {},
        closed: () => {},
      },
    });
    // These messages are delivered synchronously, like the lines of one chunk.
    for (const message of [
      { id: 1, method: "early" },
      { method: "resolved", params: 1 },
      { id: 2, method: "late" },
    ])
      read(JSON.stringify(message));
    const late = await context.promise;
    connection.dismiss(2);
    expect(late.signal.aborted).toBe(true);
    expect(asked).toEqual(["late"]);
  },
);

verifies(
  "rpc.server-requests",
  "ignores a request that is replayed before our answer arrives, but handles another request with the same id",
  async () => {
    const asked: unknown[] = [];
    const { peer } = open({
      request: (_method, params) => {
        asked.push(params);
        return "answered";
      },
    });
    await peer.send({ id: 7, method: "ask", params: 1 });
    await peer.got(1);
    await peer.send({ id: 7, method: "ask", params: 1 });
    await peer.send({ id: 7, method: "ask", params: 2 });
    await peer.got(2);
    expect(asked).toEqual([1, 2]);
  },
);

verifies(
  "rpc.closed-latch",
  "closes the connection with the reason when the channel cannot be written",
  async () => {
    const connection = new Connection({
      transport: {
        open: () => {},
        send: () => Promise.reject(new Error("EPIPE")),
        close: () => Promise.resolve(),
      },
      maxInFlight: 64,
      handlers: { notification: () => {}, request: () => {}, badLine: () => {}, closed: () => {} },
    });
    const error = await rejection(connection.request("x", {}));
    expect(error).toMatchObject({ code: "connection_closed", cause: { message: "EPIPE" } });
    expect(connection.closeReason).toBeDefined();
  },
);

verifies(
  "rpc.closed-latch",
  "closes the connection when an answer cannot be written, because the peer would wait for it forever",
  async () => {
    const closed = deferred<CloseReason>();
    let ask = (): void => {};
    const connection = new Connection({
      transport: {
        open: (sink) => (ask = () => sink.line(JSON.stringify({ id: 1, method: "ask" }))),
        send: () => Promise.reject(new Error("EPIPE")),
        close: () => Promise.resolve(),
      },
      maxInFlight: 64,
      handlers: {
        notification: () => {},
        request: () => "yes",
        badLine: () => {},
        closed: (reason) => closed.resolve(reason),
      },
    });
    ask();
    expect(await closed.promise).toMatchObject({ cause: { message: "EPIPE" } });
    expect(connection.closeReason).toBeDefined();
  },
);

verifies("rpc.bad-line", "reports lines that are not messages and continues with the rest", async () => {
  const bad: BadLine[] = [];
  const seen: string[] = [];
  const { peer } = open({ badLine: (line) => bad.push(line), notification: (method) => seen.push(method) });
  const last = deferred();
  for (const line of ["not json", "[]", "{}", '{"method":1}']) await peer.send(line);
  await peer.send({ method: "fine" });
  await peer.send("42");
  queueMicrotask(() => queueMicrotask(() => last.resolve()));
  await last.promise;
  expect(bad.map((line) => line.length)).toEqual([8, 2, 2, 12, 2]);
  expect(seen).toEqual(["fine"]);
});

verifies("rpc.bad-params", "rejects params that JSON cannot represent before sending anything", async () => {
  const { connection, peer } = open();
  expect(await rejection(connection.request("x", { n: 1n }))).toMatchObject({ code: "invalid_argument" });
  await connection.notify("fine", {});
  expect((await peer.got(1))[0]?.method).toBe("fine");
});

verifies("rpc.closed-latch", "rejects notifications when the channel cannot be written", async () => {
  const connection = new Connection({
    transport: { open() {}, send: () => Promise.reject(new Error("EPIPE")), close: async () => {} },
    maxInFlight: 1,
    handlers: { notification() {}, request: () => ({}), badLine() {}, closed() {} },
  });
  const error = await rejection(connection.notify("initialized", {}));
  expect(error).toMatchObject({
    code: "connection_closed",
    delivery: "unknown",
    cause: { message: "EPIPE" },
  });
});
