import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { memoryPair, type WireMessage } from "codexwright/rpc";
import { Endpoint, type Handlers } from "codexwright/server";
import { deferred } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { rawClient, type RawClient } from "./raw-client.ts";

const LIST = { "thread/loaded/list": () => ({ data: [], nextCursor: null }) } as const;

function flood(client: RawClient, count: number): void {
  for (let id = 0; id < count; id++) client.write({ id: `f${id}`, method: "thread/loaded/list", params: {} });
}

function answers(client: RawClient): { ok: number; refused: number } {
  const own = client.messages.filter(({ id }) => typeof id === "string");
  const ok = own.filter(({ result }) => result !== undefined).length;
  return { ok, refused: own.length - ok };
}

verifies(
  "endpoint.overload",
  "rejects requests beyond the queue limit and answers all requests",
  async () => {
    await using server = new Endpoint({ handlers: LIST });
    const client = await rawClient(server);
    flood(client, 3_000);
    await client.until(() => client.lines.length > 3_000);
    expect(answers(client)).toEqual({ ok: 128, refused: 2_872 });
    expect(client.messages.find(({ id }) => id === "f2999")).toEqual({
      error: { code: -32001, message: "Server overloaded; retry later." },
      id: "f2999",
    });
    expect((await client.ask("thread/loaded/list", {})).result).toBeDefined();
  },
);

verifies("endpoint.overload", "counts requests that wait for their thread against the limit", async () => {
  const gate = deferred();
  const handlers = { "thread/read": () => gate.promise } as unknown as Handlers;
  await using server = new Endpoint({ handlers, maxQueued: 4 });
  const client = await rawClient(server);
  const read = (): Promise<WireMessage> => client.ask("thread/read", { threadId: "t" });
  const running = read();
  await client.settled();
  const waiting = Array.from({ length: 4 }, read);
  await Promise.resolve();
  for (const refused of [read(), read()]) expect((await refused).error?.code).toBe(-32001);
  gate.resolve();
  for (const { error } of await Promise.all([running, ...waiting])) expect(error).toBeUndefined();
});

verifies("endpoint.overload", "rejects a flood of requests, and does not delay other clients", async () => {
  const served: number[] = [];
  const handlers: Handlers = {
    "thread/loaded/list": (_, { connection }) => {
      served.push(connection.id);
      return { data: [], nextCursor: null };
    },
  };
  await using server = new Endpoint({ handlers });
  const bad = await rawClient(server);
  const good = await rawClient(server);
  flood(bad, 10_000);
  for (const line of ["{", "[]", '{"id":7,"result":{}}', "\u0000"]) bad.write(line);
  const answer = await good.ask("thread/loaded/list", {});
  expect(answer.result).toBeDefined();
  // Connections take turns, so the good client did not wait for the other client's whole queue.
  expect(served.indexOf(good.connection.id)).toBeLessThan(3);
  await bad.until(() => bad.lines.length > 10_000);
  expect(answers(bad)).toEqual({ ok: 128, refused: 9_872 });
  expect(answers(good).refused).toBe(0);
});

verifies("endpoint.overload", "the public client gets through a small queue by retrying", async () => {
  await using server = new Endpoint({ handlers: LIST, maxQueued: 2 });
  const [ours, theirs] = memoryPair();
  server.accept(theirs);
  await using codex = await CodexClient.connect({ transport: () => ours });
  const all = await Promise.all(Array.from({ length: 40 }, () => codex.request("thread/loaded/list", {})));
  expect(all).toHaveLength(40);
});

/** A server whose handlers wait until the test releases them, in the order in which they started. */
function gated() {
  const begun: string[] = [];
  const gates: { readonly name: string; readonly gate: ReturnType<typeof deferred<object>> }[] = [];
  const handler =
    (method: string) =>
    (params: { readonly threadId?: string; readonly processId?: string }): Promise<object> => {
      const name = `${method} ${params.threadId ?? params.processId ?? ""}`.trim();
      begun.push(name);
      const gate = deferred<object>();
      gates.push({ name, gate });
      return gate.promise;
    };
  const methods = [
    "turn/start",
    "turn/interrupt",
    "turn/steer",
    "thread/turns/list",
    "config/read",
    "config/value/write",
    "command/exec",
    "command/exec/terminate",
    "thread/loaded/list",
  ];
  const handlers = Object.fromEntries(methods.map((method) => [method, handler(method)]));
  return {
    server: new Endpoint({ handlers }),
    begun,
    /** Ends the oldest handler with this name. */
    finish: (name: string): void => {
      const index = gates.findIndex((each) => each.name === name);
      gates.splice(index, 1)[0]?.gate.resolve({});
    },
  };
}

