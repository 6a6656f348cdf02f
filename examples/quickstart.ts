import { CodexClient } from "codexwright";

await using codex = await CodexClient.connect();
const thread = await codex.startThread();
const turn = thread.turn("Fix the failing test and say what was wrong.");

for await (const event of turn) {
  if (event.method === "item/agentMessage/delta") process.stdout.write(event.params.delta);
  if (event.method === "item/completed" && event.params.item.type === "commandExecution")
    console.log(`$ ${event.params.item.command}\n${event.params.item.aggregatedOutput ?? ""}`);
}
const { usage, diff } = await turn.completed;
console.log(`\n${usage?.totalTokens} tokens\n${diff ?? "no file changed"}`);
