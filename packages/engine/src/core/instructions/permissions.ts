import type { Settings } from "../records/record.ts";

/** Tells the model what its commands may do, and when to ask. */
export function permissionsText({
  sandbox,
  approvalPolicy,
}: Pick<Settings, "sandbox" | "approvalPolicy">): string {
  return `${sandboxText(sandbox)}\n${approvalText(approvalPolicy, sandbox)}`;
}

function sandboxText(sandbox: Settings["sandbox"]): string {
  switch (sandbox.type) {
    case "readOnly":
      return `Commands run in the sandbox \`read-only\`: they can read files, but not write any. ${networkText(sandbox.networkAccess === true)}`;
    case "workspaceWrite":
      return `Commands run in the sandbox \`workspace-write\`: they can read files, and write below the working directory and the other writable roots. Folders that control how programs run, such as \`.git\`, stay read-only. ${networkText(sandbox.networkAccess === true)}`;
    case "externalSandbox":
      return `The environment confines commands by its own means. ${networkText(sandbox.networkAccess === "enabled")}`;
    default:
      return "Commands run without a sandbox: they can do everything that the user can do. Be careful.";
  }
}

function networkText(on: boolean): string {
  return on ? "They can use the network." : "They cannot use the network.";
}

const ESCALATE =
  'To run a command outside of the sandbox, set `sandbox_permissions` to "require_escalated" and give a `justification`: one short question to the user that says why. Do this only for commands that need it, and never for destructive ones that the user did not ask for. A `prefix_rule` may propose a narrow prefix, such as ["npm", "test"], that the user can allow for good. If many commands need the same folder or the network, ask once with `request_permissions` instead.';

function approvalText(policy: Settings["approvalPolicy"], sandbox: Settings["sandbox"]): string {
  if (policy === "never") {
    return "Approval policy `never`: there are no approvals. Do not set `sandbox_permissions`; such calls are refused. Work within the limits above, and report what they prevented.";
  }
  if (policy === "untrusted") {
    return `Approval policy \`untrusted\`: the user is asked before each command that no rule allows, and before each patch. ${ESCALATE}`;
  }
  if (sandbox.type === "dangerFullAccess") {
    return "Approval policy `on-request`: without a sandbox there is nothing to ask for.";
  }
  const kinds =
    typeof policy === "object"
      ? "Approval policy `granular`: some kinds of questions may be switched off, and are then refused. "
      : "Approval policy `on-request`: what the sandbox allows runs at once. ";
  return `${kinds}If the sandbox denies something that the task needs, ask for it. ${ESCALATE}`;
}
