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
 * What every approval can be answered with: this once, for the rest of the session, not this one, or not
 * this one and stop the turn as well. A session is one thread in one server process: another thread is asked
 * again, and so is the same one after a resume in another process.
 */
export type BasicDecision = "accept" | "acceptForSession" | "decline" | "cancel";

/** Runs the command and lets later ones that start with these words run unasked. */
export interface ExecpolicyAmendmentDecision {
  readonly acceptWithExecpolicyAmendment: { readonly execpolicy_amendment: Readonly<ExecPolicyAmendment> };
}

/** Allows or denies the host for good. */
export interface NetworkAmendmentDecision {
  readonly applyNetworkPolicyAmendment: {
    readonly network_policy_amendment: Readonly<NetworkPolicyAmendment>;
  };
}

export type CommandDecision = BasicDecision | ExecpolicyAmendmentDecision;
export type NetworkDecision = BasicDecision | NetworkAmendmentDecision;
export type FileChangeDecision = BasicDecision;
/**
 * `acceptAlways` is remembered in the user's configuration; where it is not offered, less is remembered.
 * `cancel` does not stop the turn here: the server tells the model and goes on.
 */
export type McpToolDecision = BasicDecision | "acceptAlways";

/** The decision a request of this kind takes, or any decision. */
export type ApprovalDecision<R extends ApprovalRequest = ApprovalRequest> = R["available"][number];

interface ApprovalBase<Kind extends string, Decision, Raw> {
  readonly kind: Kind;
  readonly threadId: string;
  /** Unset in requests of old servers, and where the server could not tell the turn. */
  readonly turnId: string | undefined;
  /** The item it is about. On a request that is replayed after a resume, the item itself is not told again. */
  readonly itemId: string | undefined;
  readonly reason: string | undefined;
  /** What the server suggests to offer, in its order. A hint: other decisions of the kind are honoured too. */
  readonly available: readonly Decision[];
  /** Aborts when the answer is not wanted any more: it was given elsewhere, the turn ended, the server went. */
  readonly signal: AbortSignal;
  /** The params as they came. */
  readonly raw: Raw;
}

/** A command wants to run outside the sandbox, or input to be written to one that runs. */
export interface CommandApproval extends ApprovalBase<
  "command",
  CommandDecision,
  CommandExecutionRequestApprovalParams | ExecCommandApprovalParams
> {
  /** `writeStdin`: `command` is running already and is to get input. */
  readonly commandKind: CommandExecutionApprovalKind;
  /** The command line with the shell around it, quoted: `/bin/bash -lc 'touch a && rm b'`. */
  readonly command: string | undefined;
  /**
   * What the shell of `command` is given to run: `touch a && rm b`. Absent if `scriptOf(command)` finds none,
   * and for `writeStdin`.
   */
  readonly script?: string;
  readonly cwd: string | undefined;
  /** The server's best guess at what the command does, for display. */
  readonly commandActions: readonly CommandAction[];
  /**
   * What would let the command, and all that begin like it, run without asking. Of a command line with several
   * commands it names the first alone: never decide by this field what the whole line may do.
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

/** A patch wants to write outside what the sandbox allows. */
export interface FileChangeApproval extends ApprovalBase<
  "fileChange",
  FileChangeDecision,
  FileChangeRequestApprovalParams | ApplyPatchApprovalParams
> {
  /** The folder that `acceptForSession` would open for writing, where the server says so. */
  readonly grantRoot: string | undefined;
  /** Unset where the item has not been seen: on a request that is replayed after a resume. */
  readonly changes: readonly FileUpdateChange[] | undefined;
}

/** A tool of an MCP server wants to run. */
export interface McpToolApproval extends ApprovalBase<
  "mcpTool",
  McpToolDecision,
  McpServerElicitationRequestParams | ToolRequestUserInputParams
> {
  /** Unset where an old server asks before its item has been seen. */
  readonly serverName: string | undefined;
  readonly tool: string | undefined;
  readonly toolTitle: string | undefined;
  readonly toolDescription: string | undefined;
  readonly arguments: JsonValue | undefined;
  /** The question as the server words it. */
  readonly message: string;
}

/** Something the agent may not do without being allowed to; tell them apart by `kind`. */
export type ApprovalRequest = CommandApproval | NetworkApproval | FileChangeApproval | McpToolApproval;

/** Decides on an approval. A throw, or a word of another kind, counts as `decline` and raises a `warning`. */
export type ApprovalHandler = (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>;
