import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { tool } from "codexwright";
import { exec, fail, reply, toolCall } from "@codexwright/testing";
import { ACCOUNT, accessToken, chatgptBackend } from "../../../codexwright/test/live/chatgpt-backend.ts";
import { deferred } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { serveWorld } from "./serve-world.ts";

const PINNED = { against: "pinned" } as const;

verifies(
  "cli.serve.owners",
  "runs a tool in the client that has it, though another client without it follows the thread",
  async () => {
    const outputs: unknown[] = [];
    await using world = await serveWorld((request) => {
      const callId = request.lastUserText;
      const output = request.toolOutputs[callId];
      if (output === undefined) return toolCall("add", { a: 1 }, { callId });
      outputs.push(output);
      return reply("Added.");
    });
    const [owner, follower] = [await world.connect(), await world.connect()];
    const add = tool({
      name: "add",
      description: "Adds one",
      input: z.object({ a: z.number() }),
      async run({ a }) {
        // If the server had asked the other client, that client would have answered by now.
        await follower.request("model/list", {});
        return `sum ${a + 1}`;
      },
    });
    const thread = await owner.startThread({ tools: [add] });
    // A thread cannot be resumed before its first turn.
    await thread.run("first");
    await follower.resumeThread(thread.id);
    const heard = deferred<string>();
    follower.on("turn:completed", (_turn, { threadId }) => heard.resolve(threadId));
    await thread.run("second");
    expect(await heard.promise).toBe(thread.id);
    expect(outputs).toEqual(["sum 2", "sum 2"]);

    await owner.disconnect();
    // No client has the tool now, and the turn continues immediately.
    const result = await follower.thread(thread.id).run("third");
    expect(result.agentMessage).toBe("Added.");
    expect(outputs).toHaveLength(3);
    expect(outputs[2]).not.toBe("sum 2");
  },
  PINNED,
);

verifies(
  "cli.serve.owners",
  "asks the client that supplied the tokens to refresh them, not a client that cannot",
  async () => {
    await using backend = await chatgptBackend();
    await using world = await serveWorld(({ index }) => (index === 0 ? fail(401) : reply("Welcome.")), {
      config: `chatgpt_base_url = "${backend.url}"\n[model_providers.mock]\nrequires_openai_auth = true\n`,
    });
    const other = await world.connect();
    const refreshed = deferred<string>();
    const owner = await world.connect({
      refreshTokens: ({ reason }) => {
        refreshed.resolve(reason);
        return { accessToken: accessToken("renewed"), chatgptAccountId: ACCOUNT, chatgptPlanType: "pro" };
      },
    });
    await owner.login.tokens({ accessToken: accessToken("old"), chatgptAccountId: ACCOUNT });
    const thread = await other.startThread();
    // The turn that receives the 401 may fail: Codex also tries to renew other tokens, but it has no network.
    await thread.run("go").catch(() => {});
    expect(await refreshed.promise).toBe("unauthorized");
    expect((await thread.run("again")).agentMessage).toBe("Welcome.");
  },
  PINNED,
);

verifies(
  "cli.serve.owners",
  "a client that cannot decide does not fail an approval that another client decides",
  async () => {
    await using world = await serveWorld((request) =>
      Object.keys(request.toolOutputs).length > 0 ? reply("Done.") : exec("touch made.txt"),
    );
    const bare = await world.lines();
    const settings = { sandbox: "danger-full-access", approvalPolicy: "untrusted" } as const;
    const { thread } = (await bare.ask("thread/start", settings)).result as { thread: { id: string } };
    const input = [{ type: "text", text: "touch it", text_elements: [] }];
    await bare.ask("turn/start", { threadId: thread.id, input });
    const { id } = await bare.told("item/commandExecution/requestApproval");
    const asked = deferred();
    const decide = deferred<"accept">();
    const human = await world.connect({
      onApproval: () => {
        asked.resolve();
        return decide.promise;
      },
    });
    await human.resumeThread(thread.id);
    await asked.promise;
    bare.write({ id, error: { code: -32601, message: "Method not found" } });
    await bare.settled();
    decide.resolve("accept");
    const { params } = await bare.told("turn/completed");
    expect(params).toMatchObject({ turn: { status: "completed" } });
    expect(existsSync(path.join(world.workspace, "made.txt"))).toBe(true);
  },
  PINNED,
);

verifies(
  "cli.serve.agents",
  "a client receives every event of a sub-agent, from the first event of its turn",
  async () => {
    await using world = await serveWorld((request) => {
      if (request.lastUserText === "child task") return reply("answer to child");
      if (Object.keys(request.toolOutputs).length === 0) {
        return toolCall("spawn_agent", { message: "child task" }, { namespace: "multi_agent_v1" });
      }
      // The child may have ended by now. Then the last text is the server's notice about it.
      return reply("answer to parent");
    });
    const codex = await world.connect();
    const thread = await codex.startThread();
    const seen: string[] = [];
    const done = deferred();
    for (const method of ["turn/started", "item/started", "item/completed", "turn/completed"] as const) {
      codex.onNotification(method, (params) => {
        if (params.threadId === thread.id) return;
        seen.push("item" in params ? `${method} ${params.item.type}` : method);
        if (method === "turn/completed") done.resolve();
      });
    }
    expect((await thread.run("parent")).agentMessage).toBe("answer to parent");
    await done.promise;
    expect(seen).toEqual([
      "turn/started",
      "item/started userMessage",
      "item/completed userMessage",
      "item/started agentMessage",
      "item/completed agentMessage",
      "turn/completed",
    ]);
  },
  PINNED,
);
