import type {
  ApplyPatchApprovalParams,
  CommandAction,
  ExecCommandApprovalParams,
  FileChange,
  FileUpdateChange,
  ParsedCommand,
} from "../../protocol/index.ts";
import type { ApprovalDecision, BasicDecision, CommandApproval, FileChangeApproval } from "./approval.ts";
import { BASIC_DECISIONS } from "./decisions.ts";
import { scriptOf, shellLine } from "./script.ts";

/** Converts the command approval of v1 conversations (servers up to 0.105) to the current form. */
export function legacyCommandApproval(raw: ExecCommandApprovalParams, signal: AbortSignal): CommandApproval {
  const words = raw.command ?? [];
  const script = scriptOf(words);
  return {
    kind: "command",
    threadId: raw.conversationId,
    turnId: undefined,
    itemId: raw.callId,
    reason: raw.reason ?? undefined,
    available: BASIC_DECISIONS,
    signal,
    raw,
    commandKind: "command",
    command: shellLine(words),
    ...(script !== undefined && { script }),
    cwd: raw.cwd,
    commandActions: (raw.parsedCmd ?? []).map(toAction),
    proposedExecpolicyAmendment: undefined,
    additionalPermissions: undefined,
  };
}

/** Converts the patch approval of v1 conversations to the current form. */
export function legacyFileChangeApproval(
  raw: ApplyPatchApprovalParams,
  signal: AbortSignal,
): FileChangeApproval {
  return {
    kind: "fileChange",
    threadId: raw.conversationId,
    turnId: undefined,
    itemId: raw.callId,
    reason: raw.reason ?? undefined,
    available: BASIC_DECISIONS,
    signal,
    raw,
    grantRoot: raw.grantRoot ?? undefined,
    changes: Object.entries(raw.fileChanges ?? {}).flatMap(([path, change]) =>
      change ? [toChange(path, change)] : [],
    ),
  };
}

function toAction(parsed: ParsedCommand): CommandAction {
  const command = parsed.cmd;
  switch (parsed.type) {
    case "read":
      return { type: "read", command, name: parsed.name, path: parsed.path };
    case "list_files":
      return { type: "listFiles", command, path: parsed.path };
    case "search":
      return { type: "search", command, query: parsed.query, path: parsed.path };
    default:
      return { type: "unknown", command };
  }
}

function toChange(path: string, change: FileChange): FileUpdateChange {
  switch (change.type) {
    case "add":
    case "delete":
      return { path, kind: { type: change.type }, diff: change.content };
    case "update":
      return { path, kind: { type: "update", move_path: change.move_path }, diff: change.unified_diff };
    default:
      return { path, kind: { type: change.type }, diff: "" };
  }
}

const LEGACY: Readonly<Record<BasicDecision, string>> = {
  accept: "approved",
  acceptForSession: "approved_for_session",
  decline: "denied",
  cancel: "abort",
};

/** Converts a decision to the words of the two v1 requests. */
export function toLegacyDecision(decision: ApprovalDecision): unknown {
  if (typeof decision === "string") return LEGACY[decision as BasicDecision];
  if ("acceptWithExecpolicyAmendment" in decision) {
    const { execpolicy_amendment } = decision.acceptWithExecpolicyAmendment;
    return { approved_execpolicy_amendment: { proposed_execpolicy_amendment: execpolicy_amendment } };
  }
  return LEGACY.decline;
}
