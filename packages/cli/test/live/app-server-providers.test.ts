import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { anthropicApi } from "@codexwright/test-support/model-apis/anthropic";
import { chatApi } from "@codexwright/test-support/model-apis/chat";
import { geminiApi } from "@codexwright/test-support/model-apis/gemini";
import { verifies } from "@codexwright/test-support/verifies";
import { COMMAND } from "../support/command.ts";

verifies("engine.ai-sdk.command", "runs a turn over each API with `-c model_provider=…`", async () => {
  const home = await realpath(await mkdtemp(path.join(tmpdir(), "codexwright-providers-")));
  try {
    for (const [api, serve] of [
      ["chat", chatApi],
      ["anthropic", anthropicApi],
      ["google", geminiApi],
    ] as const) {
      await using server = await serve([
        {
          text: "I write it.",
          calls: [{ name: "exec_command", args: { cmd: "echo hi >made.txt && cat made.txt" } }],
        },
        { text: "Made." },
      ]);
      await writeFile(
        path.join(home, "config.toml"),
        `[model_providers.${api}]\ncodexwright_api = "${api}"\nbase_url = "${server.baseUrl}"\nenv_key = "OWN_KEY"\n`,
      );
      await using codex = await CodexClient.connect({
        codexPath: COMMAND,
        codexHome: home,
        cwd: home,
        env: { OWN_KEY: "the-own-key", HOME: home },
        config: { model_provider: api, model: "claude-gemini-3" },
        sandbox: "danger-full-access",
      });
      const thread = await codex.startThread({ cwd: home, approvalPolicy: "never" });
      const { agentMessage } = await thread.run("make it");
      expect([api, agentMessage]).toEqual([api, "Made."]);
      expect(JSON.stringify(server.requests[0]?.headers)).toContain("the-own-key");
      expect(JSON.stringify(server.requests[1]?.body)).toContain("hi");
      // The command does not receive the key.
      expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toContain("the-own-key");
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
