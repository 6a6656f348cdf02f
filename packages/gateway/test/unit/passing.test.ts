import { expect } from "vitest";
import { memoryPair, type WireMessage } from "codexwright/rpc";
import type { HandlerContext } from "codexwright/server";
import { until } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { Gateway } from "../../src/gateway.ts";
import { LineClient } from "@codexwright/test-support/line-client";
import { Hub } from "./hub.ts";

verifies(
  "cli.serve.unknown",
  "passes on methods that only a newer server has, and returns its rejections verbatim",
  async () => {
    await using hub = await Hub.open({ "thread/telepathy": (params: object) => ({ read: params }) });
    const client = await hub.client({});
    const { result } = await client.ask("thread/telepathy", { threadId: "t", depth: 2 });
    expect(result).toEqual({ read: { threadId: "t", depth: 2 } });
    const { error } = await client.ask("codexwright/methods", {});
    expect(error?.message).toMatch(
      /^Invalid request: unknown variant `codexwright\/methods`.*`thread\/telepathy`/,
    );
    expect((await client.ask("memory/reset", {})).error?.message).toContain("requires experimentalApi");
  },
);

verifies(
  "cli.serve.unknown",
  "delivers events of a newer server to the followers of their thread, or to all clients",
  async () => {
    await using hub = await Hub.open();
    const [follower, other] = [await hub.client(), await hub.client()];
    await follower.ask("thread/start", {});
    hub.upstream.thread("t").notify("thread/dreamt" as never, { threadId: "t", dream: 1 } as never);
    hub.upstream.broadcast("weather/changed" as never, { sunny: true } as never);
    await Promise.all([follower.told("weather/changed"), other.told("weather/changed")]);
    expect((await follower.told("thread/dreamt")).params).toEqual({ threadId: "t", dream: 1 });
    expect(other.methods).not.toContain("thread/dreamt");
    const asked = hub.upstream.thread("t").request("item/newQuestion" as never, { threadId: "t" } as never);
    const { id } = await follower.told("item/newQuestion");
    follower.write({ id, result: { yes: true } });
    expect(await asked).toEqual({ yes: true });
  },
);

verifies("cli.serve.unknown", "passes on client notifications, except those of the handshake", async () => {
  const [near, far] = memoryPair();
  const server: WireMessage[] = [];
  far.open({
    line: (text) => {
      const message = JSON.parse(text) as WireMessage;
      server.push(message);
      if (message.id === undefined) return;
      void far.send(JSON.stringify({ id: message.id, result: { userAgent: "x/0.999.0 (y)" } }));
    },
    closed: () => {},
  });
  await using gateway = await Gateway.open({ transport: () => near });
  expect(gateway.version).toBe("0.999.0");
  const [ours, theirs] = memoryPair();
  gateway.accept(theirs);
  const client = new LineClient(ours);
  await client.hello();
  client.write({ method: "initialized" });
  client.write({ method: "thread/nudge", params: { threadId: "t" } });
  await until(() => server.some(({ method }) => method === "thread/nudge"));
  expect(server.map(({ method }) => method)).toEqual(["initialize", "initialized", "thread/nudge"]);
});

const agent = (child: string): object => ({
  threadId: "t",
  turnId: "u",
  item: { type: "collabAgentToolCall", id: "i", receiverThreadIds: [child] },
});
const delta = (threadId: string, text: string): [never, never] => [
  "item/agentMessage/delta" as never,
  { threadId, delta: text } as never,
];

verifies(
  "cli.serve.agents",
  "followers of a thread receive all events of its sub-agents, in order",
  async () => {
    await using hub = await Hub.open();
    const [client, other] = [await hub.client(), await hub.client()];
    await client.ask("thread/start", {});
    await other.ask("thread/start", { threadId: "other" });
    const [upstream] = hub.upstream.thread("t").subscribers;
    for (const text of ["a", "b"]) upstream?.notify(...delta("child", text));
    upstream?.notify("item/completed", agent("child") as never);
    upstream?.notify(...delta("child", "c"));
    await client.told("item/agentMessage/delta", 3);
    const texts = client.messages.flatMap(({ method, params }) =>
      method === "item/agentMessage/delta" ? [(params as { delta: string }).delta] : [],
    );
    expect(texts).toEqual(["a", "b", "c"]);
    expect(other.methods).not.toContain("item/agentMessage/delta");
  },
);

verifies(
  "cli.serve.agents",
  "stays subscribed until the end of a sub-agent whose turn started early",
  async () => {
    await using hub = await Hub.open();
    const client = await hub.client();
    await client.ask("thread/start", {});
    const [upstream] = hub.upstream.thread("t").subscribers;
    upstream?.notify("turn/started", { threadId: "child", turn: { id: "c" } } as never);
    upstream?.notify("thread/started", { thread: { id: "child", parentThreadId: "t" } } as never);
    await client.told("turn/started");
    await client.hangUp();
    await until(() => hub.methods().includes("thread/unsubscribe"));
    expect(hub.paramsOf("thread/unsubscribe")).toEqual([{ threadId: "t" }]);
    upstream?.notify("turn/completed", { threadId: "child", turn: { id: "c" } } as never);
    await until(() => hub.paramsOf("thread/unsubscribe").length === 2);
  },
);

verifies(
  "cli.serve.agents",
  "delivers events first if they arrive before the answer that opens their thread",
  async () => {
    await using hub = await Hub.open({
      "thread/start": (_params: object, { subscribe, connection }: HandlerContext) => {
        connection.notify("warning", { threadId: "t", message: "old model" });
        subscribe("t");
        return { thread: { id: "t" } };
      },
    });
    const client = await hub.client();
    await client.ask("thread/start", {});
    expect(client.messages.slice(-2).map(({ method, result }) => method ?? result)).toEqual([
      "warning",
      { thread: { id: "t" } },
    ]);
  },
);

verifies(
  "cli.serve.agents",
  "keeps a bounded number of events of threads that no client asks for",
  async () => {
    await using hub = await Hub.open();
    const client = await hub.client();
    await client.ask("thread/start", {});
    const [upstream] = hub.upstream.thread("t").subscribers;
    for (let each = 0; each < 2_000; each++) upstream?.notify(...delta("child", String(each)));
    upstream?.notify("item/completed", agent("child") as never);
    await client.told("item/agentMessage/delta", 1_024);
    await client.told("item/completed");
    const first = client.messages.find(({ method }) => method === "item/agentMessage/delta");
    expect(first?.params).toMatchObject({ delta: String(2_000 - 1_024) });
    upstream?.notify(...delta("lost", "x"));
    for (let each = 0; each < 64; each++) upstream?.notify(...delta(`thread ${each}`, "y"));
    upstream?.notify("item/completed", agent("lost") as never);
    await client.told("item/completed", 2);
    expect(client.methods.filter((method) => method === "item/agentMessage/delta")).toHaveLength(1_024);
  },
);
