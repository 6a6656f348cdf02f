import { isCancel, password, select, selectKey, text } from "@clack/prompts";
import type { ApprovalDecision, ApprovalRequest, UserInputAnswers, UserInputRequest } from "codexwright";
import type { Style } from "../shared/style.ts";
import { clean } from "../shared/text.ts";
import { approvalBlock, approvalChoices, approvalQuestion } from "./approval-text.ts";
import type { Screen } from "./screen.ts";

/** Where questions are asked, and what a Ctrl-C there does. */
export interface Asking {
  readonly screen: Screen;
  readonly style: Style;
  readonly folder: string;
  readonly interrupt: () => void;
}

/** Asks the user about an approval: what it is about, then a key for each decision. */
export async function askApproval(request: ApprovalRequest, asking: Asking): Promise<ApprovalDecision> {
  const { screen, style, folder } = asking;
  const { signal } = request;
  const choices = approvalChoices(request);
  const key = await screen.ask(`\n${approvalBlock(request, folder, style)}\n`, async () =>
    signal.aborted
      ? undefined
      : await selectKey({
          message: approvalQuestion(request),
          options: choices.map((choice) => ({ value: choice.key, label: choice.label })),
          signal,
        }),
  );
  const chosen = choices.find((choice) => choice.key === key);
  if (chosen) return chosen.decision;
  // Ctrl-C, unless the question was taken back.
  if (!signal.aborted) asking.interrupt();
  return "cancel";
}

/** Asks the user what the model asks. */
export async function askUser(request: UserInputRequest, asking: Asking): Promise<UserInputAnswers> {
  const { signal } = request;
  const answers: Record<string, string> = {};
  for (const { id, question, options, isSecret, isOther } of request.questions) {
    const answer = await asking.screen.ask("\n", async () => {
      const message = clean(question);
      if (isSecret) return await password({ message, signal });
      if (!options || options.length === 0) return await text({ message, signal });
      const chosen = await select({
        message,
        signal,
        options: [
          ...options.map(({ label, description }) => ({
            value: label,
            label: clean(label),
            hint: clean(description),
          })),
          ...(isOther ? [{ value: "", label: "Something else" }] : []),
        ],
      });
      return chosen === "" ? await text({ message, signal }) : chosen;
    });
    if (isCancel(answer)) {
      if (!signal.aborted) asking.interrupt();
      return answers;
    }
    answers[id] = answer;
  }
  return answers;
}
