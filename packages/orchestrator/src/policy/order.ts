import type { Issue } from "../domain/issue.ts";

/**
 * Compares two issues by the order of dispatch: priority 1 to 4 first, then the oldest, then the identifier. Other
 * priorities come after 4, and an issue without a valid `created_at` after those that have one. Ends with the id, so
 * that the order is total.
 */
export function byDispatchOrder(a: Issue, b: Issue): number {
  return (
    priorityOf(a) - priorityOf(b) ||
    createdAt(a) - createdAt(b) ||
    compareTexts(a.identifier, b.identifier) ||
    compareTexts(a.id, b.id)
  );
}

const LAST_PRIORITY = 5;

function priorityOf({ priority }: Issue): number {
  return priority !== null && Number.isInteger(priority) && priority >= 1 && priority <= 4
    ? priority
    : LAST_PRIORITY;
}

function createdAt(issue: Issue): number {
  const time = issue.created_at === null ? Number.NaN : Date.parse(issue.created_at);
  // Not Infinity: the difference of two of them is not a number.
  return Number.isNaN(time) ? Number.MAX_SAFE_INTEGER : time;
}

/** By UTF-16 units: the order must not depend on the language of the machine. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
