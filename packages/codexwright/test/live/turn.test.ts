import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { protocol } from "codexwright";
import { applyPatch, exec, reasoning, reply, toolCall, usage } from "@codexwright/testing";
import { deferred } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, processesOf, world } from "@codexwright/test-support/world";

const PATCH = `*** Begin Patch
*** Add File: notes/hello.txt
+Hello,
+world
*** End Patch`;

const TOOLS: protocol.DynamicToolSpec[] = ["alpha", "beta"].map((name) => ({
  type: "function",
  name,
  description: `The ${name} tool`,
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
}));

verifies(
  ["turn.run", "turn.iterate", "rpc.server-requests", "testing.scripted-model", "testing.real-app-server"],
  "a turn with text, parallel tools, a command that cannot write outside its sandbox, and a patch reports every item",
  async () => {
    await using live = await world([
      [
        reasoning("Think first"),
        reply("I will look around.", { phase: "commentary", deltas: 3 }),
        toolCall("alpha", { n: 1 }),
        toolCall("beta", { n: 2 }),
      ],
      exec("echo inside > inside.txt; echo outside > ../outside.txt; echo done"),
      applyPatch(PATCH),
      [
        reply("All \u2028done, ä 😀.", { phase: "final_answer", deltas: 4 }),
        usage({ inputTokens: 500, cachedInputTokens: 200, outputTokens: 50, reasoningOutputTokens: 5 }),
      ],
    ]);
    const { codex, server } = live;
    const bothAsked = deferred();
    const asked: string[] = [];
    codex.onServerRequest("item/tool/call", async ({ tool, arguments: args }) => {
      asked.push(tool);
      if (asked.length === 2) bothAsked.resolve();
      // Neither call is answered before both have started, so they must run in parallel.
      await bothAsked.promise;
      return {
        success: true,
        contentItems: [{ type: "inputText", text: `${tool} got ${JSON.stringify(args)}` }],
      };
    });
    const { thread: started } = await codex.request("thread/start", {
      dynamicTools: TOOLS,
      sandbox: "workspace-write",
      approvalPolicy: "never",
    });
    const turn = codex.thread(started.id).turn("Do the work");
    const streamed = new Map<string, string>();
    const methods: string[] = [];
    for await (const event of turn) {
      methods.push(event.method);
      if (event.method !== "item/agentMessage/delta") continue;
      const { itemId, delta } = event.params;
      streamed.set(itemId, (streamed.get(itemId) ?? "") + delta);
    }
    const result = await turn.completed;

    expect(methods[0]).toBe("turn/started");
    expect(methods.at(-1)).toBe("turn/completed");
    expect([...streamed.values()]).toEqual(["I will look around.", "All \u2028done, ä 😀."]);
    expect(asked.toSorted()).toEqual(["alpha", "beta"]);
    expect(result.agentMessage).toBe("All \u2028done, ä 😀.");

    expect(result.items.map((item) => item.type).toSorted()).toEqual([
      "agentMessage",
      "agentMessage",
      "commandExecution",
      "dynamicToolCall",
      "dynamicToolCall",
      "fileChange",
      "reasoning",
      "userMessage",
    ]);
    for (const item of result.items) {
      if (item.type === "dynamicToolCall") {
        expect(item).toMatchObject({ status: "completed", success: true });
        expect(item.contentItems).toEqual([
          { type: "inputText", text: `${item.tool} got {"n":${item.tool === "alpha" ? 1 : 2}}` },
        ]);
      }
      if (item.type === "commandExecution") {
        expect(item.aggregatedOutput).toContain("done");
        expect(item.aggregatedOutput).toContain("Read-only file system");
      }
      if (item.type === "fileChange") {
        expect(item.status).toBe("completed");
        expect(item.changes).toMatchObject([
          { path: path.join(server.workspace, "notes/hello.txt"), kind: { type: "add" } },
        ]);
      }
      if (item.type === "reasoning") expect(item.summary).toEqual(["Think first"]);
    }
    expect(readFileSync(path.join(server.workspace, "notes/hello.txt"), "utf8")).toBe("Hello,\nworld\n");
    expect(readFileSync(path.join(server.workspace, "inside.txt"), "utf8")).toBe("inside\n");
    expect(existsSync(path.join(server.root, "outside.txt"))).toBe(false);
    expect(result.diff).toMatch(/^\+\+\+ b\/(.*\/)?notes\/hello\.txt$/m);
    expect(result.diff).toContain("+Hello,\n+world\n");
    // Three calls with the default usage of 100 input and 10 output tokens, plus the last call.
    expect(result.usage).toEqual({
      inputTokens: 800,
      cachedInputTokens: 200,
      outputTokens: 80,
      reasoningOutputTokens: 5,
      totalTokens: 880,
    });
    expect(live.model.requests).toHaveLength(4);
    expect(live.model.unexpected).toEqual([]);
    expect(Object.values(live.model.requests[1]?.toolOutputs ?? {}).toSorted()).toEqual([
      'alpha got {"n":1}',
      'beta got {"n":2}',
    ]);
  },
  PINNED,
);

verifies(
  ["turn.early-events", "turn.run"],
  "100 ephemeral turns in a row lose no event",
  async () => {
    await using live = await world(() => reply("one two three", { deltas: 3 }));
    let early = 0;
    for (let n = 0; n < 100; n++) {
      const thread = await live.codex.startThread({ ephemeral: true });
      const turn = thread.turn(`turn ${n}`);
      let answered = false;
      void turn.started.then(() => (answered = true));
      const stop = live.codex.onNotification("turn/started", () => {
        if (!answered) early++;
      });
      const methods: string[] = [];
      for await (const event of turn) methods.push(event.method);
      stop();
      expect(methods.filter((method) => method === "turn/started")).toHaveLength(1);
      expect(methods.filter((method) => method === "item/agentMessage/delta")).toHaveLength(3);
      expect(methods.filter((method) => method === "item/completed")).toHaveLength(2);
      expect(methods.at(-1)).toBe("turn/completed");
      expect((await turn.completed).agentMessage).toBe("one two three");
    }
    // The count is printed but not required to be above zero, because it depends on a race in the server.
    console.log(`turn/started came before the response in ${early} of 100 turns`);
  },
  { ...PINNED, timeoutMs: 120_000 },
);

verifies(
  ["testing.real-app-server", "stdio.close"],
  "disposal leaves no process and no folder",
  async () => {
    const live = await world([exec("sleep 1000 & echo started"), reply("ok")]);
    const thread = await live.codex.startThread();
    await thread.run("go");
    const { root } = live.server;
    expect(processesOf(root).length).toBeGreaterThan(0);
    await live[Symbol.asyncDispose]();
    expect(processesOf(root)).toEqual([]);
    expect(existsSync(root)).toBe(false);
  },
  PINNED,
);
