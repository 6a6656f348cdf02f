/** Logging in to a remote MCP server by OAuth. */
// #region all
import { AuthFailedError, CodexClient } from "codexwright";

await using codex = await CodexClient.connect();
for await (const { name, authStatus } of codex.mcp.servers({ detail: "toolsAndAuthOnly" }))
  console.log(name, authStatus);

const login = await codex.mcp.login("remote", { scopes: ["read"], timeoutSecs: 300 });
console.log("open", login.authorizationUrl);

const impatient = setTimeout(() => login.cancel(), 200); // Give your user longer than this.
try {
  await login.completed;
  console.log("logged in to", login.serverName);
} catch (error) {
  if (!(error instanceof AuthFailedError)) throw error;
  console.log(error.code, error.cancelled ? "on purpose" : error.message);
} finally {
  clearTimeout(impatient);
}
// #endregion all
