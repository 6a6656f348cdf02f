import type { ToolRequestUserInputQuestion, ToolRequestUserInputResponse } from "../../protocol/index.ts";
import type { UserInputRequest } from "./options.ts";
import { isTexts } from "../connection/wire.ts";

/** The answer that the model receives if `onUserInput` is "decline". */
const NOBODY = "This is a non-interactive session. Operator input is unavailable.";

export type WireAnswers = ToolRequestUserInputResponse["answers"];

/** Answers each question with the text for unavailable users. */
export function declinedAnswers(questions: readonly ToolRequestUserInputQuestion[]): WireAnswers {
  return Object.fromEntries(questions.map(({ id }) => [id, { answers: [NOBODY] }]));
}

/**
 * Converts a handler's answers to their wire form. Returns `undefined` if they are invalid.
 *
 * @param complain called with ids that belong to no question; never called with the answers, which may be secret
 */
export function toWireAnswers(
  request: UserInputRequest,
  value: unknown,
  complain: (message: string) => void,
): WireAnswers | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const asked = new Set(request.questions.map(({ id }) => id));
  const answers: WireAnswers = {};
  for (const [id, answer] of Object.entries(value as Record<string, unknown>)) {
    if (answer === undefined) continue;
    if (!asked.has(id)) {
      complain(`onUserInput answered "${id}", which was not asked: dropped`);
    } else if (typeof answer === "string") {
      answers[id] = { answers: [answer] };
    } else if (isTexts(answer)) {
      answers[id] = { answers: [...answer] };
    } else {
      return undefined;
    }
  }
  return answers;
}
