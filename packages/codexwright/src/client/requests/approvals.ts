import type {
  CommandExecutionRequestApprovalParams,
  FileChangeRequestApprovalParams,
  NetworkApprovalContext,
  NetworkPolicyAmendment,
  ThreadItem,
} from "../../protocol/index.ts";
import { withSignal, type Withdrawable } from "../../rpc/withdrawable.ts";
import type {
  CommandApproval,
  CommandDecision,
  FileChangeApproval,
  NetworkApproval,
  NetworkDecision,
} from "./approval.ts";
import { BASIC_DECISIONS } from "./decisions.ts";
import { scriptOf } from "./script.ts";

/**
 * Returns the approval request for a command, or for a host that a command wants to reach. Both arrive as the same wire
 * request.
 */
export function commandApproval(
  raw: CommandExecutionRequestApprovalParams,
  request: Withdrawable,
): CommandApproval | NetworkApproval {
  if (raw.networkApprovalContext) return networkApproval(raw, raw.networkApprovalContext, request);
  const amendment = raw.proposedExecpolicyAmendment ?? undefined;
  // Servers before 0.150 have only the kind `command` and omit the field.
  const commandKind = raw.kind ?? "command";
  const script = commandKind === "command" ? scriptOf(raw.command ?? "") : undefined;
  const approval: Omit<CommandApproval, "signal"> = {
    kind: "command",
    command: raw.command ?? undefined,
    cwd: raw.cwd ?? undefined,
    commandKind,
    commandActions: raw.commandActions ?? [],
    proposedExecpolicyAmendment: amendment,
    additionalPermissions: raw.additionalPermissions ?? undefined,
    available: (raw.availableDecisions as CommandDecision[] | null | undefined) ?? ofCommand(amendment),
    ...asked(raw),
    ...(script !== undefined && { script }),
  };
  return withSignal(approval, request);
}

function networkApproval(
  raw: CommandExecutionRequestApprovalParams,
  { host, protocol }: NetworkApprovalContext,
  request: Withdrawable,
): NetworkApproval {
  const amendments = raw.proposedNetworkPolicyAmendments ?? [];
  const approval: Omit<NetworkApproval, "signal"> = {
    kind: "network",
    command: raw.command ?? undefined,
    cwd: raw.cwd ?? undefined,
    host,
    protocol,
    proposedNetworkPolicyAmendments: amendments,
    available: (raw.availableDecisions as NetworkDecision[] | null | undefined) ?? ofNetwork(amendments),
    ...asked(raw),
  };
  return withSignal(approval, request);
}

/** @param item the patch, as far as it is known, because the request does not contain the patch */
export function fileChangeApproval(
  raw: FileChangeRequestApprovalParams,
  item: ThreadItem | undefined,
  request: Withdrawable,
): FileChangeApproval {
  const approval: Omit<FileChangeApproval, "signal"> = {
    kind: "fileChange",
    available: BASIC_DECISIONS,
    grantRoot: raw.grantRoot ?? undefined,
    changes: item?.type === "fileChange" ? item.changes : undefined,
    ...asked(raw),
  };
  return withSignal(approval, request);
}

/**
 * Fields that both kinds share. Spread them last: on Node 20, each field after a spread creates a new hidden class.
 */
function asked<R extends CommandExecutionRequestApprovalParams | FileChangeRequestApprovalParams>(
  raw: R,
): Pick<CommandApproval, "threadId" | "turnId" | "itemId" | "reason"> & { readonly raw: R } {
  const { threadId, turnId, itemId, reason } = raw;
  return { threadId, turnId, itemId, reason: reason ?? undefined, raw };
}

function ofCommand(amendment: readonly string[] | undefined): CommandDecision[] {
  return [
    "accept",
    "acceptForSession",
    ...(amendment ? [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } }] : []),
    "decline",
    "cancel",
  ];
}

function ofNetwork(amendments: readonly NetworkPolicyAmendment[]): NetworkDecision[] {
  return [
    "accept",
    "acceptForSession",
    ...amendments.map((amendment) => ({
      applyNetworkPolicyAmendment: { network_policy_amendment: amendment },
    })),
    "decline",
    "cancel",
  ];
}
