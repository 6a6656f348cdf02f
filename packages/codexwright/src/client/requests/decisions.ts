import type { ApprovalDecision, ApprovalRequest, BasicDecision } from "./approval.ts";
import { isTexts, record } from "../connection/wire.ts";

const BASIC: readonly BasicDecision[] = ["accept", "acceptForSession", "decline", "cancel"];

/** The decisions to offer if the server lists none. Old servers never list them, and for some kinds no server does. */
export const BASIC_DECISIONS: readonly BasicDecision[] = BASIC;

/**
 * True if a request of this kind accepts the decision. The server would treat an unknown decision as a failure and
 * report it to the model, so the decision is checked here.
 */
export function isApprovalDecision(kind: ApprovalRequest["kind"], value: unknown): value is ApprovalDecision {
  if (typeof value === "string") {
    return (BASIC as readonly string[]).includes(value) || (kind === "mcpTool" && value === "acceptAlways");
  }
  const entries = Object.entries(record(value));
  const [name, detail] = entries[0] ?? [];
  if (entries.length !== 1) return false;
  if (kind === "command" && name === "acceptWithExecpolicyAmendment") {
    const { execpolicy_amendment: words } = record(detail);
    return isTexts(words) && words.length > 0;
  }
  if (kind === "network" && name === "applyNetworkPolicyAmendment") {
    const { host, action } = record(record(detail)["network_policy_amendment"]);
    return typeof host === "string" && (action === "allow" || action === "deny");
  }
  return false;
}
