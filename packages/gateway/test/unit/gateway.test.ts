import { expect } from "vitest";
import { ResponseError } from "codexwright/rpc";
import type { HandlerContext } from "codexwright/server";
import { deferred, until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { Hub } from "./hub.ts";

const APPROVAL = "item/commandExecution/requestApproval";

verifies(
  "cli.serve.clients",
  "delivers thread events to followers, broadcasts to all clients, and other events to none",
  async () => {
    await using hub = await Hub.open();
    const follower = await hub.client();
    const other = await hub.client();
    await follower.ask("thread/start", {});
    hub.upstream.thread("t").notify("turn/started", { threadId: "t", turn: { id: "u" } } as never);
    hub.upstream
      .thread("t")
      .notify("thread/status/changed", { threadId: "t", status: { type: "idle" } } as never);
    await Promise.all([follower.told("thread/status/changed"), other.told("thread/status/changed")]);
    expect(follower.methods).toContain("turn/started");
    expect(other.methods).not.toContain("turn/started");
  },
);

verifies(
  "cli.serve.clients",
  "delivers events of a new thread after the answer that opens the thread",
  async () => {
    // Both lines are written together, so that they are read together.
    await using hub = await Hub.open({
      "thread/resume": (
        { threadId }: { threadId: string },
        { subscribe, connection, afterAnswer }: HandlerContext,
      ) => {
        subscribe(threadId);
        afterAnswer(() => connection.notify("item/agentMessage/delta", { threadId, delta: "x" } as never));
        return { thread: { id: threadId } };
      },
    });
    const client = await hub.client();
    await client.ask("thread/resume", { threadId: "t" });
    await client.told("item/agentMessage/delta");
    const order = client.messages.map(
      ({ method, result }) => method ?? (result as { thread?: object }).thread,
    );
    expect(order.at(-1)).toBe("item/agentMessage/delta");
    expect(order.at(-2)).toEqual({ id: "t" });
  },
);

verifies(
  "cli.serve.clients",
  "unsubscribes at the app-server when the last client leaves a thread",
  async () => {
    await using hub = await Hub.open();
    const [first, second] = [await hub.client(), await hub.client()];
    await first.ask("thread/start", {});
    await second.ask("thread/resume", { threadId: "t" });
    expect((await first.ask("thread/unsubscribe", { threadId: "t" })).result).toEqual({
      status: "unsubscribed",
    });
    expect((await first.ask("thread/unsubscribe", { threadId: "t" })).result).toEqual({
      status: "notSubscribed",
    });
    expect(hub.methods()).not.toContain("thread/unsubscribe");
    await second.hangUp();
    await until(() => hub.methods().includes("thread/unsubscribe"));
  },
);

verifies(
  "cli.serve.clients",
  "unsubscribes immediately from a thread if the client that opened it has left",
  async () => {
    const opened = deferred<object>();
    await using hub = await Hub.open({ "thread/start": () => opened.promise });
    const client = await hub.client();
    void client.ask("thread/start", {});
    await until(() => hub.methods().includes("thread/start"));
    await client.hangUp();
    opened.resolve({ thread: { id: "new" } });
    await until(() => hub.methods().includes("thread/unsubscribe"));
    expect(hub.paramsOf("thread/unsubscribe")).toEqual([{ threadId: "new" }]);
  },
);

verifies(
  "cli.serve.dropped",
  "stays subscribed while a turn runs, and its server request waits for a client",
  async () => {
    await using hub = await Hub.open();
    const first = await hub.client();
    await first.ask("thread/start", {});
    hub.upstream.thread("t").notify("turn/started", { threadId: "t", turn: { id: "u" } } as never);
    const answer = hub.upstream.thread("t").request(APPROVAL, { threadId: "t" } as never);
    await first.told(APPROVAL);
    await first.hangUp();

    const [second, third] = [await hub.client(), await hub.client()];
    await Promise.all([second, third].map((client) => client.ask("thread/resume", { threadId: "t" })));
    const [{ id }] = await Promise.all([second.told(APPROVAL), third.told(APPROVAL)]);
    second.write({ id, result: { decision: "decline" } });
    third.write({ id, result: { decision: "accept" } });
    expect(await answer).toEqual({ decision: "decline" });
    await Promise.all([second.told("serverRequest/resolved"), third.told("serverRequest/resolved")]);
    expect(hub.methods()).not.toContain("thread/unsubscribe");

    await Promise.all([second.hangUp(), third.hangUp()]);
    hub.upstream.thread("t").notify("turn/completed", { threadId: "t", turn: { id: "u" } } as never);
    await until(() => hub.methods().includes("thread/unsubscribe"));
  },
);

verifies("cli.serve.clients", "passes on the app-server's rejections verbatim", async () => {
  await using hub = await Hub.open({
    "turn/start": () => {
      throw new ResponseError(-32602, "too much", { max: 1 });
    },
  });
  const client = await hub.client();
  const { error } = await client.ask("turn/start", { threadId: "t", input: [] });
  expect(error).toEqual({ code: -32602, message: "too much", data: { max: 1 } });
});

verifies("cli.serve.lost", "rejects requests when the app-server is gone, and reports the end", async () => {
  await using hub = await Hub.open({ "model/list": () => new Promise(() => {}) });
  const client = await hub.client();
  await client.ask("thread/start", {});
  const pending = client.ask("model/list", {});
  await until(() => hub.methods().includes("model/list"));
  hub.cut();
  expect((await hub.gateway.ended).message).toContain("closed");
  for (const { error } of [await pending, await client.ask("turn/start", { threadId: "t", input: [] })]) {
    expect(error?.code).toBe(-32603);
    expect(error?.message).toContain("the app-server is gone");
  }
  expect(hub.warnings).toEqual([]);
});

const turn = (status: "started" | "completed", id = "u"): [never, never] => [
  `turn/${status}` as never,
  { threadId: "t", turn: { id } } as never,
];

verifies(
  "cli.serve.shutdown",
  "a shutdown waits for a turn that was accepted but not announced yet, and starts no new turns",
  async () => {
    await using hub = await Hub.open();
    const client = await hub.client();
    await client.ask("thread/start", {});
    await client.ask("turn/start", { threadId: "t", input: [] });
    let isOver = false;
    const over = hub.gateway.shutdown().then(() => (isOver = true));
    const { error } = await client.ask("thread/start", {});
    expect(error?.message).toContain("shutting down");
    expect(isOver).toBe(false);
    hub.upstream.thread("t").notify(...turn("started"));
    hub.upstream.thread("t").notify(...turn("completed"));
    await over;
    expect(client.methods).toContain("turn/completed");
  },
);

verifies(
  "cli.serve.shutdown",
  "a shutdown does not wait for a turn that ended before its start was answered",
  async () => {
    await using hub = await Hub.open({
      "turn/start": () => {
        hub.upstream.thread("t").notify(...turn("started"));
        hub.upstream.thread("t").notify(...turn("completed"));
        return { turn: { id: "u" } };
      },
    });
    const client = await hub.client();
    await client.ask("thread/start", {});
    await client.ask("turn/start", { threadId: "t", input: [] });
    await hub.gateway.shutdown();
    expect(client.methods).toContain("turn/completed");
  },
);
