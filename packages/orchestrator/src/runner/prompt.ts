import type { ClaimFacts } from "../domain/claim.ts";
import type { Issue } from "../domain/issue.ts";
import type { Answered } from "../domain/orders.ts";

/** The input of the turns after the first one on a thread. The thread has the prompt already. */
export function continuation({ identifier, state }: Issue, turn: number, most: number): string {
  return [
    `The issue ${identifier} is still in the state "${state}". Continue with it: do the next step that is missing.`,
    "If the work is done, move the issue to the next state with the tools that the instructions name.",
    `This is turn ${turn} of at most ${most} in this session.`,
  ].join("\n");
}

/** The first input of a run that goes on with the thread of an earlier run. */
export function resumption(claim: ClaimFacts): string {
  const { identifier, state } = claim.issue;
  const why =
    claim.retryKind === "failure" || claim.retryKind === "lost"
      ? `The previous session ended early${claim.lastError === null ? "" : `: ${claim.lastError}`}. Its last turn may be incomplete: look at the files before you repeat a step.`
      : "The previous session ended normally.";
  return `${why}\nThe issue ${identifier} is in the state "${state}". Continue with it.`;
}

/** The part of the first input that has the answer to the model's question. */
export function answerText({ question, answer }: Answered): string {
  const text = "text" in answer ? answer.text : JSON.stringify(answer.json);
  return `A person has answered your question (${question.text}):\n${text}`;
}

/** Added to the prompt of a new thread in a workspace that has the work of an earlier one. */
export function keptText(claim: ClaimFacts): string {
  const error = claim.lastError === null ? "" : ` It ended with: ${claim.lastError}.`;
  return `An earlier session worked on this issue in this folder, and its files were kept.${error} Its conversation was not kept: look at the files before you start.`;
}
