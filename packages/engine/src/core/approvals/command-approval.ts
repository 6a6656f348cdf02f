import type { ClientConnection } from "codexwright/endpoint";
import type { CommandExecutionApprovalDecision, ThreadItem } from "codexwright/protocol";
import { ask } from "./ask.ts";
import { autoReview, isAutoReviewed } from "./auto-review.ts";
import { amendmentOf, argvOf } from "../shell-words.ts";
import type { TurnRun } from "../turn/turn-run.ts";

export type CommandItem = Extract<ThreadItem, { type: "commandExecution" }>;

/** The decision on a command. */
export interface Verdict {
  /** Whether the item has already started. */
  readonly shown: boolean;
  /** Why the command does not run. */
  readonly refusal?: string;
  readonly cancelled?: boolean | undefined;
}

interface Question {
  readonly command: string;
  readonly item: CommandItem;
  readonly escalated: boolean;
  readonly reason: string | undefined;
}

/**
 * Asks the user or the reviewer to approve a command, if the policy requires it. In dialects that show a command before
 * the question, starts the command's item first.
 */
export async function askForCommand(run: TurnRun, question: Question): Promise<Verdict> {
  const { command, item, escalated, reason } = question;
  const { thread } = run;
  if (!needed(run, escalated) || thread.allowed.has(keyOf(item))) return { shown: false };
  const amendment = amendmentOf(command);
  if (thread.allowed.has(JSON.stringify(amendment))) return { shown: false };
  if (isAutoReviewed(run)) return await reviewedByModel(run, question);
  const release = thread.wait("waitingOnApproval");
  if (thread.host.dialect.showsWhatItAsksFor) run.items.start(item);
  await run.breathe();
  // A client that subscribes while the approval is open may answer it. But that client is not notified of the item's
  // completion, because it missed the item's start.
  const audience = thread.channel.subscribers;
  const answer = await ask(run, "item/commandExecution/requestApproval", {
    kind: "command",
    threadId: thread.id,
    turnId: run.id,
    itemId: item.id,
    startedAtMs: run.items.startedAtMs(item.id) ?? Date.now(),
    environmentId: "local",
    ...(reason === undefined ? {} : { reason }),
    command: item.command,
    cwd: item.cwd,
    commandActions: item.commandActions,
    proposedExecpolicyAmendment: amendment,
    availableDecisions: [
      "accept",
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } },
      "cancel",
    ],
  });
  return settled(run, { ...question, audience }, answer?.decision, release);
}

async function reviewedByModel(
  run: TurnRun,
  { command, item, reason, escalated }: Question,
): Promise<Verdict> {
  const shown = { ...item, commandActions: [{ type: "unknown" as const, command: item.command }] };
  run.items.start(shown);
  const refusal = await autoReview(run, {
    itemId: item.id,
    action: { type: "command", source: "unifiedExec", command: item.command, cwd: item.cwd },
    planned: {
      command: argvOf(command),
      cwd: item.cwd,
      environment_id: "local",
      ...(reason === undefined ? {} : { justification: reason }),
      sandbox_permissions: escalated ? "require_escalated" : "use_default",
      tool: "exec_command",
      tty: false,
    },
  });
  if (refusal === undefined) return { shown: true };
  run.items.complete({ ...shown, status: "declined" });
  return { shown: true, refusal };
}

function settled(
  run: TurnRun,
  { item, command, audience }: Question & { readonly audience: readonly ClientConnection[] },
  decision: CommandExecutionApprovalDecision | undefined,
  release: () => void,
): Verdict {
  const { thread } = run;
  const accepted = (): Verdict => {
    release();
    return { shown: thread.host.dialect.showsWhatItAsksFor };
  };
  if (decision === "accept") return accepted();
  if (decision === "acceptForSession") {
    thread.allowed.add(keyOf(item));
    return accepted();
  }
  if (typeof decision === "object" && decision !== null && "acceptWithExecpolicyAmendment" in decision) {
    thread.allowed.add(JSON.stringify(amendmentOf(command)));
    return accepted();
  }
  const refused = decision === "decline" || decision === "cancel";
  run.items.complete({ ...item, status: refused ? "declined" : "failed" }, { audience });
  release();
  return {
    shown: true,
    refusal: refused ? "rejected by user" : "approval request failed",
    cancelled: decision === "cancel",
  };
}

function needed(run: TurnRun, escalated: boolean): boolean {
  const { approvalPolicy, sandbox } = run.thread.settings;
  if (approvalPolicy === "never") return false;
  if (approvalPolicy === "untrusted") return true;
  return escalated && sandbox.type !== "dangerFullAccess";
}

function keyOf({ command, cwd }: CommandItem): string {
  return `${cwd}\0${command}`;
}
