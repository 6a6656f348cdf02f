import { messageOf } from "../../schema/schema.ts";
import { ToolFailure } from "./failure.ts";
import type { ToolErrorKind } from "./tool-invoked.ts";

/** A failed call, with its kind and a message for the model. */
export class Refusal extends Error {
  readonly kind: ToolErrorKind;

  constructor(kind: ToolErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Converts an error of a call. The model never sees stack traces. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ToolFailure) return new Refusal("failure", error.message);
  return new Refusal("exception", `Error: ${messageOf(error)}`);
}
