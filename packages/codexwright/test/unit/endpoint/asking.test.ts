import { expect } from "vitest";
import { ResponseError } from "codexwright/rpc";
import { Endpoint, type EndpointOptions, type Handlers } from "codexwright/server";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { RawClient, rawClient } from "./raw-client.ts";

const APPROVAL = "item/commandExecution/requestApproval";
const CALL = "item/tool/call";
const REFRESH = "account/chatgptAuthTokens/refresh";
const NO_HANDLER = { code: -32601, message: "Method not found" };

const endpoint = (options: Partial<EndpointOptions> = {}): Endpoint =>
  new Endpoint({ handlers: {}, ...options });

async function followers(server: Endpoint, count: number): Promise<RawClient[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => rawClient(server)));
  for (const client of clients) client.connection.subscribe("t");
  return clients;
}

verifies("endpoint.failures", "waits for other clients after one client answers with an error", async () => {
  await using server = endpoint();
  const [a, b] = (await followers(server, 2)) as [RawClient, RawClient];
  const answer = server.thread("t").request(APPROVAL, { threadId: "t" } as never);
  await Promise.all([a.told(APPROVAL), b.told(APPROVAL)]);
  a.write({ id: 0, error: NO_HANDLER });
  await a.settled();
  b.write({ id: 0, result: { decision: "accept" } });
  expect(await answer).toEqual({ decision: "accept" });
  await a.told("serverRequest/resolved");

  const failed = rejection(server.thread("t").request(APPROVAL, { threadId: "t" } as never));
  await Promise.all([a.told(APPROVAL, 2), b.told(APPROVAL, 2)]);
  a.write({ id: 1, error: { code: -32000, message: "first" } });
  await a.settled();
  b.write({ id: 1, error: { code: -32000, message: "last" } });
  expect(await failed).toMatchObject({ code: "rpc", message: "last" });
});

verifies(
  "endpoint.failures",
  "after one client fails and the other leaves, requests of a thread stay open, and requests without a thread reject",
  async () => {
    await using server = endpoint();
    const [a, b] = (await followers(server, 2)) as [RawClient, RawClient];
    const approval = server.thread("t").request(APPROVAL, { threadId: "t" } as never);
    const refresh = rejection(server.request(REFRESH, { reason: "unauthorized" } as never));
    const { id } = await a.told(REFRESH);
    a.write({ id: 0, error: NO_HANDLER });
    a.write({ id, error: NO_HANDLER });
    await a.settled();
    await b.hangUp();
    expect(await refresh).toMatchObject({ code: "rpc", rpcCode: -32601 });
    const [back] = (await followers(server, 1)) as [RawClient];
    await back.told(APPROVAL);
    back.write({ id: 0, result: { decision: "decline" } });
    expect(await approval).toEqual({ decision: "decline" });
  },
);

verifies("endpoint.one", "sends a request to one client and accepts only its answer", async () => {
  await using server = endpoint();
  const [a, b] = (await followers(server, 2)) as [RawClient, RawClient];
  const answer = a.connection.request(CALL, { threadId: "t" } as never);
  const { id } = await a.told(CALL);
  b.write({ id, result: { success: false, contentItems: [] } });
  await b.settled();
  b.connection.unsubscribe("t");
  b.connection.subscribe("t");
  await b.settled();
  a.write({ id, result: { success: true, contentItems: [] } });
  expect(await answer).toEqual({ success: true, contentItems: [] });
  expect(b.methods).not.toContain(CALL);

  const failed = rejection(a.connection.request(CALL, { threadId: "t" } as never));
  await a.told(CALL, 2);
  a.write({ id: id === 0 ? 1 : 0, error: NO_HANDLER });
  expect(await failed).toMatchObject({ code: "rpc", rpcCode: -32601 });
});

