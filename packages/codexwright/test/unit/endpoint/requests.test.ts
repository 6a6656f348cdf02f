import { expect } from "vitest";
import { RpcError } from "codexwright/rpc";
import { Endpoint, type EndpointOptions, type HandlerContext, type Handlers } from "codexwright/server";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { EXPERIMENTAL, RawClient, rawClient } from "./raw-client.ts";

const QUESTION = { threadId: "t", turnId: "u", itemId: "i", questions: [] } as never;

/** A server whose `thread/resume` subscribes immediately and answers later. */
function endpoint(options: Partial<EndpointOptions> = {}): Endpoint {
  const handlers = {
    "thread/resume": async ({ threadId }: { threadId: string }, context: HandlerContext) => {
      context.subscribe(threadId);
      await Promise.resolve();
      return { resumed: threadId };
    },
  } as unknown as Handlers;
  return new Endpoint({ handlers, ...options });
}

async function subscribed(server: Endpoint, count: number): Promise<RawClient[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => rawClient(server, EXPERIMENTAL)));
  for (const client of clients) await client.ask("thread/resume", { threadId: "t" });
  return clients;
}

const ASKED = "item/tool/requestUserInput";
const RESOLVED = "serverRequest/resolved";

verifies(
  "endpoint.requests",
  "sends a request to all subscribers with the same id and uses the first answer",
  async () => {
    await using server = endpoint();
    const [a, b] = (await subscribed(server, 2)) as [RawClient, RawClient];
    const outsider = await rawClient(server);
    const answer = server.thread("t").request(ASKED, QUESTION);
    expect((await a.told(ASKED)).id).toBe(0);
    expect((await b.told(ASKED)).id).toBe(0);
    b.write({ id: 0, result: { answers: { from: "b" } } });
    a.write({ id: 0, result: { answers: { from: "a" } } });
    expect(await answer).toEqual({ answers: { from: "b" } });
    for (const client of [a, b]) {
      expect((await client.told(RESOLVED)).params).toEqual({ threadId: "t", requestId: 0 });
      await client.settled();
      expect(client.methods.filter((method) => method === RESOLVED)).toHaveLength(1);
    }
    await outsider.settled();
    expect(outsider.methods).toEqual([]);
  },
);

verifies("endpoint.requests", "counts request ids from 0 over all threads", async () => {
  await using server = endpoint();
  const client = await rawClient(server);
  for (const threadId of ["t", "u", "v"]) {
    client.connection.subscribe(threadId);
    void server
      .thread(threadId)
      .request(ASKED, QUESTION)
      .catch(() => {});
  }
  await client.told(ASKED, 3);
  expect(client.messages.filter(({ method }) => method === ASKED).map(({ id }) => id)).toEqual([0, 1, 2]);
});

verifies("endpoint.requests", "sends no serverRequest/resolved for a tool call", async () => {
  await using server = endpoint();
  const [client] = (await subscribed(server, 1)) as [RawClient];
  const answer = server.thread("t").request("item/tool/call", {} as never);
  client.write({ id: (await client.told("item/tool/call")).id, result: { success: true, contentItems: [] } });
  expect(await answer).toEqual({ success: true, contentItems: [] });
  await client.settled();
  expect(client.methods).toEqual(["item/tool/call"]);
});

verifies("endpoint.requests", "rejects with an error answer", async () => {
  await using server = endpoint();
  const [client] = (await subscribed(server, 1)) as [RawClient];
  const answer = rejection(server.thread("t").request(ASKED, QUESTION));
  await client.told(ASKED);
  client.write({ id: 0, error: { code: -32000, message: "no", data: { why: 1 } } });
  const error = (await answer) as RpcError;
  expect(error).toBeInstanceOf(RpcError);
  expect([error.rpcCode, error.message, error.data]).toEqual([-32000, "no", { why: 1 }]);
  await client.told(RESOLVED);
});

verifies("endpoint.requests", "if a request is aborted, rejects it and notifies the clients", async () => {
  await using server = endpoint();
  const [client] = (await subscribed(server, 1)) as [RawClient];
  const controller = new AbortController();
  const answer = rejection(server.thread("t").request(ASKED, QUESTION, { signal: controller.signal }));
  await client.told(ASKED);
  controller.abort();
  expect(await answer).toMatchObject({ code: "aborted" });
  await client.told(RESOLVED);
  const late = rejection(server.thread("t").request(ASKED, QUESTION, { signal: controller.signal }));
  expect(await late).toMatchObject({ code: "aborted", delivery: "notSent" });
});

verifies("endpoint.requests", "ignores answers to unknown requests and from other clients", async () => {
  await using server = endpoint();
  const [client] = (await subscribed(server, 1)) as [RawClient];
  const stranger = await rawClient(server);
  const answer = server.thread("t").request(ASKED, QUESTION);
  await client.told(ASKED);
  stranger.write({ id: 0, result: { answers: { from: "stranger" } } });
  for (const id of [1, -1, "0", 99]) client.write({ id, result: {} });
  await stranger.settled();
  client.write({ id: 0, result: { answers: {} } });
  expect(await answer).toEqual({ answers: {} });
});

