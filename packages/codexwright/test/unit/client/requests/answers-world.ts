import type { ServerRequestHooks } from "../../../../src/client/requests/hooks.ts";
import type { ServerRequestOptions } from "../../../../src/client/requests/index.ts";
import { ServerRequestAnswers } from "../../../../src/client/requests/server-request-answers.ts";

export const ids = { threadId: "t1", turnId: "u1", itemId: "i1" };

/** Creates answers with hooks that record their calls. */
export function answering(
  options: ServerRequestOptions = {},
  hooks: ServerRequestHooks & { accepts?: boolean } = {},
) {
  const warnings: { code: string; message: string; cause?: unknown }[] = [];
  const failures: { threadId: string; turnId: string | undefined; error: { code: string } }[] = [];
  const { accepts = false, ...rest } = hooks;
  const counter = new ServerRequestAnswers(options, {
    acceptsUnasked: () => accepts,
    warn: (code, message, cause) => warnings.push({ code, message, cause }),
    failTurn: (threadId, turnId, error) => failures.push({ threadId, turnId, error }),
    ...rest,
  });
  const controller = new AbortController();
  const ask = (method: string, params: unknown): Promise<unknown> =>
    counter.answer(method, params, controller);
  return { ask, warnings, failures, controller };
}

export const COMMAND = "item/commandExecution/requestApproval";
export const FILE_CHANGE = "item/fileChange/requestApproval";
export const PERMISSIONS = "item/permissions/requestApproval";
export const USER_INPUT = "item/tool/requestUserInput";
export const ELICITATION = "mcpServer/elicitation/request";

/** As sent by 0.166.0. */
export const command = {
  ...ids,
  kind: "command",
  startedAtMs: 1,
  environmentId: "local",
  reason: "need",
  command: "/bin/bash -lc 'touch a'",
  cwd: "/w",
  commandActions: [{ type: "unknown", command: "touch a" }],
  proposedExecpolicyAmendment: ["touch", "a"],
  availableDecisions: [
    "accept",
    { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch", "a"] } },
    "cancel",
  ],
};

/** As sent by 0.166.0. */
export const mcpApproval = {
  threadId: "t1",
  turnId: "u1",
  serverName: "small",
  mode: "form",
  _meta: {
    codex_approval_kind: "mcp_tool_call",
    persist: ["session", "always"],
    tool_title: "Echo",
    tool_description: "Repeats the text",
    tool_params: { text: "hi" },
  },
  message: 'Allow the small MCP server to run tool "echo"?',
  requestedSchema: { type: "object", properties: {} },
};
