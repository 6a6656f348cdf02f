import type { ClientConnection } from "codexwright/endpoint";
import type { CommandExecutionApprovalDecision, ThreadItem } from "codexwright/protocol";
import { amendmentFor, isBounded } from "./amendment.ts";
import { ask } from "./ask.ts";
import { autoReview, isAutoReviewed } from "./auto-review.ts";
import { decideCommand } from "./decide.ts";
import { normal } from "../confinement/paths.ts";
import { realPath } from "../confinement/pin-policy.ts";
import { isForcedRemoval } from "./forced-removal.ts";
import type { RuleJudgement, SandboxStatus } from "../ports.ts";
import { isShellOwn } from "../shell-builtins.ts";
import { argvOf, simpleCommands } from "../shell-words.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import { policyOf } from "../threads/thread-policy.ts";
import type { TurnRun } from "../turn/turn-run.ts";

export type CommandItem = Extract<ThreadItem, { type: "commandExecution" }>;

/** The decision on a command. */
export interface Verdict {
  /** Whether the item has already started. */
  readonly shown: boolean;
  /** Whether an allowed command runs in the sandbox that the policy wants. If false, it runs outside. */
  readonly confined: boolean;
  /** The folder without links that the decision is about. Outside of the sandbox, the command runs there or not at all. */
  readonly folder: string;
  /** Why the command does not run. */
  readonly refusal?: string;
  readonly cancelled?: boolean | undefined;
}

interface Question {
  readonly command: string;
  /** The program and arguments that run the command; default: the default shell. */
  readonly argv?: readonly string[];
  readonly item: CommandItem;
  readonly escalated: boolean;
  readonly reason: string | undefined;
  /** The words of the rule that the model proposes. */
  readonly prefix?: readonly string[] | undefined;
}

/**
 * Decides whether a command runs, and asks the user or the reviewer if the policy requires it. In dialects that show a
 * command before the question, starts the command's item first.
 */
export async function askForCommand(run: TurnRun, question: Question): Promise<Verdict> {
  const { item, escalated, command } = question;
  const { thread } = run;
  const argv = question.argv ?? argvOf(command);
  let folder: string;
  try {
    folder = realPath(normal(item.cwd), thread.host.files);
  } catch (error) {
    return { shown: false, confined: true, folder: item.cwd, refusal: (error as Error).message };
  }
  const judgement = await judge(run, argv, item.cwd);
  const decision = decideCommand({
    policy: thread.settings.approvalPolicy,
    sandbox: thread.settings.sandbox,
    status: await sandboxStatus(thread),
    escalated,
    rule: thread.rules.verdictOn(argv, judgement),
    forced: judgement.commands.some(({ words }) => isForcedRemoval(words)),
    granted: (confined) => thread.rules.accepts(keyOf(argv, folder, confined)),
  });
  if (decision.act === "run") return { shown: false, confined: decision.confined, folder };
  if (decision.act === "refuse") return { shown: false, confined: true, folder, refusal: decision.text };
  const amendment = decision.amendable ? amendmentFor(judgement, question.prefix) : undefined;
  const led = folder === item.cwd ? undefined : `Through links: ${item.cwd} leads to ${folder}`;
  const reason = [question.reason, decision.why, led].filter((text) => text !== undefined).join("\n");
  const asked: Asked = {
    ...question,
    argv,
    folder,
    amendment,
    confined: decision.confined,
    reason: reason === "" ? undefined : reason,
  };
  return isAutoReviewed(run) ? await reviewedByModel(run, asked) : await askUser(run, asked);
}

interface Asked extends Question {
  readonly argv: readonly string[];
  readonly folder: string;
  readonly confined: boolean;
  readonly amendment: string[] | undefined;
}

async function askUser(run: TurnRun, asked: Asked): Promise<Verdict> {
  const { item, reason, amendment } = asked;
  const { thread } = run;
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
    ...(amendment === undefined ? {} : { proposedExecpolicyAmendment: amendment }),
    availableDecisions: [
      "accept",
      ...(amendment === undefined
        ? []
        : [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } }]),
      "cancel",
    ],
  });
  return await settled(run, { ...asked, audience }, answer?.decision, release);
}

