import type { ElicitationRequest, UserInputRequest } from "codexwright/client";
import { reply, toolCall, type ModelScript } from "../../model-steps.ts";
import { expectMatch, expectThat } from "../expect.ts";
import type { Scenario, ScenarioMcpTool } from "../scenario.ts";
import { heard, ofType, scenario } from "../steps.ts";
import { asking, outputOf } from "./asking.ts";

const DONE = reply("done");
const QUESTION = toolCall("request_user_input", {
  questions: [
    {
      id: "q1",
      header: "Colour",
      question: "Which?",
      options: [
        { label: "A", description: "the first" },
        { label: "B", description: "the second" },
      ],
    },
  ],
});
const PERMISSIONS = toolCall("request_permissions", {
  reason: "why",
  permissions: { file_system: { write: ["sub"] }, network: { enabled: true } },
});

/** Calls a tool of the MCP server so often, by the name that it is offered with: before 0.135 without a namespace. */
function calling(name: ScenarioMcpTool, args: object, times = 1): ModelScript {
  return ({ index, tools }) => {
    if (index >= times) return DONE;
    const flat = `mcp__small__${name}`;
    return tools.includes(flat) ? toolCall(flat, args) : toolCall(name, args, { namespace: "mcp__small" });
  };
}
const echo = (times = 1): ModelScript => calling("echo", { text: "hi" }, times);

