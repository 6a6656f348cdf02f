import { type CANCEL_SYMBOL, isCancel, password, select, selectKey, text } from "@clack/prompts";
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
import type { Style } from "../shared/style.ts";
import { clean } from "../shared/text.ts";
import { approvalBlock, approvalChoices, approvalQuestion } from "./approval-text.ts";
import { askForm } from "./ask-form.ts";
import type { FormField } from "./form.ts";
import { elicitationBlock, permissionsBlock } from "./question-text.ts";
import type { Screen } from "./screen.ts";

/** Where questions are asked, and what a Ctrl-C there does. */
export interface Asking {
  readonly screen: Screen;
  readonly style: Style;
  readonly folder: string;
  readonly interrupt: () => void;
}

interface KeyChoice {
  readonly key: string;
  readonly label: string;
}

/** Asks the user about an approval: what it is about, then a key for each decision. */
export async function askApproval(request: ApprovalRequest, asking: Asking): Promise<ApprovalDecision> {
  const { screen, style, folder } = asking;
  const choices = approvalChoices(request);
  const chosen = await screen.ask(
    `\n${approvalBlock(request, folder, style)}\n`,
    async () => await askKey(approvalQuestion(request), choices, request.signal),
  );
  if (chosen) return chosen.decision;
  left(request.signal, asking);
  return "cancel";
}

const GRANTS = [
  { key: "y", label: "yes, for this turn", scope: "turn" },
  { key: "a", label: "yes, for the rest of this session", scope: "session" },
  { key: "n", label: "no, go on without it" },
  { key: "c", label: "no, and stop the turn" },
] as const;

/** Asks whether the agent may do more than its sandbox lets it. */
export async function askPermissions(
  request: PermissionsRequest,
  asking: Asking,
): Promise<PermissionsAnswer> {
  const { screen, style, folder } = asking;
  const { permissions, signal } = request;
  const chosen = await screen.ask(
    `\n${permissionsBlock(request, folder, style)}\n`,
    async () => await askKey("Allow it this?", GRANTS, signal),
  );
  if (chosen && "scope" in chosen) return { permissions, scope: chosen.scope };
  if (chosen?.key !== "n") left(signal, asking);
  return { permissions: {} };
}

/** Asks what an MCP server asks: whether to answer, then the fields of its form. */
export async function askElicitation(
  request: ElicitationRequest,
  fields: readonly FormField[],
  asking: Asking,
): Promise<ElicitationAnswer> {
  const { screen, style } = asking;
  const { signal } = request;
  const yes =
    request.mode === "url" ? "yes, I open this page" : fields.length > 0 ? "fill in the form" : "yes";
  const choices = [
    { key: "y", label: yes },
    { key: "n", label: "no, go on without it" },
    { key: "c", label: "leave it without an answer" },
  ];
  const answer = await screen.ask(
    `\n${elicitationBlock(request, style)}\n`,
    async (): Promise<ElicitationAnswer | undefined> => {
      const chosen = await askKey("Answer it?", choices, signal);
      if (chosen?.key === "n") return { action: "decline" };
      if (chosen?.key === "c") return { action: "cancel" };
      if (!chosen) return undefined;
      if (request.mode === "url") return { action: "accept" };
      const content = await askForm(fields, signal);
      return content && { action: "accept", content };
    },
  );
  if (answer) return answer;
  left(signal, asking);
  return { action: "cancel" };
}

/** Asks the user what the model asks, one question after the other. */
export async function askUser(request: UserInputRequest, asking: Asking): Promise<UserInputAnswers> {
  const { signal, questions } = request;
  const answers: Record<string, string> = {};
  const isDone = await asking.screen.ask("\n", async () => {
    for (const question of questions) {
      const answer = await askQuestion(question, signal);
      if (isCancel(answer)) return false;
      if (answer !== "") answers[question.id] = answer;
    }
    return true;
  });
  if (!isDone) left(signal, asking);
  return answers;
}

async function askQuestion(
  { header, question, options, isSecret, isOther }: ToolRequestUserInputQuestion,
  signal: AbortSignal,
): Promise<string | typeof CANCEL_SYMBOL> {
  const message = clean([header, question].filter((part) => part !== "").join(": "));
  if (isSecret) return (await password({ message, signal })) ?? "";
  if (!options || options.length === 0) return (await text({ message, signal })) ?? "";
  const chosen = await select({
    message,
    signal,
    options: [
      ...options.map(({ label, description }, value) => ({
        value,
        label: clean(label),
        hint: clean(description),
      })),
      ...(isOther ? [{ value: -1, label: "Something else" }] : []),
    ],
  });
  if (isCancel(chosen)) return chosen;
  return options[chosen]?.label ?? (await text({ message, signal })) ?? "";
}

/** The choice whose key was pressed; `undefined` where the question was left or taken back. */
async function askKey<C extends KeyChoice>(
  message: string,
  choices: readonly C[],
  signal: AbortSignal,
): Promise<C | undefined> {
  if (signal.aborted) return undefined;
  const options = choices.map(({ key, label }) => ({ value: key, label }));
  const key = await selectKey({ message, options, signal });
  return choices.find((choice) => choice.key === key);
}

/** Ctrl-C, unless the question was taken back. */
function left(signal: AbortSignal, { interrupt }: Asking): void {
  if (!signal.aborted) interrupt();
}
