import type { AgentOptions, RunOptions } from "codexwright/agent";
import type { Schema } from "codexwright";
import type { Settings } from "../domain/settings.ts";

/** The sandbox and the approval policy of a run, as the workflow has them. They are passed to the server as they are. */
export function policyOf({ codex }: Settings): Pick<AgentOptions, "sandbox" | "approvalPolicy"> {
  return {
    sandbox: codex.threadSandbox as AgentOptions["sandbox"],
    approvalPolicy: codex.approvalPolicy as AgentOptions["approvalPolicy"],
  };
}

/**
 * The sandbox policy of the turns. Without a policy in the workflow, a run in `workspace-write` may write to its
 * workspace and to its own folder for temporary files, and to nothing else: Codex's own default includes `/tmp`, which
 * can hold the workspaces of other issues.
 */
export function turnPolicyOf({ codex }: Settings): RunOptions<Schema>["sandboxPolicy"] {
  if (codex.turnSandboxPolicy !== null) return codex.turnSandboxPolicy as RunOptions<Schema>["sandboxPolicy"];
  if (codex.threadSandbox !== "workspace-write") return undefined;
  return {
    type: "workspaceWrite",
    writableRoots: [],
    networkAccess: false,
    excludeTmpdirEnvVar: false,
    excludeSlashTmp: true,
  };
}