verifies(
  "endpoint.order",
  "requests for one thread wait for each other, but not for those of other threads",
  async () => {
    const { server, begun, finish } = gated();
    await using _ = server;
    const [client, other] = [await rawClient(server), await rawClient(server)];
    const turn = (threadId: string): Promise<unknown> => client.ask("turn/start", { threadId, input: [] });
    const first = turn("a");
    const steer = other.ask("turn/steer", { threadId: "a", input: [], expectedTurnId: "t" });
    void turn("b");
    void client.ask("thread/turns/list", { threadId: "a" });
    await client.settled();
    await other.settled();
    expect(begun).toEqual(["turn/start a", "turn/start b", "thread/turns/list a"]);
    finish("turn/start a");
    await first;
    await other.settled();
    expect(begun.at(-1)).toBe("turn/steer a");
    finish("turn/steer a");
    expect(await steer).toMatchObject({ result: {} });
  },
);

verifies("endpoint.order", "runs an interrupt without waiting for the start of its turn", async () => {
  const { server, begun, finish } = gated();
  await using _ = server;
  const client = await rawClient(server);
  void client.ask("turn/start", { threadId: "a", input: [] });
  const interrupt = client.ask("turn/interrupt", { threadId: "a", turnId: "t" });
  await client.settled();
  expect(begun).toEqual(["turn/start a", "turn/interrupt a"]);
  finish("turn/interrupt a");
  expect((await interrupt).result).toEqual({});
});

verifies("endpoint.order", "runs config reads in parallel and config writes alone", async () => {
  const { server, begun, finish } = gated();
  await using _ = server;
  const client = await rawClient(server);
  const write = { keyPath: "a", value: 1, mergeStrategy: "replace" };
  const reads = [client.ask("config/read", {}), client.ask("config/read", {})];
  const writing = client.ask("config/value/write", write);
  void client.ask("config/read", {});
  await client.settled();
  expect(begun).toEqual(["config/read", "config/read"]);
  finish("config/read");
  await reads[0];
  await client.settled();
  expect(begun).toHaveLength(2);
  finish("config/read");
  await reads[1];
  await client.settled();
  expect(begun.slice(2)).toEqual(["config/value/write"]);
  finish("config/value/write");
  await writing;
  await client.settled();
  expect(begun.slice(3)).toEqual(["config/read"]);
});

verifies("endpoint.order", "a running command does not block the request that terminates it", async () => {
  const { server, begun, finish } = gated();
  await using _ = server;
  const client = await rawClient(server);
  const running = client.ask("command/exec", { command: ["sleep"], processId: "p" });
  void client.ask("command/exec/terminate", { processId: "p" });
  await client.settled();
  expect(begun).toEqual(["command/exec p", "command/exec/terminate p"]);
  finish("command/exec p");
  expect((await running).result).toEqual({});
});

verifies("endpoint.order", "drops queued requests when their connection ends", async () => {
  const { server, begun, finish } = gated();
  await using _ = server;
  const [client, other] = [await rawClient(server), await rawClient(server)];
  void client.ask("turn/start", { threadId: "a", input: [] });
  void client.ask("turn/steer", { threadId: "a", input: [], expectedTurnId: "t" });
  await client.settled();
  await client.hangUp();
  const next = other.ask("turn/start", { threadId: "a", input: [] });
  finish("turn/start a");
  await other.settled();
  expect(begun).toEqual(["turn/start a", "turn/start a"]);
  finish("turn/start a");
  expect((await next).result).toEqual({});
});

verifies("endpoint.overload", "survives clients that leave a full queue of requests behind", async () => {
  const gate = deferred();
  let begun = 0;
  const handlers = {
    "thread/read": () => {
      begun++;
      return gate.promise;
    },
    "mcpServer/tool/call": () => ({ content: [] }),
  } as unknown as Handlers;
  await using server = new Endpoint({ handlers, maxQueued: 7_000 });
  const holder = await rawClient(server);
  const held = holder.ask("thread/read", { threadId: "t" });
  const gone = await rawClient(server);
  const stays = await rawClient(server);
  for (let id = 0; id < 6_000; id++) {
    gone.write({ id: `g${id}`, method: "thread/read", params: { threadId: "t" } });
    const call = { threadId: "t", server: "s", tool: "t" };
    stays.write({ id: `s${id}`, method: "mcpServer/tool/call", params: call });
  }
  await stays.settled();
  await gone.hangUp();
  gate.resolve();
  expect((await held).result).toBeDefined();
  // The queue of a thread does not wait for the answer to `mcpServer/tool/call`: once the call has started, the next request may run.
  expect((await stays.answer("s5999")).result).toEqual({ content: [] });
  expect(begun).toBe(1);
});
