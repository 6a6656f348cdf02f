import type { ServerRequests } from "../protocol/index.ts";
import { ResponseError } from "../rpc/errors.ts";

/**
 * What the server is told where no handler of ours takes a request: never silence, so that no turn waits
 * for ever, and never more than the thread's own policy allows.
 *
 * @param approvalPolicy the policy the server last reported for the thread
 */
export function defaultAnswer<M extends keyof ServerRequests>(
  method: M,
  params: ServerRequests[M]["params"],
  approvalPolicy: unknown,
): ServerRequests[M]["result"];
export function defaultAnswer(
  method: keyof ServerRequests,
  params: unknown,
  approvalPolicy: unknown,
): unknown {
  const allowed = approvalPolicy === "never";
  switch (method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
      return { decision: allowed ? "accept" : "decline" };
    case "execCommandApproval":
    case "applyPatchApproval":
      return { decision: allowed ? "approved" : "denied" };
    case "item/permissions/requestApproval":
      return { permissions: {} };
    case "item/tool/requestUserInput":
      return { answers: {} };
    case "mcpServer/elicitation/request":
      return { action: "decline", content: null, _meta: null };
    case "item/tool/call":
      return unknownTool((params as ServerRequests["item/tool/call"]["params"]).tool);
    case "currentTime/read":
      return { currentTimeAt: Math.floor(Date.now() / 1000) };
    case "account/chatgptAuthTokens/refresh":
    case "attestation/generate":
      throw new ResponseError(-32603, `no handler for ${method} is registered`);
    default:
      throw new ResponseError(-32601, `Method not found: ${String(method satisfies never)}`);
  }
}

function unknownTool(tool: string): ServerRequests["item/tool/call"]["result"] {
  return { success: false, contentItems: [{ type: "inputText", text: `There is no tool named ${tool}.` }] };
}
