import type {
  ApprovalDecision,
  ApprovalRequest,
  ElicitationAnswer,
  ElicitationRequest,
  PermissionsAnswer,
  PermissionsRequest,
  UserInputAnswers,
  UserInputRequest,
} from "codexwright";
import type { ToolRequestUserInputQuestion } from "codexwright/protocol";
import { type CANCEL_SYMBOL, isCancel, password, select, selectKey, text } from "../../shared/prompts.ts";
import type { Style } from "../../shared/style.ts";
import { approvalBlock, approvalChoices, approvalQuestion } from "./approval-text.ts";
import { askForm } from "./ask-form.ts";
import type { FormField } from "./form.ts";
import { elicitationBlock, permissionsBlock } from "./question-text.ts";
import type { Screen } from "../../show/screen.ts";

/** The place to ask questions, and what Ctrl-C does there. */
export interface Asking {
  readonly screen: Screen;
  readonly style: Style;
  readonly folder: string;
  readonly interrupt: () => void;
  /** Aborts when the turn is ending: no more questions are asked. */
  readonly stopped: AbortSignal;
}

interface KeyChoice {
  readonly key: string;
  readonly label: string;
}

/** Asks the user about an approval: shows its subject, then offers a key for each decision. */
export async function askApproval(request: ApprovalRequest, asking: Asking): Promise<ApprovalDecision> {
  const block = approvalBlock(request, asking.folder, asking.style);
  const choices = approvalChoices(request);
  const chosen = await ask(block, request, asking, (signal) =>
    askKey(approvalQuestion(request), choices, signal),
  );
  return chosen?.decision ?? "cancel";
}

const GRANTS = [
  { key: "y", label: "yes, for this turn", scope: "turn" },
  { key: "a", label: "yes, for the rest of this session", scope: "session" },
  { key: "n", label: "no, continue without it", scope: undefined },
  { key: "c", label: "no, and stop the turn", scope: undefined },
] as const;

/** Asks whether to grant the agent permissions beyond its sandbox. */
export async function askPermissions(
  request: PermissionsRequest,
  asking: Asking,
): Promise<PermissionsAnswer> {
  const block = permissionsBlock(request, asking.folder, asking.style);
  const chosen = await ask(block, request, asking, async (signal) => {
    const choice = await askKey("Grant these permissions?", GRANTS, signal);
    return choice?.key === "c" ? undefined : choice;
  });
  return chosen?.scope ? { permissions: request.permissions, scope: chosen.scope } : { permissions: {} };
}

/** Shows a request of an MCP server: asks whether to answer it, then asks for each field of its form. */
export async function askElicitation(
  request: ElicitationRequest,
  fields: readonly FormField[],
  asking: Asking,
): Promise<ElicitationAnswer> {
  const isPage = request.mode === "url";
  const yes = isPage ? "yes, I will open this page" : fields.length > 0 ? "fill in the form" : "yes";
  const choices = [
    { key: "y", label: yes },
    { key: "n", label: "no, continue without it" },
    { key: "c", label: "leave it unanswered" },
  ];
  const block = elicitationBlock(request, asking.style);
  const answer = await ask(block, request, asking, async (signal): Promise<ElicitationAnswer | undefined> => {
    const chosen = await askKey("Answer it?", choices, signal);
    if (!chosen) return undefined;
    if (chosen.key !== "y") return { action: chosen.key === "n" ? "decline" : "cancel" };
    if (isPage) return { action: "accept" };
    const content = await askForm(fields, signal);
    return content && { action: "accept", content };
  });
  return answer ?? { action: "cancel" };
}

/** Asks the user the model's questions, one after the other. */
export async function askUser(request: UserInputRequest, asking: Asking): Promise<UserInputAnswers> {
  const answers: Record<string, string> = {};
  await ask("", request, asking, async (signal) => {
    for (const question of request.questions) {
      const answer = await askQuestion(question, signal);
      if (isCancel(answer)) return undefined;
      if (answer !== "") answers[question.id] = answer;
    }
    return answers;
  });
  return answers;
}

/**
 * Shows the subject and prompts for the answer, unless the answer is no longer needed. Leaving a prompt with
 * Ctrl-C stops the turn before the next prompt is shown.
 */
async function ask<T>(
  block: string,
  request: { readonly signal: AbortSignal },
  { screen, interrupt, stopped }: Asking,
  prompt: (signal: AbortSignal) => Promise<T | undefined>,
): Promise<T | undefined> {
  const signal = AbortSignal.any([request.signal, stopped]);
  const shown = block === "" ? "\n" : `\n${block}\n`;
  return await screen.ask(shown, signal, async () => {
    const answer = await prompt(signal);
    if (answer === undefined && !signal.aborted) interrupt();
    return answer;
  });
}

async function askQuestion(
  { header, question, options, isSecret, isOther }: ToolRequestUserInputQuestion,
  signal: AbortSignal,
): Promise<string | typeof CANCEL_SYMBOL> {
  const message = [header, question].filter((part) => part !== "").join(": ");
  if (isSecret) return await password({ message, signal });
  if (!options || options.length === 0) return await text({ message, signal });
  const chosen = await select({
    message,
    signal,
    options: [
      ...options.map(({ label, description }, value) => ({
        value,
        label,
        hint: description,
      })),
      ...(isOther ? [{ value: -1, label: "Something else" }] : []),
    ],
  });
  if (isCancel(chosen)) return chosen;
  return options[chosen]?.label ?? (await text({ message, signal }));
}

/** Returns the choice whose key was pressed, or `undefined` if the user left the question or it was cancelled. */
async function askKey<C extends KeyChoice>(
  message: string,
  choices: readonly C[],
  signal: AbortSignal,
): Promise<C | undefined> {
  const options = choices.map(({ key, label }) => ({ value: key, label }));
  const key = await selectKey({ message, options, signal });
  return choices.find((choice) => choice.key === key);
}
