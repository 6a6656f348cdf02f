/** A review of changes, with findings as data. */
import path from "node:path";
import { CodexClient } from "codexwright";

await using codex = await CodexClient.connect();
const thread = await codex.startThread();

// #region run
const { findings, reviewText } = await codex.runReview({
  threadId: thread.id,
  target: { type: "custom", instructions: "Review parser.ts." },
});

for (const { priority, title, file, lines } of findings)
  console.log(`P${priority} ${title} (${path.basename(file ?? "?")}:${lines?.start})`);
console.log(reviewText.split("\n")[0]);
// #endregion run
