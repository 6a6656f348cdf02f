import type { AskForApproval, SandboxMode, SandboxPolicy } from "../../../protocol/index.ts";
import { atLeast } from "../../../protocol/release.ts";
import { APPROVAL_SPELLINGS, SANDBOX_SPELLINGS } from "../../../protocol/spellings.ts";
import * as is from "../../../rpc/options/check.ts";
import { UnsupportedError } from "../../connection/server/server-errors.ts";

/** A sandbox mode, in the server's spelling or in the spelling of older documentation. */
export type SandboxSpelling = SandboxMode | "readOnly" | "workspaceWrite" | "dangerFullAccess";

/** An approval policy, in the server's spelling or in the spelling of older documentation and servers. */
export type ApprovalSpelling = AskForApproval | "unlessTrusted" | "always" | "on-failure";

/** A sandbox policy, in the server's form or, as in the oldest documentation, with `mode` instead of `type`. */
export type SandboxPolicySpelling =
  | SandboxPolicy
  | { readonly mode: SandboxSpelling; readonly [field: string]: unknown };

export const SANDBOX: is.Check<SandboxSpelling> = is.oneOf(...SANDBOX_SPELLINGS);

export const APPROVAL: is.Check<ApprovalSpelling> = is.either(is.oneOf(...APPROVAL_SPELLINGS), is.object);

const POLICY: Readonly<Record<SandboxMode, SandboxPolicy["type"]>> = {
  "read-only": "readOnly",
  "workspace-write": "workspaceWrite",
  "danger-full-access": "dangerFullAccess",
};

const OLD_SANDBOX: Readonly<Record<string, SandboxMode>> = {
  readOnly: "read-only",
  workspaceWrite: "workspace-write",
  dangerFullAccess: "danger-full-access",
};

const OLD_APPROVAL: Readonly<Record<string, AskForApproval>> = {
  unlessTrusted: "untrusted",
  always: "on-request",
};

export function toSandboxMode(sandbox: SandboxSpelling): SandboxMode {
  return OLD_SANDBOX[sandbox] ?? (sandbox as SandboxMode);
}

export function toSandboxPolicy(policy: SandboxPolicySpelling): SandboxPolicy {
  if (!("mode" in policy)) return policy;
  const { mode, ...rest } = policy;
  return { ...rest, type: POLICY[toSandboxMode(mode)] };
}

/**
 * Converts the policy to its wire form. Throws for a policy that the server no longer has, because the server's own
 * error is less clear.
 */
export function toApprovalPolicy(policy: ApprovalSpelling, serverVersion: string): AskForApproval {
  if (policy === "on-failure" && atLeast(serverVersion, "0.143.0")) {
    throw new UnsupportedError(
      'approvalPolicy "on-failure" was removed in Codex 0.143: use "on-request" or "never"',
    );
  }
  return typeof policy === "string" ? (OLD_APPROVAL[policy] ?? (policy as AskForApproval)) : policy;
}
