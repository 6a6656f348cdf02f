import type { Question } from "../domain/claim.ts";

/** The reason of a run that ended because its agent asked a question that needs a person. */
export class Asked extends Error {
  readonly question: Question;

  constructor(question: Question) {
    super(`the agent asks: ${question.text}`);
    this.question = question;
  }
}
