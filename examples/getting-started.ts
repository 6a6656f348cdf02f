/** A first program: a turn that calls a tool and asks for an approval, offline. */
import { CodexClient, tool } from "codexwright";
import { exec, realAppServer, reply, scriptedModel, toolCall } from "@codexwright/testing";
import { z } from "zod";

// #region all
const stock = tool({
  name: "stock",
  description: "Returns the number of pieces of an article.",
  input: z.object({ article: z.string() }),
  run: ({ article }) => ({ pieces: article.length * 10 }),
});

// The script replaces the model. Each element is one answer of the model.
await using model = await scriptedModel([
  toolCall("stock", { article: "bolt" }),
  exec("echo 40 > stock.txt", { justification: "to note the stock" }),
  reply("There are 40 bolts.", { deltas: 3 }),
]);
await using server = await realAppServer({ model });

await using codex = await CodexClient.connect({
  ...server.clientOptions, // With a login, remove this line, `model` and `server`.
  onApproval(request) {
    if (request.kind !== "command") return "decline";
    console.log("approved:", request.script);
    return "accept";
  },
});
const thread = await codex.startThread({ tools: [stock], sandbox: "read-only" });
const turn = thread.turn("Count the bolts and write the number to stock.txt.");

for await (const event of turn) {
  if (event.method === "item/agentMessage/delta") process.stdout.write(event.params.delta);
  if (event.method !== "item/completed") continue;
  if (event.item?.type === "dynamicToolCall")
    console.log("tool:", event.item.tool, JSON.stringify(event.item.arguments));
  if (event.item?.type === "commandExecution") console.log("command:", event.item.status);
}
const { usage } = await turn.completed;
console.log(`\n${usage?.totalTokens} tokens`);
// #endregion all
