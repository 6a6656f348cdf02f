/** A text conversation with a realtime model, independent of the turns of its thread. */
import { CodexClient } from "codexwright";

// #region talk
await using codex = await CodexClient.connect();
const thread = await codex.startThread();
await using realtime = await thread.realtime({ prompt: "Be brief." });
await realtime.appendText("What is a tide?");

for await (const event of realtime) {
  if (event.method === "thread/realtime/transcript/delta") process.stdout.write(event.params.delta);
  if (event.method === "thread/realtime/transcript/done") break; // The conversation continues.
}

await realtime.stop();
const { reason } = await realtime.closed;
console.log(`\n${reason}`);
// #endregion talk
