import type { ApprovalDecision, ApprovalRequest, BasicDecision } from "./approval.ts";
import { isTexts, record } from "../connection/wire.ts";

const BASIC: readonly BasicDecision[] = ["accept", "acceptForSession", "decline", "cancel"];

/** What may be decided where the server does not say: older ones, and kinds it never says it for. */
export const BASIC_DECISIONS: readonly BasicDecision[] = BASIC;

/**
 * True for a decision that a request of this kind takes. Checked here because the server would take a word
 * it does not know for a failure, and the model would be told so.
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
