import path from "node:path";
import { expect } from "vitest";
import { AnswerRequiredError, definePrompt, section } from "codexwright/agent";
import { applyPatch, exec, hang, reply, subAgent, toolCall } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED } from "@codexwright/test-support/world";
import { agentWorld, eventsOf } from "./agent-world.ts";

const SERVER = path.join(import.meta.dirname, "mcp-server.mjs");
const CONFIG = `[features]
default_mode_request_user_input = true
request_permissions_tool = true
[mcp_servers.small]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(SERVER)}]
`;
const prompt = definePrompt({ id: "ask", sections: [section({ key: "a", title: "A", body: "Go." })] });
const question = {
  id: "q1",
  header: "Colour",
  question: "Which?",
  options: [
    { label: "A", description: "the first" },
    { label: "B", description: "the second" },
  ],
};
const permissions = { file_system: { write: ["sub"] } };

const CASES = [
  {
    step: exec("touch a.txt", { justification: "needs a file" }),
    error: { code: "approval_required", kind: "command", method: "item/commandExecution/requestApproval" },
    params: { reason: "needs a file" },
  },
  {
    step: applyPatch("*** Add File: x.txt\n+hello"),
    error: { code: "approval_required", kind: "fileChange", method: "item/fileChange/requestApproval" },
    params: {},
  },
  {
    step: toolCall("echo", { text: "hi" }, { namespace: "mcp__small" }),
    error: { code: "approval_required", kind: "mcpTool", method: "mcpServer/elicitation/request" },
    params: { serverName: "small" },
  },
  {
    step: toolCall("request_permissions", { reason: "why", permissions }),
    error: { code: "permissions_required", kind: "permissions", method: "item/permissions/requestApproval" },
    params: { reason: "why" },
  },
  {
    step: toolCall("request_user_input", { questions: [question] }),
    error: { code: "input_required", kind: "userInput", method: "item/tool/requestUserInput" },
    params: { questions: [{ id: "q1", question: "Which?" }] },
  },
  {
    step: toolCall("ask", {}, { namespace: "mcp__small" }),
    error: { code: "elicitation_required", kind: "elicitation", method: "mcpServer/elicitation/request" },
    params: { message: "Which colour?" },
  },
];

verifies(
  ["agent.run.fail", "agent.run.thread-id", "security.s93"],
  "a question without an answer interrupts the turn and rejects the run with the question, and a later run answers it on the same thread",
  async () => {
    await using live = await agentWorld(
      ({ lastUserText }) => {
        const step = CASES[Number(/case (\d)/.exec(lastUserText)?.[1])]?.step;
        return step ?? reply("done");
      },
      {
        config: CONFIG,
        agent: {
          sandbox: "read-only",
          onApproval: "fail",
          onPermissions: "fail",
          onUserInput: "fail",
          onElicitation: "fail",
        },
      },
    );
    const numbered = (n: number) =>
      definePrompt({ id: "case", sections: [section({ key: "a", title: "A", body: `case ${n}` })] });
    for (const [n, { error: expected, params }] of CASES.entries()) {
      const before = live.model.requests.length;
      const run = live.agent.run(numbered(n));
      const error = (await rejection(run.result)) as AnswerRequiredError;
      expect(error).toBeInstanceOf(AnswerRequiredError);
      const { code, request } = error;
      expect({ code, kind: request.kind, method: request.method }).toEqual(expected);
      expect(request.params).toMatchObject(params);
      const threadId = eventsOf(run, "thread.started")[0]?.threadId;
      expect(request.threadId).toBe(threadId);
      expect(eventsOf(run, "turn.started")[0]?.turnId).toBe(request.turnId);
      // A refusal would have made the server call the model again.
      expect(live.model.requests.length - before).toBe(1);

      const answer = live.agent.run(prompt, { threadId, resumeText: () => "The answer is B." });
      expect(await answer.result).toMatchObject({ text: "done", threadId });
      const input = JSON.stringify(live.model.requests.at(-1)?.input);
      expect(input).toContain(`case ${n}`);
      expect(input).toContain("The answer is B.");
    }
    expect(live.sent("turn/interrupt")).toHaveLength(CASES.length);
  },
  PINNED,
);

verifies(
  ["agent.run.fail", "agent.run.sub-agents"],
  "a question of a sub-agent rejects the run with the thread of the sub-agent, and both turns end without an answer",
  async () => {
    await using live = await agentWorld(
      ({ lastUserText, toolOutputs }) => {
        if (!lastUserText.includes("Go.")) return exec("touch a.txt", { justification: "needs a file" });
        return Object.keys(toolOutputs).length === 0 ? subAgent("child task") : hang();
      },
      { agent: { sandbox: "read-only", onApproval: "fail" } },
    );
    const run = live.agent.run(prompt);
    const { code, request } = (await rejection(run.result)) as AnswerRequiredError;
    expect(code).toBe("approval_required");
    const { threadId } = eventsOf(run, "thread.started")[0] ?? {};
    expect(request.threadId).not.toBe(threadId);
    const interrupted = live.sent("turn/interrupt").map((params) => params["threadId"]);
    expect(new Set(interrupted)).toEqual(new Set([threadId, request.threadId]));
    const asked = live
      .wire()
      .find(({ direction, message }) => direction === "in" && message["method"] === request.method);
    const answers = live
      .wire()
      .filter(({ direction, message }) => direction === "out" && message["method"] === undefined)
      .filter(({ message }) => message["id"] === asked?.message["id"]);
    expect(answers).toEqual([]);
  },
  PINNED,
);
