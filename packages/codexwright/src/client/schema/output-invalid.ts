import { CodexError } from "../../rpc/errors.ts";
import type { SchemaIssue } from "./schema.ts";

/** The model's final answer is not what the `output` schema asks for, also after the allowed repairs. */
export class OutputInvalidError extends CodexError {
  readonly code = "output_invalid";
  /** The answer as the model gave it. */
  readonly raw: string;
  readonly issues: readonly SchemaIssue[];

  constructor(raw: string, issues: readonly SchemaIssue[]) {
    const [first] = issues;
    const where = first && first.path !== "" ? ` at ${first.path}` : "";
    const more = issues.length > 1 ? ` and ${issues.length - 1} more` : "";
    super(
      `the answer does not match the output schema: ${issues.length === 0 ? "no reason given" : `an issue${where}${more}`} (see issues and raw)`,
    );
    this.raw = raw;
    this.issues = issues;
  }
}
