import type { ApprovalDecision, ApprovalRequest } from "codexwright";
import type { Style } from "../../shared/style.ts";
import { clean, visible } from "../../shared/text.ts";
import { commandLine, fileChanges, indented, scriptLines } from "../../show/item-text.ts";

/** A decision and the key that makes it. */
export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly decision: ApprovalDecision;
}

/** What is asked, as a block: the command, the diff, the host or the tool. */
export function approvalBlock(request: ApprovalRequest, folder: string, style: Style): string {
  const reason = request.reason ? `  ${style.dim(clean(request.reason))}\n` : "";
  switch (request.kind) {
    case "command": {
      // A shell within the script is a part of what it does: only the one around it is left out.
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
      return (request.changes ? fileChanges(request.changes, folder, style) : "a change of files\n") + reason;
    default: {
      const name = visible(request.toolTitle ?? request.tool ?? "a tool");
      return `${style.dim("tool")} ${style.bold(name)} ${style.dim(visible(JSON.stringify(request.arguments ?? {})))}\n  ${clean(request.message)}\n`;
    }
  }
}

const QUESTIONS: Readonly<Record<ApprovalRequest["kind"], string>> = {
  command: "Run this command?",
  network: "Let it reach this host?",
  fileChange: "Apply this change?",
  mcpTool: "Let it call this tool?",
};

export function approvalQuestion({ kind }: ApprovalRequest): string {
  return QUESTIONS[kind];
}

/** The choices in the order they are offered, each with a key of its own. */
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
  accept: { key: "y", label: "yes, this once" },
  acceptForSession: { key: "a", label: "yes, and do not ask again in this session" },
  acceptAlways: { key: "w", label: "yes, always" },
  decline: { key: "n", label: "no, go on without it" },
  cancel: { key: "c", label: "no, and stop the turn" },
} as const;

function amendmentLabel(decision: Exclude<ApprovalDecision, string>): string {
  if ("acceptWithExecpolicyAmendment" in decision) {
    const words = decision.acceptWithExecpolicyAmendment.execpolicy_amendment.join(" ");
    return `yes, and never ask again for commands that begin with \`${visible(words)}\``;
  }
  const { action, host } = decision.applyNetworkPolicyAmendment.network_policy_amendment;
  return `always ${action} ${visible(host)}`;
}
