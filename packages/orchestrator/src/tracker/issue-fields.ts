import { type Issue, normalized } from "../domain/issue.ts";

/** The optional fields of an issue for a provider that has none of them. */
export const NO_FIELDS: Omit<Issue, "id" | "identifier" | "title" | "state" | "dispatchable"> = {
  native_ref: null,
  description: null,
  priority: null,
  branch_name: null,
  url: null,
  assignee_id: null,
  labels: [],
  blocked_by: [],
  created_at: null,
  updated_at: null,
};

/** Returns labels in the form in which they are compared, without blanks and duplicates. Drops what is not a text. */
export function labelsOf(values: readonly unknown[]): readonly string[] {
  const texts = values.filter((each) => typeof each === "string").map((each) => normalized(each));
  return [...new Set(texts)].filter((each) => each !== "");
}

const TIME = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2}))?$/;

/** Returns an RFC 3339 time as ISO 8601 in UTC. A date is its midnight in UTC. Anything else is null. */
export function timeOf(value: unknown): string | null {
  if (typeof value !== "string" || !TIME.test(value.trim())) return null;
  const time = new Date(value.trim().toUpperCase().replace(" ", "T"));
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Returns a whole number, or null. */
export function priorityOf(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null;
}

/** Returns the trimmed text, or null if it is blank or not a text. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}
