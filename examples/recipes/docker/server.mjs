/** An app that embeds Codex. `POST /ask` takes a task as text, and answers with the last message of the turn. */
// #region code
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { CodexClient } from "codexwright";

const { HOST = "127.0.0.1", PORT = "8080", PROJECT = "/project", SANDBOX = "workspace-write" } = process.env;
const codex = await CodexClient.connect({
  cwd: PROJECT,
  sandbox: SANDBOX,
  approvalPolicy: "never",
  onApproval: () => "decline",
  reconnect: { attempts: 5 },
});

async function answer(request) {
  if (request.url === "/healthz") return [200, "ok"];
  if (request.method !== "POST" || request.url !== "/ask") return [404, "not found"];
  const { account, requiresOpenaiAuth } = await codex.account();
  if (requiresOpenaiAuth && account === null) return [503, "Codex is not logged in: run `codex login`."];
  const thread = await codex.startThread();
  const { agentMessage } = await thread.run(await text(request), { timeoutMs: 300_000 });
  return [200, agentMessage];
}

const server = createServer((request, response) => {
  void answer(request)
    .catch((error) => [500, error.code ?? "unknown"])
    .then(([status, body]) => response.writeHead(status, { "content-type": "text/plain" }).end(`${body}\n`));
});
server.listen(Number(PORT), HOST, () => console.log(`listening on ${server.address().port}`));
process.on("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
  void codex.disconnect();
});
// #endregion code
