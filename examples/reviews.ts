/**
 * Reviews of all four kinds of targets, on the thread itself and on a separate one, with findings as data.
 */
// #region all
import path from "node:path";
import { CodexClient, type ReviewTarget } from "codexwright";

await using codex = await CodexClient.connect();
const thread = await codex.startThread();

const targets: ReviewTarget[] = [
  { type: "uncommittedChanges" },
  { type: "baseBranch" }, // Or a name: { type: "baseBranch", branch: "main" }.
  { type: "commit", sha: "4f2a9c1", title: "Read numbers" },
  { type: "custom", instructions: "Review parser.ts for inputs that make it throw." },
];
for (const target of targets) {
  const { findings, reviewText } = await codex.runReview({ threadId: thread.id, target });
  console.log(`${target.type}: ${reviewText.split("\n")[0]}`);
  for (const { priority, title, file, lines } of findings)
    console.log(`  P${priority} ${title} (${path.basename(file ?? "?")}:${lines?.start})`);
}

const { reviewThreadId } = await codex.runReview({
  threadId: thread.id,
  target: { type: "uncommittedChanges" },
  delivery: "detached",
});
console.log("on a thread of its own:", reviewThreadId !== thread.id);
// #endregion all
