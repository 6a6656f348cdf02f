/** A turn in progress: its events, the state they produce, and ways to steer or interrupt it. */
import { CodexClient, type CodexError, type ThreadState } from "codexwright";

// #region iterate
await using codex = await CodexClient.connect();
const thread = await codex.startThread();
const turn = thread.turn("List the files and say what this is.");

for await (const event of turn) {
  if (event.method === "item/agentMessage/delta") process.stdout.write(event.params.delta);
  if (event.method === "turn/plan/updated") console.log(event.params.plan);
  if (event.method === "item/completed" && event.item?.type === "commandExecution")
    console.log(`$ ${event.item.command}\n${event.item.aggregatedOutput ?? ""}`);
}
const { usage, durationMs } = await turn.completed;
console.log(`\n${usage?.outputTokens} tokens in ${durationMs} ms`);
// #endregion iterate

// #region subscribe
function render({ status, turns, context, pendingRequests }: ThreadState): string {
  const items = turns.at(-1)?.items.map(({ item, life }) => `${item.type} ${life}`) ?? [];
  return `${status?.type}, ${pendingRequests.length} open, ${context?.usedTokens} tokens: ${items.join(", ")}`;
}

const stop = thread.subscribe((state, event) => {
  if (event.method === "item/agentMessage/delta" || event.method === "turn/completed")
    console.log(render(state));
});
await thread.run("Say hello.");
stop();
// #endregion subscribe

// #region steer
const story = thread.turn("Tell a long story about a river.");
for await (const event of story) {
  if (event.method === "item/agentMessage/delta") break; // The turn continues.
}
await story.steer("Make it about the sea.");
console.log("steered");
console.log((await story.completed).agentMessage);
// #endregion steer

// #region send
const slow = thread.turn("Wait for the tide.");
const queued = await thread.send("Then say what you saw.", { mode: "queue" });
const urgent = await thread.send("Stop waiting.", { mode: "interrupt" });
console.log(queued.outcome, urgent.outcome);
console.log(await slow.completed.catch((error: CodexError) => error.code));
console.log((await queued.turn.completed).agentMessage);
console.log((await urgent.turn.completed).agentMessage);
// #endregion send

for (const { items } of thread.state.turns)
  for (const { item, life } of items)
    if (item.type === "agentMessage" && life === "incomplete") console.log("cut off:", item.text);
