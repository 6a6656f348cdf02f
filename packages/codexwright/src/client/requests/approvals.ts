import type {
  CommandExecutionRequestApprovalParams,
  FileChangeRequestApprovalParams,
  NetworkPolicyAmendment,
  ThreadItem,
} from "../../protocol/index.ts";
import type {
  CommandApproval,
  CommandDecision,
  FileChangeApproval,
  NetworkApproval,
  NetworkDecision,
} from "./approval.ts";
import { BASIC_DECISIONS } from "./decisions.ts";
import { scriptOf, shellWords } from "./script.ts";

/** A command's approval, or the one of a host it wants to reach: on the wire they are the same request. */
export function commandApproval(
  raw: CommandExecutionRequestApprovalParams,
  signal: AbortSignal,
): CommandApproval | NetworkApproval {
  const common = {
    threadId: raw.threadId,
    turnId: raw.turnId,
    itemId: raw.itemId,
    reason: raw.reason ?? undefined,
    signal,
    raw,
    command: raw.command ?? undefined,
    cwd: raw.cwd ?? undefined,
  };
  const network = raw.networkApprovalContext;
  if (network) {
    const amendments = raw.proposedNetworkPolicyAmendments ?? [];
    return {
      ...common,
      kind: "network",
      host: network.host,
      protocol: network.protocol,
      proposedNetworkPolicyAmendments: amendments,
      available: (raw.availableDecisions as NetworkDecision[] | null | undefined) ?? ofNetwork(amendments),
    };
  }
  const amendment = raw.proposedExecpolicyAmendment ?? undefined;
  // Servers before 0.150 know one kind and do not name it.
  const commandKind = raw.kind ?? "command";
  const script = commandKind === "command" ? scriptOf(shellWords(raw.command ?? "")) : undefined;
  return {
    ...common,
    kind: "command",
    commandKind,
    ...(script !== undefined && { script }),
    commandActions: raw.commandActions ?? [],
    proposedExecpolicyAmendment: amendment,
    additionalPermissions: raw.additionalPermissions ?? undefined,
    available: (raw.availableDecisions as CommandDecision[] | null | undefined) ?? ofCommand(amendment),
  };
}

/** @param item the patch as it is known so far; the request itself does not hold it */
export function fileChangeApproval(
  raw: FileChangeRequestApprovalParams,
  item: ThreadItem | undefined,
  signal: AbortSignal,
): FileChangeApproval {
  return {
    kind: "fileChange",
    threadId: raw.threadId,
    turnId: raw.turnId,
    itemId: raw.itemId,
    reason: raw.reason ?? undefined,
    available: BASIC_DECISIONS,
    signal,
    raw,
    grantRoot: raw.grantRoot ?? undefined,
    changes: item?.type === "fileChange" ? item.changes : undefined,
  };
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
