import type { AskForApproval, SandboxPolicy } from "codexwright/protocol";
import type { RuleVerdict, SandboxStatus } from "../ports.ts";

/** A command that the model wants to run, and everything that the decision on it depends on. */
export interface CommandCase {
  readonly policy: AskForApproval;
  readonly sandbox: SandboxPolicy;
  /** Whether commands can be confined; `undefined` if the engine has no sandbox port. */
  readonly status: SandboxStatus | undefined;
  /** Whether the model asks to run the command outside of the sandbox. */
  readonly escalated: boolean;
  /** The strictest rule that matches a command of the script, if rules match all or forbid some. */
  readonly rule: RuleVerdict | undefined;
  /** Whether the script contains an `rm` that deletes without asking. */
  readonly forced: boolean;
  /** Whether the user has accepted this command for the session, to run confined or outside. */
  readonly granted: (confined: boolean) => boolean;
}

/** A command that may run does so in the sandbox (`confined`) or outside of it. */
export type CommandDecision =
  | { readonly act: "run"; readonly confined: boolean }
  | {
      readonly act: "ask";
      /** How the command runs if the user accepts. */
      readonly confined: boolean;
      /** Why the user is asked, unless it is because of what the model wants. */
      readonly why: string | undefined;
      /** Whether a new rule could answer this question the next time. */
      readonly amendable: boolean;
    }
  | { readonly act: "refuse"; readonly text: string };

/** The text for a command that is not confined because nothing can confine it. */
function unconfined(why: string): string {
  return `No sandbox is ready on this machine (${why}). If you accept, the command runs without a sandbox.`;
}

/** Decides whether a command runs. Depends on nothing but the case. */
export function decideCommand(command: CommandCase): CommandDecision {
  const { policy, sandbox, status, escalated, rule, forced } = command;
  if (escalated && policy === "never" && wantsSandbox(sandbox)) {
    return refuse(
      "the approval policy is Never: a command cannot ask to leave the sandbox. Run it without escalation.",
    );
  }
  if (rule?.decision === "forbidden") return refuse(forbidden(rule));
  if (rule?.decision === "allow") return { act: "run", confined: false };
  const missing = wantsSandbox(sandbox) && status?.ready === false ? status.why : undefined;
  const confined = !escalated && wantsSandbox(sandbox) && missing === undefined;
  const prompted = rule?.decision === "prompt";
  const leaves = escalated && wantsSandbox(sandbox);
  if (!prompted && !forced && policy !== "untrusted" && !leaves && missing === undefined) {
    return { act: "run", confined };
  }
  const never = cannotAsk(policy, { prompted, forced, leaves, missing });
  if (never !== undefined) return refuse(never);
  if (command.granted(confined)) return { act: "run", confined };
  const why = [
    ...(prompted ? [`a rule requires approval${because(rule)}`] : []),
    ...(missing === undefined ? [] : [unconfined(missing)]),
  ];
  return {
    act: "ask",
    confined,
    why: why.length === 0 ? undefined : why.join(". "),
    amendable: !prompted,
  };
}

/** Whether the policy confines commands. Unknown policies do. */
export function wantsSandbox(sandbox: SandboxPolicy): boolean {
  return sandbox.type !== "dangerFullAccess" && sandbox.type !== "externalSandbox";
}

/** Returns the refusal if the policy does not let the user be asked. */
function cannotAsk(
  policy: AskForApproval,
  cause: {
    readonly prompted: boolean;
    readonly forced: boolean;
    readonly leaves: boolean;
    readonly missing: string | undefined;
  },
): string | undefined {
  const why =
    cause.missing === undefined
      ? cause.prompted
        ? "a rule requires approval"
        : cause.forced
          ? "a forced `rm` requires approval"
          : "leaving the sandbox requires approval"
      : `no sandbox is ready (${cause.missing})`;
  if (policy === "never") return `${why}, and the approval policy is Never`;
  if (typeof policy !== "object") return undefined;
  const { sandbox_approval: sandbox, rules } = policy.granular;
  if (cause.prompted && !rules) return `${why}, and the approval policy switches questions about rules off`;
  // A question about a rule can also be one about the sandbox.
  if ((!cause.prompted || cause.leaves || cause.missing !== undefined) && !sandbox)
    return `${why}, and the approval policy switches questions about the sandbox off`;
  return undefined;
}

function forbidden({ justification, words }: RuleVerdict): string {
  if (justification !== undefined) return `a rule forbids this command: ${justification}`;
  if (words === undefined) return "a rule forbids this command";
  return `a rule forbids commands that start with \`${words.join(" ")}\``;
}

function because({ justification }: RuleVerdict): string {
  return justification === undefined ? "" : `: ${justification}`;
}

function refuse(text: string): CommandDecision {
  return { act: "refuse", text };
}
