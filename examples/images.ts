/** Images as input: a file on the server's machine, and a data URL. */
// #region all
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { CodexClient, type CodexError } from "codexwright";

const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
await writeFile("dot.png", Buffer.from(dot, "base64"));

await using codex = await CodexClient.connect();
const thread = await codex.startThread();
const { agentMessage, items } = await thread.run([
  { type: "text", text: "Are these two images the same?" },
  { type: "localImage", path: path.resolve("dot.png") },
  { type: "image", url: `data:image/png;base64,${dot}`, detail: "high" },
]);
console.log(agentMessage);
for (const item of items)
  if (item.type === "userMessage") console.log(item.content.map(({ type }) => type).join(", "));

const remote = thread.run({ type: "image", url: "https://example.com/dot.png" });
console.log(await remote.catch(({ code, message }: CodexError) => `${code}: ${message}`));

const missing = await thread.run({ type: "localImage", path: path.resolve("missing.png") });
console.log(missing.agentMessage);
// #endregion all