verifies("endpoint.one", "rejects requests to clients that left or have not initialized", async () => {
  await using server = endpoint();
  const client = await rawClient(server);
  const lost = rejection(client.connection.request(CALL, {} as never));
  await client.told(CALL);
  await client.hangUp();
  expect(await lost).toMatchObject({ code: "connection_closed", delivery: "unknown" });
  const silent = new RawClient(server);
  for (const { connection } of [client, silent]) {
    const refused = rejection(connection.request(CALL, {} as never));
    expect(await refused).toMatchObject({ code: "connection_closed", delivery: "notSent" });
  }
});

verifies(
  "endpoint.fallback",
  "passes unhandled methods to the fallback, and still requires the opt-in for experimental ones",
  async () => {
    const handlers = { "model/list": () => ({ data: [] }) } as unknown as Handlers;
    await using server = endpoint({ handlers, fallback: (method, params) => ({ method, params }) });
    const silent = new RawClient(server);
    expect((await silent.ask("thread/telepathy", {})).error?.message).toBe("Not initialized");
    const client = await rawClient(server);
    expect((await client.ask("thread/telepathy", { threadId: "t" })).result).toEqual({
      method: "thread/telepathy",
      params: { threadId: "t" },
    });
    expect((await client.ask("model/list", {})).result).toEqual({ data: [] });
    expect((await client.ask("memory/reset", {})).error?.message).toContain("requires experimentalApi");
    expect((await client.ask("initialize", { clientInfo: { name: "n", version: "1" } })).error?.message).toBe(
      "Already initialized",
    );
  },
);

verifies(
  "endpoint.refuse",
  "refuses the methods that the server does not support, and does not list them",
  async () => {
    const handlers = { "model/list": () => ({ data: [] }) } as unknown as Handlers;
    const refuse = (method: string): ResponseError | undefined =>
      method === "model/list" || method === "plugin/list"
        ? new ResponseError(-32600, "no plugins", { code: "not_supported" })
        : undefined;
    await using server = endpoint({ handlers, refuse });
    const silent = new RawClient(server);
    expect((await silent.ask("plugin/list", {})).error?.message).toBe("Not initialized");
    const client = await rawClient(server);
    expect((await client.ask("plugin/list", { cwds: 5 })).error).toEqual({
      code: -32600,
      message: "no plugins",
      data: { code: "not_supported" },
    });
    expect((await client.ask("model/list", {})).result).toEqual({ data: [] });
    const unknown = (await client.ask("plugin/read", {})).error?.message;
    expect(unknown).toContain("`model/list`");
    expect(unknown).not.toContain("plugin/list");
  },
);

verifies(
  "endpoint.fallback",
  "reports notifications of initialized clients and survives listeners that throw",
  async () => {
    const heard: unknown[] = [];
    const failures: unknown[] = [];
    await using server = endpoint({
      onNotification: (method, params, { clientInfo }) => {
        heard.push([method, params, clientInfo?.name]);
        if (method === "bad") throw new Error("bad");
      },
      onError: (error, method) => failures.push(`${method} ${(error as Error).message}`),
    });
    const silent = new RawClient(server);
    silent.write({ method: "early", params: {} });
    await silent.settled();
    const client = await rawClient(server);
    client.write({ method: "thread/nudge", params: { threadId: "t" } });
    client.write({ method: "bad" });
    await client.settled();
    expect(heard).toEqual([
      ["thread/nudge", { threadId: "t" }, "raw"],
      ["bad", undefined, "raw"],
    ]);
    expect(failures).toEqual(["bad bad"]);
  },
);

verifies("server.capacity", "closes only the client that does not initialize in time", async () => {
  await using server = endpoint({ initializeTimeoutMs: 50 });
  const client = await rawClient(server);
  const silent = new RawClient(server);
  silent.write({ id: 9, method: "model/list", params: {} });
  await silent.until(() => silent.closed);
  expect(server.connections).toEqual([client.connection]);
  expect(client.closed).toBe(false);
});