/** Finds the commands of a script. Without the rules port, only plain words are understood. */
async function judge(run: TurnRun, argv: readonly string[], cwd: string): Promise<RuleJudgement> {
  const { thread } = run;
  const { rules } = thread.host;
  if (!rules) {
    const commands = simpleCommands(argv.at(-1) ?? "");
    return {
      plain: commands?.every(([name = ""]) => !isShellOwn(name) && !name.includes("=")) ?? false,
      commands: (commands ?? []).map((words) => ({ words })),
      problems: [],
    };
  }
  const judgement = await rules.judge({ argv, cwd, folders: thread.config.folders });
  for (const message of thread.rules.news(judgement.problems)) {
    thread.notify("warning", { threadId: thread.id, message });
  }
  return judgement;
}

/** Asks the sandbox only if the policy wants one, because finding out can start a program. */
async function sandboxStatus(thread: LoadedThread): Promise<SandboxStatus | undefined> {
  const policy = policyOf(thread);
  return policy && (await thread.host.sandbox?.status(policy));
}

async function reviewedByModel(
  run: TurnRun,
  { argv, folder, item, reason, escalated, confined }: Asked,
): Promise<Verdict> {
  const shown = { ...item, commandActions: [{ type: "unknown" as const, command: item.command }] };
  run.items.start(shown);
  const refusal = await autoReview(run, {
    itemId: item.id,
    action: { type: "command", source: "unifiedExec", command: item.command, cwd: item.cwd },
    planned: {
      command: [...argv],
      cwd: folder,
      environment_id: "local",
      ...(reason === undefined ? {} : { justification: reason }),
      sandbox_permissions: escalated ? "require_escalated" : "use_default",
      tool: "exec_command",
      tty: false,
    },
  });
  if (refusal === undefined) return { shown: true, confined, folder };
  run.items.complete({ ...shown, status: "declined" });
  return { shown: true, confined, folder, refusal };
}

async function settled(
  run: TurnRun,
  asked: Asked & { readonly audience: readonly ClientConnection[] },
  decision: CommandExecutionApprovalDecision | undefined,
  release: () => void,
): Promise<Verdict> {
  const { item, audience, argv, folder, confined } = asked;
  const { thread } = run;
  const accepted = (): Verdict => {
    release();
    return { shown: thread.host.dialect.showsWhatItAsksFor, confined, folder };
  };
  if (decision === "accept") return accepted();
  if (decision === "acceptForSession") {
    thread.rules.accept(keyOf(argv, folder, confined));
    return accepted();
  }
  if (acceptsHost(decision)) return accepted();
  const words = amendmentIn(decision);
  if (words !== undefined) {
    thread.rules.allow(words);
    await store(run, words);
    return accepted();
  }
  const refused = decision === "decline" || decision === "cancel";
  run.items.complete({ ...item, status: refused ? "declined" : "failed" }, { audience });
  release();
  return {
    shown: true,
    confined,
    folder,
    refusal: refused ? "rejected by user" : "approval request failed",
    cancelled: decision === "cancel",
  };
}

/**
 * Whether the user allows a host. Without a proxy there is no list of hosts, so this accepts the command once, as Codex
 * does.
 */
function acceptsHost(decision: CommandExecutionApprovalDecision | undefined): boolean {
  if (typeof decision !== "object" || decision === null) return false;
  if (!("applyNetworkPolicyAmendment" in decision)) return false;
  return decision.applyNetworkPolicyAmendment?.network_policy_amendment?.action === "allow";
}

/** The words of the rule that the user accepts. The client may have changed the words that were proposed. */
function amendmentIn(decision: CommandExecutionApprovalDecision | undefined): string[] | undefined {
  if (typeof decision !== "object" || decision === null) return undefined;
  if (!("acceptWithExecpolicyAmendment" in decision)) return undefined;
  const words: unknown = decision.acceptWithExecpolicyAmendment?.execpolicy_amendment;
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) return undefined;
  return isBounded(words) ? words : undefined;
}

/** Stores a new rule. If that fails, the rule still holds for the session. */
async function store(run: TurnRun, words: readonly string[]): Promise<void> {
  const { thread } = run;
  try {
    await thread.host.rules?.allow(words);
  } catch (error) {
    const message = `The new rule is valid for this session only: ${(error as Error).message}`;
    thread.notify("warning", { threadId: thread.id, message });
  }
}

function keyOf(argv: readonly string[], folder: string, confined: boolean): string {
  return JSON.stringify(["command", argv, folder, confined]);
}
