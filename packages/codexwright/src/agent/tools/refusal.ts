import { messageOf } from "../../schema/schema.ts";
import { ToolFailure } from "./failure.ts";
import type { ToolErrorKind } from "./tool-invoked.ts";

/** A call that did not work: why, and what the model is told. */
export class Refusal extends Error {
  readonly kind: ToolErrorKind;

  constructor(kind: ToolErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** What a call ended with, as a refusal. Stacks are for logs, never for the model. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ToolFailure) return new Refusal("failure", error.message);
  return new Refusal("exception", `Error: ${messageOf(error)}`);
}
