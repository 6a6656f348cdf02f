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
  return `${previousText(claim)}\nThe issue ${identifier} is in the state "${state}". Continue with it.`;
}

const INCOMPLETE = "Its last turn may be incomplete: look at the files before you repeat a step.";

/** How the last session ended. Turns are never repeated without a word about it. */
function previousText({ retryKind, lastError }: ClaimFacts): string {
  const error = lastError === null ? "" : `: ${withoutStop(lastError)}`;
  switch (retryKind) {
    case "failure":
    case "lost":
      return `The previous session ended early${error}. ${INCOMPLETE}`;
    case "moved":
      return `The previous session ran on another host${error}. Its files are not in this folder. ${INCOMPLETE}`;
    case "continuation":
      return lastError === null
        ? "The previous session ended normally."
        : `The previous session may have ended early${error}. ${INCOMPLETE}`;
    default:
      return `An earlier session worked on this issue. ${INCOMPLETE}`;
  }
}

/** The part of the first input that has the answer to the model's question. */
export function answerText({ question, answer }: Answered): string {
  const text = "text" in answer ? answer.text : JSON.stringify(answer.json);
  return `A person has answered your question (${question.text}):\n${text}`;
}

/**
 * Added to the prompt of a new thread if earlier sessions worked on the issue. Says whether their files are here.
 * Empty if there was none.
 */
export function earlierText(claim: ClaimFacts, isKept: boolean): string {
  const error = claim.lastError === null ? "" : ` It ended with: ${withoutStop(claim.lastError)}.`;
  if (isKept) {
    return `An earlier session worked on this issue in this folder, and its files were kept.${error} Its conversation was not kept: look at the files before you start.`;
  }
  if (claim.retryKind !== "moved" && claim.spent.totalTokens === 0) return "";
  return `An earlier session worked on this issue.${error} Its files and its conversation are not here: look at what it has published, such as comments and branches, before you start.`;
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}
