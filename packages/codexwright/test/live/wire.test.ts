import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { reply, toolCall } from "@codexwright/testing";
import { deferred, rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world } from "@codexwright/test-support/world";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

verifies(
  ["turn.input", "turn.run"],
  "a turn accepts every kind of input and the overrides, and the model receives them",
  async () => {
    await using live = await world(() => reply("seen"));
    const { workspace } = live.server;
    const image = path.join(workspace, "pixel.png");
    const skill = path.join(workspace, "SKILL.md");
    writeFileSync(image, Buffer.from(PIXEL, "base64"));
    writeFileSync(skill, "---\nname: painter\ndescription: paints\n---\nPaint well.\n");
    const thread = await live.codex.startThread();
    const result = await thread.run(
      [
        { type: "text", text: "look at these" },
        { type: "image", url: `data:image/png;base64,${PIXEL}` },
        { type: "localImage", path: image },
        { type: "skill", name: "painter", path: skill },
        { type: "mention", name: "pixel", path: image },
      ],
      {
        model: "another-model",
        effort: "low",
        summary: "concise",
        approvalPolicy: "never",
        sandboxPolicy: { type: "readOnly" },
      },
    );
    const [user] = result.items;
    expect(user).toMatchObject({ type: "userMessage" });
    const [request] = live.model.requests;
    expect(request?.model).toBe("another-model");
    const input = JSON.stringify(request?.input);
    expect(input).toContain("look at these");
    expect(input.split(PIXEL)).toHaveLength(3);
  },
  PINNED,
);

verifies(
  ["client.handshake", "rpc.overload"],
  "passes on the server's rejections: of an experimental method without opt-in, and of a second initialize",
  async () => {
    await using live = await world([], { client: { experimentalApi: false } });
    const tools = await rejection(live.codex.request("thread/start", { dynamicTools: [] }));
    expect(tools).toMatchObject({ code: "rpc", rpcCode: -32600 });
    expect(String(tools)).toContain("thread/start.dynamicTools requires experimentalApi capability");
    const again = live.codex.request("initialize", { clientInfo: { name: "x", title: null, version: "1" } });
    expect(await rejection(again)).toMatchObject({ code: "rpc", message: "Already initialized" });
  },
  PINNED,
);

verifies(
  "client.events",
  "the server's log is emitted as stderr events and is never mixed with messages",
  async () => {
    await using live = await world(() => reply("ok"), {
      client: { env: { RUST_LOG: "info", LOG_FORMAT: "json" } },
    });
    const text: string[] = [];
    const warnings: string[] = [];
    live.codex.on("stderr", (each) => text.push(each));
    live.codex.on("warning", ({ code }) => warnings.push(code));
    const thread = await live.codex.startThread();
    await thread.run("hi");
    expect(text.join("")).toContain('"level":"INFO"');
    expect(warnings).toEqual([]);
  },
  PINNED,
);

verifies(
  ["client.events", "client.options"],
  "the server does not send notifications that the client opted out of",
  async () => {
    await using live = await world(() => reply("some text", { deltas: 4 }), {
      client: { optOutNotifications: ["item/agentMessage/delta"] },
    });
    const thread = await live.codex.startThread();
    const methods: string[] = [];
    const turn = thread.turn("hi");
    for await (const { method } of turn) methods.push(method);
    expect(methods).not.toContain("item/agentMessage/delta");
    expect((await turn.completed).agentMessage).toBe("some text");
  },
  PINNED,
);

verifies(
  ["turn.unsolicited", "turn.isolation"],
  "a sub-agent's thread and turn have their own state and never mix with the parent's",
  async () => {
    await using live = await world((request) => {
      const isParent = request.lastUserText === "parent";
      if (isParent && Object.keys(request.toolOutputs).length === 0) {
        return toolCall("spawn_agent", { message: "child task" }, { namespace: "multi_agent_v1" });
      }
      // If the sub-agent ends first, the last text in the parent's request is a notification about the sub-agent.
      return reply(request.lastUserText === "child task" ? "answer to child task" : "answer to parent");
    });
    const { codex } = live;
    const thread = await codex.startThread();
    const childDone = deferred<string>();
    codex.on("turn:completed", (_turn, { threadId }) => {
      if (threadId !== thread.id) childDone.resolve(threadId);
    });
    const children = new Map<string, ReturnType<typeof codex.thread>>();
    codex.on("turn:started", (_turn, { threadId }) => {
      if (threadId !== thread.id) children.set(threadId, codex.thread(threadId));
    });
    const result = await thread.run("parent");
    expect(result.agentMessage).toBe("answer to parent");
    const [first, second, ...answers] = result.items;
    expect([first?.type, second?.type]).toEqual(["userMessage", "collabAgentToolCall"]);
    // If the sub-agent ends while the parent answers, the server tells the parent's model, which answers again.
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers)
      expect(answer).toMatchObject({ type: "agentMessage", text: "answer to parent" });
    const child = children.get(await childDone.promise);
    const items = child?.state.turns[0]?.items.map(({ item }) => item) ?? [];
    expect(items.at(-1)).toMatchObject({ type: "agentMessage", text: "answer to child task" });
    expect(thread.state.turns).toHaveLength(1);
  },
  PINNED,
);
