/** An MCP server for one thread: its tools, an approval, a question to the user, and a resource. */
// #region all
import { fileURLToPath } from "node:url";
import { CodexClient } from "codexwright";

await using codex = await CodexClient.connect({
  onApproval: (request) => {
    if (request.kind !== "mcpTool") return "decline";
    console.log("approval:", request.serverName, request.tool, JSON.stringify(request.arguments));
    return "acceptForSession";
  },
  onElicitation: (request) => {
    if (request.mode !== "form") return { action: "decline" };
    console.log("question:", request.message);
    return { action: "accept", content: { notebook: "work" } };
  },
});

const program = fileURLToPath(new URL("mcp-notes-server.js", import.meta.url));
const thread = await codex.startThread({
  mcpServers: { notes: { command: process.execPath, args: [program] } },
});

for await (const server of codex.mcp.servers({ threadId: thread.id }))
  console.log("server:", server.name, Object.keys(server.tools).join(), server.authStatus);

for (const task of ["Note that the parser is done.", "Note that the tests pass."]) {
  const { items } = await thread.run(task);
  for (const item of items)
    if (item.type === "mcpToolCall") console.log("call:", item.server, item.tool, item.status);
}

const { contents } = await codex.request("mcpServer/resource/read", {
  threadId: thread.id,
  server: "notes",
  uri: "notes://all",
});
for (const content of contents) if ("text" in content) console.log(content.text);
// #endregion all