verifies("endpoint.requests", "sends requests that name no thread to every client", async () => {
  await using server = endpoint();
  const method = "account/chatgptAuthTokens/refresh";
  expect(await rejection(server.request(method, {} as never))).toMatchObject({ code: "connection_closed" });
  const [a, b] = [await rawClient(server), await rawClient(server)];
  const answer = server.request(method, { reason: "unauthorized" } as never);
  expect((await a.told(method)).id).toBe((await b.told(method)).id);
  b.write({ id: (await b.told(method)).id, result: { accessToken: "x" } });
  expect(await answer).toEqual({ accessToken: "x" });
  const lost = rejection(server.request(method, {} as never));
  await Promise.all([a.hangUp(), b.hangUp()]);
  expect(await lost).toMatchObject({ code: "connection_closed" });
});

verifies("endpoint.replay", "clients that subscribe later get open requests under the same id", async () => {
  await using server = endpoint();
  const [first] = (await subscribed(server, 1)) as [RawClient];
  const answer = server.thread("t").request(ASKED, QUESTION);
  await first.told(ASKED);
  const late = await rawClient(server);
  await late.ask("thread/resume", { threadId: "t" });
  await late.told(ASKED);
  expect(late.messages.slice(-2).map(({ id, method, result }) => method ?? result ?? id)).toEqual([
    { resumed: "t" },
    ASKED,
  ]);
  late.write({ id: 0, result: { answers: {} } });
  await answer;
  expect((await first.told(RESOLVED)).params).toEqual({ threadId: "t", requestId: 0 });
});

verifies(
  "endpoint.replay",
  "keeps a request open when its clients leave and sends it again when one returns",
  async () => {
    await using server = endpoint();
    const [first] = (await subscribed(server, 1)) as [RawClient];
    const answer = server.thread("t").request(ASKED, QUESTION);
    await first.told(ASKED);
    await first.hangUp();
    expect(server.thread("t").subscribers).toEqual([]);
    const [back] = (await subscribed(server, 1)) as [RawClient];
    back.write({ id: (await back.told(ASKED)).id, result: { answers: {} } });
    expect(await answer).toEqual({ answers: {} });
  },
);

verifies(
  "endpoint.replay",
  "sends open requests again after another resume, and accepts an answer after unsubscribing",
  async () => {
    await using server = endpoint();
    const [client] = (await subscribed(server, 1)) as [RawClient];
    const answer = server.thread("t").request(ASKED, QUESTION);
    await client.ask("thread/resume", { threadId: "t" });
    expect((await client.told(ASKED, 2)).id).toBe(0);
    client.connection.subscribe("t");
    expect(client.connection.unsubscribe("t")).toBe(true);
    expect(client.connection.unsubscribe("t")).toBe(false);
    client.write({ id: 0, result: { answers: {} } });
    expect(await answer).toEqual({ answers: {} });
    await client.settled();
    expect(client.methods).toEqual([ASKED, ASKED]);
  },
);

verifies(
  "endpoint.subscriptions",
  "sends notifications of a thread to its subscribers and others to all clients",
  async () => {
    await using server = endpoint();
    const [a, b] = [await rawClient(server), await rawClient(server)];
    const silent = new RawClient(server);
    a.connection.subscribe("t");
    b.connection.subscribe("u");
    server.thread("t").notify("turn/started", {} as never);
    server.thread("u").notify("turn/completed", {} as never);
    server.broadcast("thread/archived", { threadId: "t" });
    b.connection.unsubscribe("u");
    server.thread("u").notify("turn/completed", {} as never);
    for (const client of [a, b, silent]) await client.settled();
    expect(a.methods).toEqual(["turn/started", "thread/archived"]);
    expect(b.methods).toEqual(["turn/completed", "thread/archived"]);
    expect(silent.methods).toEqual([]);
    expect(server.connections).toHaveLength(3);
  },
);

verifies(
  "endpoint.subscriptions",
  "tells the server when a thread has lost its last subscriber",
  async () => {
    const abandoned: string[] = [];
    const failures: unknown[] = [];
    const broken = new Error("the handler is broken");
    await using server = endpoint({
      onAbandoned: (threadId) => {
        abandoned.push(threadId);
        throw broken;
      },
      onError: (error) => failures.push(error),
    });
    const [a, b] = [await rawClient(server), await rawClient(server)];
    for (const { connection } of [a, b]) connection.subscribe("both");
    b.connection.subscribe("one");
    a.connection.unsubscribe("both");
    a.connection.unsubscribe("both");
    expect(abandoned).toEqual([]);
    await b.connection.close();
    expect(abandoned.toSorted()).toEqual(["both", "one"]);
    expect(failures).toEqual([broken, broken]);
  },
);

verifies("endpoint.requests", "never sends a request whose params cannot be serialized", async () => {
  await using server = endpoint();
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const asked = rejection(server.thread("t").request(ASKED, circle as never));
  expect(await asked).toMatchObject({ code: "invalid_argument" });
  const client = await rawClient(server);
  client.connection.subscribe("t");
  await client.settled();
  expect(client.methods).toEqual([]);
});
