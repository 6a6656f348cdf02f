import path from "node:path";
import { expect } from "vitest";
import type { ApprovalDecision, ApprovalRequest, McpToolApproval, UserInputRequest } from "codexwright";
import { reply, toolCall } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world, type WorldOptions } from "@codexwright/test-support/world";

const SERVER = path.join(import.meta.dirname, "mcp-server.mjs");
const MCP = `[mcp_servers.small]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(SERVER)}]\n`;
const ECHO = toolCall("echo", { text: "hi" }, { namespace: "mcp__small" });
const DONE = reply("done");
const ASKING = { approvalPolicy: "on-request", sandbox: "read-only" } as const satisfies WorldOptions;

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
/** The tool `request_user_input` is for plan mode. This flag also offers it in the default mode. */
const QUESTIONS = "[features]\ndefault_mode_request_user_input = true\n";

const mcpWorld = async (decision: ApprovalDecision<McpToolApproval>) => {
  const asked: ApprovalRequest[] = [];
  const live = await world([ECHO, ECHO, DONE], {
    ...ASKING,
    config: MCP,
    client: {
      onApproval: (request) => {
        asked.push(request);
        return decision;
      },
    },
  });
  return { ...live, asked, outputs: () => live.model.requests.at(-1)?.toolOutputs ?? {} };
};

verifies(
  "requests.mcp-tool",
  "an MCP tool runs after its approval, and the request names it",
  async () => {
    await using live = await mcpWorld("accept");
    const thread = await live.codex.startThread();
    await thread.run("go");
    expect(live.asked).toHaveLength(2);
    expect(live.asked[0]).toMatchObject({
      kind: "mcpTool",
      threadId: thread.id,
      serverName: "small",
      tool: "echo",
      toolTitle: "Echo",
      toolDescription: "Says it again",
      arguments: { text: "hi" },
      available: ["accept", "acceptForSession", "acceptAlways", "decline", "cancel"],
    });
    expect(live.outputs()["call_1_0"]).toContain("echo: hi");
  },
  PINNED,
);

verifies(
  "requests.mcp-tool",
  "after an acceptance for the session, the server does not ask again for the same MCP tool",
  async () => {
    await using live = await mcpWorld("acceptForSession");
    await (await live.codex.startThread()).run("go");
    expect(live.asked).toHaveLength(1);
    expect(live.outputs()["call_1_0"]).toContain("echo: hi");
  },
  PINNED,
);

verifies(
  "requests.mcp-tool",
  "an MCP tool that is declined or cancelled does not run, and the turn continues",
  async () => {
    for (const [decision, told] of [
      ["decline", "user rejected MCP tool call"],
      ["cancel", "user cancelled MCP tool call"],
    ] as const) {
      await using live = await mcpWorld(decision);
      expect((await (await live.codex.startThread()).run("go")).agentMessage).toBe("done");
      expect(live.outputs()["call_0_0"]).toContain(told);
    }
  },
  PINNED,
);

verifies(
  ["requests.elicitation", "client.default-answers"],
  "the handler answers an MCP server's elicitation; without a handler it is declined",
  async () => {
    const ask = toolCall("ask", {}, { namespace: "mcp__small" });
    const seen: unknown[] = [];
    await using live = await world([ask, DONE], {
      ...ASKING,
      config: MCP,
      client: {
        onElicitation: (request) => {
          seen.push(request);
          return { action: "accept", content: { colour: "blue" } };
        },
      },
    });
    await (await live.codex.startThread()).run("go");
    expect(seen).toMatchObject([
      {
        mode: "form",
        serverName: "small",
        message: "Which colour?",
        requestedSchema: { properties: { colour: { type: "string" } }, required: ["colour"] },
      },
    ]);
    expect(live.model.requests.at(-1)?.toolOutputs["call_0_0"]).toContain(
      'ask: {"action":"accept","content":{"colour":"blue"}}',
    );
    await using silent = await world([ask, DONE], { ...ASKING, config: MCP });
    await (await silent.codex.startThread()).run("go");
    expect(silent.model.requests.at(-1)?.toolOutputs["call_0_0"]).toContain('ask: {"action":"decline"');
  },
  PINNED,
);

verifies(
  "requests.user-input",
  "the model's question reaches the handler, and the answer reaches the model",
  async () => {
    const seen: UserInputRequest[] = [];
    await using live = await world([QUESTION, DONE], {
      ...ASKING,
      config: QUESTIONS,
      client: {
        onUserInput: (request) => {
          seen.push(request);
          return { q1: "B" };
        },
      },
    });
    await (await live.codex.startThread()).run("go");
    expect(seen).toMatchObject([{ itemId: "call_0_0", questions: [{ id: "q1", question: "Which?" }] }]);
    expect(live.model.requests.at(-1)?.toolOutputs["call_0_0"]).toBe('{"answers":{"q1":{"answers":["B"]}}}');
  },
  PINNED,
);

verifies(
  ["requests.user-input", "requests.fail"],
  'if a question cannot be answered, "decline" informs the model and "fail" ends the turn',
  async () => {
    await using declining = await world([QUESTION, DONE], {
      ...ASKING,
      config: QUESTIONS,
      client: { onUserInput: "decline" },
    });
    expect((await (await declining.codex.startThread()).run("go")).agentMessage).toBe("done");
    expect(declining.model.requests.at(-1)?.toolOutputs["call_0_0"]).toContain(
      "Operator input is unavailable",
    );
    await using failing = await world([QUESTION, DONE, DONE], {
      ...ASKING,
      config: QUESTIONS,
      client: { onUserInput: "fail" },
    });
    const thread = await failing.codex.startThread();
    expect(await rejection(thread.run("go"))).toMatchObject({
      code: "input_required",
      request: { questions: [{ id: "q1" }] },
    });
  },
  PINNED,
);

verifies(
  ["requests.permissions", "client.default-answers"],
  "grants a part of the requested permissions, and none without a handler",
  async () => {
    const request = toolCall("request_permissions", {
      reason: "why",
      permissions: { file_system: { write: ["sub"] }, network: { enabled: true } },
    });
    const config = "[features]\nrequest_permissions_tool = true\n";
    await using live = await world([request, DONE], {
      ...ASKING,
      config,
      client: {
        onPermissions: ({ permissions }) => ({
          permissions: { ...permissions, network: null },
          scope: "session",
        }),
      },
    });
    const granted = path.join(live.server.workspace, "sub");
    await (await live.codex.startThread()).run("go");
    expect(JSON.parse(live.model.requests.at(-1)?.toolOutputs["call_0_0"] as string)).toEqual({
      permissions: { network: null, file_system: { write: [granted] } },
      scope: "session",
    });
    await using silent = await world([request, DONE], { ...ASKING, config });
    await (await silent.codex.startThread()).run("go");
    expect(JSON.parse(silent.model.requests.at(-1)?.toolOutputs["call_0_0"] as string)).toMatchObject({
      permissions: { network: null, file_system: null },
    });
  },
  PINNED,
);

verifies(
  "requests.tokens",
  "the model receives the time of our clock",
  async () => {
    const config =
      '[features.current_time_reminder]\nenabled = true\nclock_source = "external"\nreminder_interval_seconds = 1\n';
    const clock = (): Date => new Date("2026-06-17T17:34:15Z");
    await using live = await world([DONE], { config, client: { clock } });
    await (await live.codex.startThread()).run("what time is it?");
    expect(JSON.stringify(live.model.requests[0]?.body)).toContain("It is 2026-06-17 17:34:15 UTC.");
  },
  PINNED,
);
