import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { memoryPair, ResponseError } from "codexwright/rpc";
import { Endpoint, type HandlerContext, type Handlers } from "codexwright/server";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { RawClient, rawClient } from "./raw-client.ts";

const LIST = { "thread/loaded/list": () => ({ data: [], nextCursor: null }) } as const;

verifies(
  "endpoint.shutdown",
  "a graceful shutdown waits for held work and still serves clients",
  async () => {
    await using server = new Endpoint({ handlers: LIST });
    const client = await rawClient(server);
    const [turn, another] = [deferred(), deferred()];
    server.hold(turn.promise);
    let over = false;
    const shutdown = server.shutdown().then(() => (over = true));
    expect((await client.ask("thread/loaded/list", {})).result).toBeDefined();
    server.hold(another.promise);
    turn.reject(new Error("a graceful shutdown does not wait for held work that failed"));
    await client.settled();
    expect([over, client.closed, server.signal.aborted]).toEqual([false, false, false]);
    another.resolve();
    await shutdown;
    await client.until(() => client.closed);
    expect(server.signal.aborted).toBe(true);
    expect(server.connections).toEqual([]);
  },
);

verifies(
  "endpoint.shutdown",
  "aborting the signal ends the wait of a shutdown, and the wait of a second shutdown call",
  async () => {
    for (const second of [false, true]) {
      const server = new Endpoint({ handlers: LIST });
      const client = await rawClient(server);
      server.hold(new Promise(() => {}));
      const controller = new AbortController();
      const first = server.shutdown(second ? {} : { signal: controller.signal });
      const other = second ? server.shutdown({ signal: controller.signal }) : first;
      controller.abort();
      await Promise.all([first, other]);
      await client.until(() => client.closed);
    }
  },
);

verifies(
  "endpoint.shutdown",
  "after a shutdown, open requests have rejected and new connections are closed",
  async () => {
    const server = new Endpoint({ handlers: LIST });
    const client = await rawClient(server);
    client.connection.subscribe("t");
    const ask = (): Promise<unknown> =>
      rejection(server.thread("t").request("currentTime/read", { threadId: "t" }));
    const open = ask();
    await client.told("currentTime/read");
    await server[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    expect(await open).toMatchObject({ code: "connection_closed" });
    expect(await ask()).toMatchObject({ code: "connection_closed", delivery: "notSent" });
    expect(client.connection.signal.aborted).toBe(true);
    const late = new RawClient(server);
    await late.until(() => late.closed);
    expect(late.lines).toEqual([]);
  },
);

verifies("endpoint.shutdown", "aborts the handler and drops the answer if a client disconnects", async () => {
  const begun = deferred<AbortSignal>();
  const handlers: Handlers = {
    "thread/loaded/list": async (_, { signal, afterAnswer, subscribe }) => {
      begun.resolve(signal);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      subscribe("t");
      afterAnswer(() => done.resolve());
      return { data: [], nextCursor: null };
    },
  };
  const done = deferred();
  await using server = new Endpoint({ handlers });
  const client = await rawClient(server);
  void client.ask("thread/loaded/list", {});
  await begun.promise;
  await client.hangUp();
  await done.promise;
  expect(server.thread("t").subscribers).toEqual([]);
  expect(client.lines).toHaveLength(1);
});

verifies("endpoint.shutdown", "closes one connection without affecting the others", async () => {
  await using server = new Endpoint({ handlers: LIST });
  const [a, b] = [await rawClient(server), await rawClient(server)];
  await a.connection.close();
  await a.until(() => a.closed);
  expect((await b.ask("thread/loaded/list", {})).result).toBeDefined();
  expect(server.connections.map(({ id }) => id)).toEqual([b.connection.id]);
});

verifies(
  "endpoint.shutdown",
  "drops a transport that breaks or throws and still notifies the other clients",
  async () => {
    await using server = new Endpoint({ handlers: LIST });
    const broken = (send: () => Promise<void>): RawClient["connection"] => {
      const [ours, theirs] = memoryPair();
      void ours.send('{"id":0,"method":"initialize","params":{"clientInfo":{"name":"x","version":"1"}}}');
      return server.accept({
        open: (sink) => theirs.open(sink),
        send,
        close: () => Promise.reject(new Error("cannot even be closed")),
      });
    };
    const gone = [
      broken(() => Promise.reject(new Error("EPIPE"))),
      broken(() => {
        throw new Error("EPIPE");
      }),
    ];
    const client = await rawClient(server);
    server.broadcast("thread/archived", { threadId: "t" });
    await client.told("thread/archived");
    expect(gone.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(server.connections).toEqual([client.connection]);
  },
);

verifies("endpoint.errors", "sends a ResponseError as the answer, including its data", async () => {
  const handlers: Handlers = {
    "thread/loaded/list": () => {
      throw new ResponseError(-32602, "too much", { max_chars: 1 });
    },
    "model/list": () => Promise.reject(new ResponseError(-32600, "thread not found: x")),
  };
  await using server = new Endpoint({ handlers });
  const client = await rawClient(server);
  await client.ask("thread/loaded/list", {});
  expect(client.lines.at(-1)).toBe(
    '{"error":{"code":-32602,"data":{"max_chars":1},"message":"too much"},"id":2}',
  );
  expect((await client.ask("model/list", {})).error).toEqual({
    code: -32600,
    message: "thread not found: x",
  });
});

verifies(
  "endpoint.errors",
  "answers other errors with -32603 without their text and reports them to onError",
  async () => {
    const failures: [unknown, string][] = [];
    const secret = new Error("password is hunter2");
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const handlers = {
      "thread/loaded/list": () => {
        throw secret;
      },
      "model/list": () => circular,
      "thread/list": (_: unknown, { afterAnswer }: HandlerContext) => {
        afterAnswer(() => {
          throw secret;
        });
        return {};
      },
    } as unknown as Handlers;
    const onError = (...failure: [unknown, string]): void => {
      failures.push(failure);
      throw secret;
    };
    await using server = new Endpoint({ handlers, onError });
    const client = await rawClient(server);
    for (const method of ["thread/loaded/list", "model/list"]) {
      expect((await client.ask(method, {})).error).toEqual({
        code: -32603,
        message: `${method} failed in the server`,
      });
    }
    expect((await client.ask("thread/list", {})).result).toEqual({});
    expect(failures.map(([, method]) => method)).toEqual(["thread/loaded/list", "model/list", "thread/list"]);
    expect(failures[0]?.[0]).toBe(secret);
    expect(client.lines.join("\n")).not.toContain("hunter2");
  },
);

verifies("endpoint.errors", "the public client receives code, message and data of an error", async () => {
  const handlers: Handlers = {
    "thread/loaded/list": () => {
      throw new ResponseError(-32600, "no", { a: 1 });
    },
  };
  await using server = new Endpoint({ handlers });
  const [ours, theirs] = memoryPair();
  server.accept(theirs);
  await using codex = await CodexClient.connect({ transport: () => ours });
  const error = await rejection(codex.request("thread/loaded/list", {}));
  expect(error).toMatchObject({ code: "rpc", rpcCode: -32600, message: "no", data: { a: 1 } });
});
