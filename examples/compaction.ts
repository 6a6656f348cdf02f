/** A thread whose history is summarized: on request, and automatically when it has grown too long. */
// #region all
import { CodexClient, type Thread } from "codexwright";

/** Asks for a compaction and waits for the turn that does it. */
async function compact(thread: Thread): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    const stop = thread.subscribe((_state, { method }) => {
      if (method !== "turn/completed") return;
      stop();
      resolve();
    });
  });
  await thread.compact();
  await ended;
}

await using codex = await CodexClient.connect({ config: { model_auto_compact_token_limit: 40_000 } });
codex.onNotification("item/completed", ({ item }) => {
  if (item.type === "contextCompaction") console.log("compacted");
});
const thread = await codex.startThread();

await thread.run("Read the parser.");
const before = thread.state.context?.usedTokens ?? 0;
await compact(thread);
const after = thread.state.context?.usedTokens ?? 0;
console.log(`${before} tokens before, fewer after: ${after < before}`);

await thread.run("Read all the tests."); // Now the model reports 45,000 tokens.
const { items, usage } = await thread.run("What is missing?");
console.log(items.map(({ type }) => type).join(", "), usage?.totalTokens, "tokens");
// #endregion all
