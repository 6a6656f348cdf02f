import type {
  AdditionalPermissionProfile,
  ApplyPatchApprovalParams,
  CommandAction,
  CommandExecutionApprovalKind,
  CommandExecutionRequestApprovalParams,
  ExecCommandApprovalParams,
  ExecPolicyAmendment,
  FileChangeRequestApprovalParams,
  FileUpdateChange,
  JsonValue,
  McpServerElicitationRequestParams,
  NetworkApprovalProtocol,
  NetworkPolicyAmendment,
  ToolRequestUserInputParams,
} from "../../protocol/index.ts";

/**
 * Answers that every approval accepts: `accept` once, `acceptForSession`, `decline`, or `cancel`, which declines and
 * also stops the turn. A session is one thread in one server process: the server asks again for another thread, and
 * for the same thread after it is resumed in another process.
 */
export type BasicDecision = "accept" | "acceptForSession" | "decline" | "cancel";

/** Runs the command, and lets later commands that start with these words run without an approval. */
export interface ExecpolicyAmendmentDecision {
  readonly acceptWithExecpolicyAmendment: { readonly execpolicy_amendment: Readonly<ExecPolicyAmendment> };
}

/** Allows or denies the host permanently. */
export interface NetworkAmendmentDecision {
  readonly applyNetworkPolicyAmendment: {
    readonly network_policy_amendment: Readonly<NetworkPolicyAmendment>;
  };
}

export type CommandDecision = BasicDecision | ExecpolicyAmendmentDecision;
export type NetworkDecision = BasicDecision | NetworkAmendmentDecision;
export type FileChangeDecision = BasicDecision;
/**
 * `acceptAlways` is stored in the user's configuration; if the server does not offer it, the decision is remembered for
 * a shorter time. For MCP tools, `cancel` does not stop the turn: the server reports the decision to the model and
 * continues.
 */
export type McpToolDecision = BasicDecision | "acceptAlways";

/** The decisions that this kind of request accepts. By default, the decisions of all kinds of requests. */
export type ApprovalDecision<R extends ApprovalRequest = ApprovalRequest> = R["available"][number];

interface ApprovalBase<Kind extends string, Decision, Raw> {
  readonly kind: Kind;
  readonly threadId: string;
  /** Unset in requests from old servers, and if the server does not know the turn. */
  readonly turnId: string | undefined;
  /**
   * The item that the approval is about. When a request is replayed after a resume, the server does not send the item
   * again.
   */
  readonly itemId: string | undefined;
  readonly reason: string | undefined;
  /**
   * The decisions that the server suggests, in its order. They are a hint: other decisions of the same kind are
   * accepted too.
   */
  readonly available: readonly Decision[];
  /**
   * Aborts when the answer is no longer needed: another client answered, the turn ended, or the connection was lost.
   */
  readonly signal: AbortSignal;
  /** The params as received. */
  readonly raw: Raw;
}

/** A command wants to run outside the sandbox, or the agent wants to write input to a running command. */
export interface CommandApproval extends ApprovalBase<
  "command",
  CommandDecision,
  CommandExecutionRequestApprovalParams | ExecCommandApprovalParams
> {
  /** `writeStdin`: `command` is already running and would receive input. */
  readonly commandKind: CommandExecutionApprovalKind;
  /** The command line, including the shell around it, quoted: `/bin/bash -lc 'touch a && rm b'`. */
  readonly command: string | undefined;
  /**
   * The script that the shell in `command` runs: `touch a && rm b`. Absent if `scriptOf(command)` finds none, and for
   * `writeStdin`.
   */
  readonly script?: string;
  readonly cwd: string | undefined;
  /** The server's best guess of what the command does, for display. */
  readonly commandActions: readonly CommandAction[];
  /**
   * A rule that would let this command, and every command that begins with the same words, run without an approval. If
   * the command line has several commands, the rule names only the first: never use this field to decide what the whole
   * line may do.
   */
  readonly proposedExecpolicyAmendment: Readonly<ExecPolicyAmendment> | undefined;
  readonly additionalPermissions: AdditionalPermissionProfile | undefined;
}

/** A command wants to reach a host that no rule allows. */
export interface NetworkApproval extends ApprovalBase<
  "network",
  NetworkDecision,
  CommandExecutionRequestApprovalParams
> {
  readonly host: string;
  readonly protocol: NetworkApprovalProtocol;
  readonly command: string | undefined;
  readonly cwd: string | undefined;
  readonly proposedNetworkPolicyAmendments: readonly NetworkPolicyAmendment[];
}

/** A patch would write to files that the sandbox does not allow. */
export interface FileChangeApproval extends ApprovalBase<
  "fileChange",
  FileChangeDecision,
  FileChangeRequestApprovalParams | ApplyPatchApprovalParams
> {
  /** The folder that `acceptForSession` would open for writing, if the server reports it. */
  readonly grantRoot: string | undefined;
  /** Unset if the item is not known, for example when a request is replayed after a resume. */
  readonly changes: readonly FileUpdateChange[] | undefined;
}

/** A tool of an MCP server wants to run. */
export interface McpToolApproval extends ApprovalBase<
  "mcpTool",
  McpToolDecision,
  McpServerElicitationRequestParams | ToolRequestUserInputParams
> {
  /** Unset if an old server asks before it has sent the item. */
  readonly serverName: string | undefined;
  readonly tool: string | undefined;
  readonly toolTitle: string | undefined;
  readonly toolDescription: string | undefined;
  readonly arguments: JsonValue | undefined;
  /** The question in the server's words. */
  readonly message: string;
}

/** An action that the agent may not take without permission. Distinguish the kinds by `kind`. */
export type ApprovalRequest = CommandApproval | NetworkApproval | FileChangeApproval | McpToolApproval;

/**
 * Decides on an approval. If the handler throws or returns an invalid decision, the approval is declined and a
 * `warning` is emitted.
 */
export type ApprovalHandler = (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>;
