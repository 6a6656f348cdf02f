/** Functions of this program that the model can call. */
import { setTimeout as delay } from "node:timers/promises";
import { CodexClient, jsonSchema, tool } from "codexwright";
import { z } from "zod";

// #region define
const stock = tool({
  name: "stock",
  description: "Tells how many pieces of an article are in a warehouse.",
  input: z.object({ article: z.string(), warehouse: z.enum(["north", "south"]).default("north") }),
  output: z.object({ pieces: z.number().int() }),
  run: ({ article, warehouse }) => ({ pieces: article.length * (warehouse === "north" ? 10 : 1) }),
});
// #endregion define

// #region deadline
const supplier = tool({
  name: "ask_supplier",
  description: "Asks the supplier for a price, which can take long.",
  input: z.object({ article: z.string() }),
  timeoutMs: 500,
  async run({ article }, { signal }) {
    await delay(60_000, undefined, { signal }); // The signal aborts after 500 ms, or when the turn ends.
    return `${article} costs 3 a piece`;
  },
});
// #endregion deadline

// #region content
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const photo = tool({
  name: "photo",
  description: "Shows an article.",
  input: z.object({ article: z.string() }),
  run: ({ article }) => [
    { type: "inputText", text: `This is the ${article}:` },
    { type: "inputImage", imageUrl: `data:image/png;base64,${PIXEL}` },
  ],
});
// #endregion content

// #region raw
const order = tool({
  name: "order",
  description: "Orders an article.",
  input: jsonSchema<{ article: string; pieces: number }>({
    type: "object",
    properties: { article: { type: "string" }, pieces: { type: "integer", minimum: 1 } },
    required: ["article", "pieces"],
  }),
  run({ article, pieces }) {
    if (pieces > 100) throw new Error(`no supplier delivers ${pieces} of ${article}`);
    return { ordered: pieces };
  },
});
// #endregion raw

// #region thread
const tools = [stock, supplier, photo, order]; // The last three are defined in the next sections.
const codex = await CodexClient.connect();
const thread = await codex.startThread({ tools });

const { items, agentMessage } = await thread.run("Is there a bolt, what does it look like, and order 500.");
for (const item of items) {
  if (item.type !== "dynamicToolCall") continue;
  const [first] = item.contentItems ?? [];
  const text = first?.type === "inputText" ? first.text : first?.type;
  console.log(item.tool, item.success ? "ok:" : "failed:", text);
}
console.log(agentMessage);
await codex.disconnect();
// #endregion thread

// #region resume
await using later = await CodexClient.connect();
const resumed = await later.resumeThread(thread.id, { tools });
console.log((await resumed.run("How many nuts are in the south?")).agentMessage);
// #endregion resume
