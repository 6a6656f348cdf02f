import type { ApprovalDecision, ApprovalRequest } from "codexwright";
import type { Style } from "../../shared/style.ts";
import { clean, visible } from "../../shared/text.ts";
import { commandLine, fileChanges, indented, scriptLines } from "../../show/item-text.ts";

/** A decision and its key. */
export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly decision: ApprovalDecision;
}

/** Shows the subject of an approval as a block: the command, the diff, the host or the tool. */
export function approvalBlock(request: ApprovalRequest, folder: string, style: Style): string {
  const reason = request.reason ? `  ${style.dim(clean(request.reason))}\n` : "";
  switch (request.kind) {
    case "command": {
      // Only the outer shell is left out. A shell inside the script is part of what the script does.
      const line =
        request.script === undefined
          ? commandLine(request.command ?? "", style)
          : scriptLines(request.script, style);
      const where = request.cwd !== undefined && request.cwd !== folder ? `in ${visible(request.cwd)}` : "";
      return line + indented(where === "" ? [] : [style.dim(where)]) + reason;
    }
    case "network":
      return `${style.dim("network")} ${style.bold(visible(`${request.protocol} ${request.host}`))}\n${reason}`;
    case "fileChange":
      return (request.changes ? fileChanges(request.changes, folder, style) : "a file change\n") + reason;
    default: {
      const name = visible(request.toolTitle ?? request.tool ?? "a tool");
      return `${style.dim("tool")} ${style.bold(name)} ${style.dim(visible(JSON.stringify(request.arguments ?? {})))}\n  ${clean(request.message)}\n`;
    }
  }
}

const QUESTIONS: Readonly<Record<ApprovalRequest["kind"], string>> = {
  command: "Run this command?",
  network: "Allow access to this host?",
  fileChange: "Apply this change?",
  mcpTool: "Allow this tool call?",
};

export function approvalQuestion({ kind }: ApprovalRequest): string {
  return QUESTIONS[kind];
}

/** The choices in the order in which they are offered, each with its own key. */
export function approvalChoices(request: ApprovalRequest): readonly Choice[] {
  const choices: Choice[] = [];
  let amendments = 0;
  for (const decision of request.available as readonly ApprovalDecision[]) {
    if (typeof decision === "string") {
      const { key, label } = BASIC[decision];
      choices.push({ key, label, decision });
      continue;
    }
    amendments++;
    choices.push({
      key: amendments === 1 ? "p" : String(amendments),
      label: amendmentLabel(decision),
      decision,
    });
  }
  for (const decision of ["accept", "decline", "cancel"] as const) {
    if (!choices.some((choice) => choice.decision === decision))
      choices.push({ ...BASIC[decision], decision });
  }
  return choices;
}

const BASIC = {
  accept: { key: "y", label: "yes, this time" },
  acceptForSession: { key: "a", label: "yes, and do not ask again in this session" },
  acceptAlways: { key: "w", label: "yes, always" },
  decline: { key: "n", label: "no, continue without it" },
  cancel: { key: "c", label: "no, and stop the turn" },
} as const;

function amendmentLabel(decision: Exclude<ApprovalDecision, string>): string {
  if ("acceptWithExecpolicyAmendment" in decision) {
    const words = decision.acceptWithExecpolicyAmendment.execpolicy_amendment.join(" ");
    return `yes, and never ask again for commands that start with \`${visible(words)}\``;
  }
  const { action, host } = decision.applyNetworkPolicyAmendment.network_policy_amendment;
  return `always ${action} ${visible(host)}`;
}
