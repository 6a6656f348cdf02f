import { CodexError } from "../rpc/errors.ts";
import type { SchemaIssue } from "./schema.ts";

/** The model's final answer does not match the `output` schema, even after the allowed repairs. */
export class OutputInvalidError extends CodexError {
  readonly code = "output_invalid";
  /** The model's answer, unchanged. */
  readonly raw: string;
  readonly issues: readonly SchemaIssue[];

  constructor(raw: string, issues: readonly SchemaIssue[]) {
    super(`the answer does not match the output schema: ${issueText(issues)}`);
    this.raw = raw;
    this.issues = issues;
  }
}

/** The maximum number of issues in the message. `issues` has all of them. */
const MOST_ISSUES = 5;
/** The maximum length of one issue in the message, because some validators quote the rejected value. */
const LONGEST_ISSUE = 200;

function issueText(issues: readonly SchemaIssue[]): string {
  if (issues.length === 0) return "no reason given";
  const named = issues.slice(0, MOST_ISSUES).map(({ path, message }) => {
    const line = (path === "" ? message : `${path}: ${message}`).replaceAll(/\s+/g, " ");
    return line.length > LONGEST_ISSUE ? `${line.slice(0, LONGEST_ISSUE - 1)}…` : line;
  });
  const more = issues.length - named.length;
  return `${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}
