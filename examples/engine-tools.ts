/** A program with an app-server inside, whose model calls functions of the program. */
import type { EngineHooks, ToolHandler } from "@codexwright/engine";
import { engine, responses } from "@codexwright/engine/node";
import { reply, scriptedModel, toolCall } from "@codexwright/testing";
import { CodexClient, tool } from "codexwright";
import { z } from "zod";

// #region tool
const stock = tool({
  name: "stock",
  description: "Tells how many pieces of an article are in the warehouse.",
  input: z.object({ article: z.string() }),
  run: ({ article }) => ({ article, pieces: article.length * 10 }),
});
// #endregion tool

// #region handler
let deployments = 0;

const deploy: ToolHandler = {
  name: "deploy",
  namespace: "release",
  namespaceDescription: "Publishes the shop.",
  parallel: false, // Two deployments never run at the same time.
  spec: () => ({
    type: "function",
    name: "deploy",
    description: "Publishes the current version of the shop to an environment.",
    parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  }),
  run: ({ input }, { signal }) => {
    signal.throwIfAborted();
    if (input["to"] !== "staging") throw new Error("only staging is allowed");
    return { output: `deployment ${++deployments} is live on staging` };
  },
};
// #endregion handler

// #region replace
const noShell: ToolHandler = {
  name: "exec_command",
  parallel: true,
  spec: () => undefined, // The model is not offered any shell.
  run: () => ({ output: "there is no shell here" }),
};
// #endregion replace

// #region hooks
const secret = "SN-4711";

const hooks: EngineHooks = {
  beforeTool: ({ name, input }) =>
    name === "stock" && input["article"] === "gold" ? { output: "Ask the owner about gold." } : undefined,
  afterTool: ({ name }, { output }) => {
    console.log("ran:", name);
    return typeof output === "string" ? { output: output.replaceAll(secret, "…") } : undefined;
  },
  beforeRequest: (request) => ({ ...request, instructions: `${request.instructions}\nAnswer in English.` }),
};
// #endregion hooks

await using model = await scriptedModel([
  [
    toolCall("stock", { article: "bolt" }),
    toolCall("stock", { piece: "nut" }),
    toolCall("stock", { article: "gold" }),
    toolCall("stock", { article: secret }),
    toolCall("deploy", { to: "production" }, { namespace: "release" }),
    toolCall("deploy", { to: "staging" }, { namespace: "release" }),
    toolCall("exec_command", { cmd: "ls" }),
  ],
  reply("There are 40 bolts, and the shop is on staging."),
]);

// #region run
const provider = responses({ baseUrl: model.baseUrl });
await using codex = await CodexClient.connect({
  transport: engine({ provider, tools: [stock, deploy, noShell], hooks }),
});
const thread = await codex.startThread({ ephemeral: true });
const { agentMessage, items } = await thread.run("How many bolts? Then deploy.");
// #endregion run

for (const item of items) if (item.type === "dynamicToolCall") console.log("item:", item.tool, item.status);
for (const output of Object.values(model.requests[1]?.toolOutputs ?? {}))
  console.log("output:", output.split("\n")[0]);
console.log("asked:", model.requests[0]?.instructions.split("\n").at(-1));
console.log("answer:", agentMessage);
