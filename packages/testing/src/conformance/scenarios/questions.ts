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

/**
 * Calls a tool of the MCP server `times` times. Before 0.135, Codex offers the tool to the model without a namespace.
 */
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
    "asks the model's question with its options, and returns the answer to the model",
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
    "returns no answers to the model if a question is answered with an error, and continues the turn",
    {
      model: [QUESTION, DONE],
      modelTools: ["request_user_input"],
      run: async (world) => {
        const codex = await world.connect();
        codex.onServerRequest("item/tool/requestUserInput", () => {
          throw new Error("no handler is available");
        });
        expectMatch(await (await codex.startThread()).run("go"), { agentMessage: "done" }, "the turn");
        expectMatch(JSON.parse(outputOf(world, "call_0_0")), { answers: {} }, "the output");
      },
    },
    { since: "0.106.0" },
  ),
  scenario(
    "permissions.granted",
    "grants a part of the permissions that the model requests, for the session",
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
          "the output that the model received",
        );
      },
    },
    { since: "0.116.0" },
  ),
  scenario(
    "permissions.none",
    "grants no permissions if the request is answered with an error, and continues the turn",
    {
      model: [PERMISSIONS, DONE],
      modelTools: ["request_permissions"],
      approvalPolicy: "on-request",
      sandbox: "read-only",
      run: async (world) => {
        const codex = await world.connect();
        codex.onServerRequest("item/permissions/requestApproval", () => {
          throw new Error("no handler is available");
        });
        await (await codex.startThread()).run("go");
        expectMatch(
          JSON.parse(outputOf(world, "call_0_0")),
          { permissions: { network: null, file_system: null } },
          "the output that the model received",
        );
      },
    },
    { since: "0.113.0" },
  ),
  scenario(
    "mcp.approved",
    "asks about a tool of an MCP server as an elicitation, and runs it once accepted",
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
        expectMatch(outputOf(world, "call_0_0"), /echo: hi/, "the output that the model received");
      }),
      mcpTools: ["echo"],
    },
    { since: "0.117.0" },
  ),
  scenario(
    "mcp.session",
    "does not ask again about a tool of an MCP server after it was accepted for the session",
    {
      ...asking(echo(2), "acceptForSession", async ({ world, asked, thread }) => {
        await thread.run("go");
        expectMatch(asked.length, 1, "the number of requests");
        expectMatch(outputOf(world, "call_1_0"), /echo: hi/, "the output that the model received");
      }),
      mcpTools: ["echo"],
    },
    { since: "0.117.0" },
  ),
  scenario(
    "mcp.declined",
    "does not run a declined tool of an MCP server, and continues the turn",
    {
      ...asking(echo(), "decline", async ({ world, thread }) => {
        const { items, agentMessage } = await thread.run("go");
        expectMatch(ofType(items, "mcpToolCall"), [{ status: "failed" }], "the item");
        expectMatch(
          outputOf(world, "call_0_0"),
          /user rejected MCP tool call/,
          "the output that the model received",
        );
        expectMatch(agentMessage, "done", "the answer");
      }),
      mcpTools: ["echo"],
    },
    { since: "0.117.0" },
  ),
  scenario(
    "mcp.elicitation",
    "sends an MCP server's question to the client as a form, and the answer to the MCP server",
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
        expectMatch(outputOf(world, "call_0_0"), /accept.*blue/, "the output that the model received");
      },
    },
    { since: "0.111.0" },
  ),
  scenario(
    "mcp.elicitation-declined",
    "reports a declined elicitation to the MCP server, and continues the turn",
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
        expectMatch(outputOf(world, "call_0_0"), /decline/, "the output that the model received");
      },
    },
    { since: "0.111.0" },
  ),
];
