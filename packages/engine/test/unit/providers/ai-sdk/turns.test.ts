import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { APIS, clientOf, configured, serveApi } from "./apis.ts";

verifies("engine.ai-sdk.turn", "a turn reasons, speaks, calls tools and goes on", async () => {
  for (const api of APIS) {
    await using server = await serveApi(api, [
      {
        reasoning: "I look around first.",
        text: "I list the files.",
        calls: [
          { name: "exec_command", args: { cmd: "ls", login: false } },
          { name: "exec_command", args: { cmd: "pwd", login: false } },
        ],
        usage: { input: 100, output: 20, cached: 40 },
      },
      { text: "All done." },
      { text: "Again." },
    ]);
    const provider = await configured(api, server);
    await using own = await clientOf(api, provider);
    const thread = await own.codex.startThread({ approvalPolicy: "never", sandbox: "danger-full-access" });
    const result = await thread.run("look");
    expect([api, result.agentMessage]).toEqual([api, "All done."]);
    const kinds = result.items.map(({ type }) => type);
    expect(kinds).toEqual([
      "userMessage",
      "reasoning",
      "agentMessage",
      "commandExecution",
      "commandExecution",
      "agentMessage",
    ]);
    expect(JSON.stringify(result.items[1])).toContain("I look around first.");
    expect(JSON.stringify(server.requests[1]?.body)).toContain("out of the shell");
    expect((await thread.run("again")).agentMessage).toBe("Again.");
    expect(server.requests).toHaveLength(3);
  }
});
