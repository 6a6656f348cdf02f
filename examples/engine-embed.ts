// An app-server in this process: for one client, and for any number of clients on a websocket.
import { EngineServer } from "@codexwright/engine";
import { engine, engineDefaults, responses } from "@codexwright/engine/node";
import { CodexClient } from "codexwright";
import { listen } from "codexwright/server";
import { websocket } from "codexwright/websocket";

// #region connect
await using codex = await CodexClient.connect({
  transport: engine(),
  sandbox: "workspace-write",
  approvalPolicy: "never",
});
const thread = await codex.startThread();
const { agentMessage, diff } = await thread.run("Write hello.txt.");
// #endregion connect
console.log("answer:", agentMessage);
console.log(
  "added:",
  diff?.split("\n").findLast((line) => line.startsWith("+")),
);

// #region provider
const baseUrl = process.env["MODEL_URL"] ?? "http://127.0.0.1:8080/v1";
const local = engine({
  provider: responses({ id: "local", baseUrl, apiKey: process.env["MODEL_KEY"] }),
  config: { model: "my-model", sandboxMode: "read-only" },
});
// #endregion provider
await using other = await CodexClient.connect({ transport: local, sandbox: null, approvalPolicy: null });
const answer = await other.request("thread/start", { ephemeral: true });
console.log("provider:", answer.modelProvider, answer.model, answer.sandbox.type);

// #region serve
const token = crypto.randomUUID();
await using server = new EngineServer(await engineDefaults());
await using listener = await listen(server, "ws://127.0.0.1:0", { auth: { capabilityToken: { token } } });

await using first = await CodexClient.connect({ transport: websocket(listener.url, { token }) });
await using second = await CodexClient.connect({ transport: websocket(listener.url, { token }) });
const shared = await first.startThread();
await shared.run("Say hello.");
const same = await second.resumeThread(shared.id);
console.log("both:", shared.id === same.id, (await same.run("And again.")).agentMessage);
// #endregion serve
