import type {
  CommandExecutionRequestApprovalParams,
  FileChangeRequestApprovalParams,
  NetworkApprovalContext,
  NetworkPolicyAmendment,
  ThreadItem,
} from "../../protocol/index.ts";
import type { RequestContext } from "../../rpc/serving.ts";
import type {
  CommandApproval,
  CommandDecision,
  FileChangeApproval,
  NetworkApproval,
  NetworkDecision,
} from "./approval.ts";
import { BASIC_DECISIONS } from "./decisions.ts";
import { scriptOf, shellWords } from "./script.ts";

/** Where an approval has its signal from, which is made when somebody looks at it. */
export type Waiting = Pick<RequestContext, "signal">;

/** A command's approval, or the one of a host it wants to reach: on the wire they are the same request. */
export function commandApproval(
  raw: CommandExecutionRequestApprovalParams,
  waiting: Waiting,
): CommandApproval | NetworkApproval {
  if (raw.networkApprovalContext) return networkApproval(raw, raw.networkApprovalContext, waiting);
  const amendment = raw.proposedExecpolicyAmendment ?? undefined;
  // Servers before 0.150 know one kind and do not name it.
  const commandKind = raw.kind ?? "command";
  const script = commandKind === "command" ? scriptOf(shellWords(raw.command ?? "")) : undefined;
  return {
    ...asked(raw),
    ...toRun(raw),
    kind: "command",
    get signal() {
      return waiting.signal;
    },
    commandKind,
    commandActions: raw.commandActions ?? [],
    proposedExecpolicyAmendment: amendment,
    additionalPermissions: raw.additionalPermissions ?? undefined,
    available: (raw.availableDecisions as CommandDecision[] | null | undefined) ?? ofCommand(amendment),
    ...(script !== undefined && { script }),
  };
}

function networkApproval(
  raw: CommandExecutionRequestApprovalParams,
  { host, protocol }: NetworkApprovalContext,
  { signal }: Waiting,
): NetworkApproval {
  const amendments = raw.proposedNetworkPolicyAmendments ?? [];
  return {
    ...asked(raw),
    ...toRun(raw),
    kind: "network",
    signal,
    host,
    protocol,
    proposedNetworkPolicyAmendments: amendments,
    available: (raw.availableDecisions as NetworkDecision[] | null | undefined) ?? ofNetwork(amendments),
  };
}

/** @param item the patch as it is known so far; the request itself does not hold it */
export function fileChangeApproval(
  raw: FileChangeRequestApprovalParams,
  item: ThreadItem | undefined,
  waiting: Waiting,
): FileChangeApproval {
  return {
    ...asked(raw),
    kind: "fileChange",
    available: BASIC_DECISIONS,
    get signal() {
      return waiting.signal;
    },
    grantRoot: raw.grantRoot ?? undefined,
    changes: item?.type === "fileChange" ? item.changes : undefined,
  };
}

/** What all of them tell. The signal is no part of it: a spread would make it. */
function asked<R extends CommandExecutionRequestApprovalParams | FileChangeRequestApprovalParams>(
  raw: R,
): Pick<CommandApproval, "threadId" | "turnId" | "itemId" | "reason"> & { readonly raw: R } {
  const { threadId, turnId, itemId, reason } = raw;
  return { threadId, turnId, itemId, reason: reason ?? undefined, raw };
}

function toRun({
  command,
  cwd,
}: CommandExecutionRequestApprovalParams): Pick<CommandApproval, "command" | "cwd"> {
  return { command: command ?? undefined, cwd: cwd ?? undefined };
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