export const QUESTIONS: readonly Scenario[] = [
  scenario(
    "question.answered",
    "a question of the model's is asked with its options, and the answer given to the model",
    {
      model: [QUESTION, DONE],
      modelTools: ["request_user_input"],
      run: async (world) => {
        const asked: UserInputRequest[] = [];
        const codex = await world.connect({
          onUserInput: (request) => {
            asked.push(request);
            return { q1: "B" };
          },
        });
        const thread = await codex.startThread();
        const waiting = heard(
          codex,
          "thread/status/changed",
          ({ status }) => status.type === "active" && status.activeFlags.includes("waitingOnUserInput"),
        );
        await thread.run("go");
        await waiting;
        expectMatch(
          asked,
          [
            {
              threadId: thread.id,
              itemId: "call_0_0",
              questions: [
                { id: "q1", header: "Colour", question: "Which?", options: [{ label: "A" }, { label: "B" }] },
              ],
            },
          ],
          "the requests",
        );
        expectMatch(
          JSON.parse(outputOf(world, "call_0_0")),
          { answers: { q1: { answers: ["B"] } } },
          "the output",
        );
      },
    },
    { since: "0.106.0" },
  ),
  scenario(
    "question.unanswered",
    "a question that is answered with an error gives the model no answers, and the turn goes on",
    {
      model: [QUESTION, DONE],
      modelTools: ["request_user_input"],
      run: async (world) => {
        const codex = await world.connect();
        codex.onServerRequest("item/tool/requestUserInput", () => {
          throw new Error("nobody is here");
        });
        expectMatch(await (await codex.startThread()).run("go"), { agentMessage: "done" }, "the turn");
        expectMatch(JSON.parse(outputOf(world, "call_0_0")), { answers: {} }, "the output");
      },
    },
    { since: "0.106.0" },
  ),
  scenario(
    "permissions.granted",
    "permissions that the model asks for are granted in part, for the session",
    {
      model: [PERMISSIONS, DONE],
      modelTools: ["request_permissions"],
      approvalPolicy: "on-request",
      sandbox: "read-only",
      run: async (world) => {
        const reasons: unknown[] = [];
        const codex = await world.connect({
          onPermissions: ({ reason, permissions }) => {
            reasons.push(reason);
            return { permissions: { ...permissions, network: null }, scope: "session" };
          },
        });
        await (await codex.startThread()).run("go");
        expectMatch(reasons, ["why"], "the requests");
        expectMatch(
          JSON.parse(outputOf(world, "call_0_0")),
          {
            permissions: { network: null, file_system: { write: [`${world.workspace}/sub`] } },
            scope: "session",
          },
          "what the model was told",
        );
      },
    },
    { since: "0.116.0" },
  ),
  scenario(
    "permissions.none",
    "a request for permissions that is answered with an error grants none, and the turn goes on",
    {
      model: [PERMISSIONS, DONE],
      modelTools: ["request_permissions"],
      approvalPolicy: "on-request",
      sandbox: "read-only",
      run: async (world) => {
        const codex = await world.connect();
        codex.onServerRequest("item/permissions/requestApproval", () => {
          throw new Error("nobody is here");
        });
        await (await codex.startThread()).run("go");
        expectMatch(
          JSON.parse(outputOf(world, "call_0_0")),
          { permissions: { network: null, file_system: null } },
          "what the model was told",
        );
      },
    },
    { since: "0.113.0" },
  ),
  scenario(
    "mcp.approved",
    "a tool of an MCP server is asked for as an elicitation, and runs once it is accepted",
    {
      ...asking(echo(), "accept", async ({ world, asked, thread }) => {
        const { items } = await thread.run("go");
        expectMatch(
          asked,
          [{ kind: "mcpTool", serverName: "small", tool: "echo", arguments: { text: "hi" } }],
          "the requests",
        );
        expectMatch(
          ofType(items, "mcpToolCall"),
          [{ id: "call_0_0", server: "small", tool: "echo", arguments: { text: "hi" }, status: "completed" }],
          "the item",
        );
        expectMatch(outputOf(world, "call_0_0"), /echo: hi/, "what the model was told");
      }),
      mcpTools: ["echo"],
    },
    { since: "0.117.0" },
  ),
  scenario(
    "mcp.session",
    "accepted for the session, a tool of an MCP server is not asked for again",
    {
      ...asking(echo(2), "acceptForSession", async ({ world, asked, thread }) => {
        await thread.run("go");
        expectMatch(asked.length, 1, "the number of requests");
        expectMatch(outputOf(world, "call_1_0"), /echo: hi/, "what the model was told");
      }),
      mcpTools: ["echo"],
    },
    { since: "0.117.0" },
  ),
  scenario(
    "mcp.declined",
    "a declined tool of an MCP server does not run, and the turn goes on",
    {
      ...asking(echo(), "decline", async ({ world, thread }) => {
        const { items, agentMessage } = await thread.run("go");
        expectMatch(ofType(items, "mcpToolCall"), [{ status: "failed" }], "the item");
        expectMatch(outputOf(world, "call_0_0"), /user rejected MCP tool call/, "what the model was told");
        expectMatch(agentMessage, "done", "the answer");
      }),
      mcpTools: ["echo"],
    },
    { since: "0.117.0" },
  ),
  scenario(
    "mcp.elicitation",
    "what an MCP server asks its user reaches the client as a form, and the answer the server",
    {
      model: calling("ask", {}),
      approvalPolicy: "on-request",
      sandbox: "read-only",
      mcpTools: ["ask"],
      run: async (world) => {
        const asked: ElicitationRequest[] = [];
        const codex = await world.connect({
          onElicitation: (request) => {
            asked.push(request);
            return { action: "accept", content: { colour: "blue" } };
          },
        });
        await (await codex.startThread()).run("go");
        expectThat(asked.length === 1, "there is one request");
        expectMatch(
          asked[0],
          {
            mode: "form",
            serverName: "small",
            message: "Which colour?",
            requestedSchema: { properties: { colour: { type: "string" } }, required: ["colour"] },
          },
          "the request",
        );
        expectMatch(outputOf(world, "call_0_0"), /accept.*blue/, "what the model was told");
      },
    },
    { since: "0.111.0" },
  ),
  scenario(
    "mcp.elicitation-declined",
    "a declined elicitation is told to the MCP server, and the turn goes on",
    {
      model: calling("ask", {}),
      approvalPolicy: "on-request",
      sandbox: "read-only",
      mcpTools: ["ask"],
      run: async (world) => {
        const codex = await world.connect({
          onElicitation: (): { action: "decline" } => ({ action: "decline" }),
        });
        expectMatch(await (await codex.startThread()).run("go"), { agentMessage: "done" }, "the turn");
        expectMatch(outputOf(world, "call_0_0"), /decline/, "what the model was told");
      },
    },
    { since: "0.111.0" },
  ),
];
