import { createHash } from "node:crypto";
import { normalized, type Issue } from "../../domain/issue.ts";
import type { JsonObject } from "../../domain/json.ts";
import { bounded, optionalBounded } from "./values.ts";

/** The most that is stored of each part of an issue. The worker reads the whole issue from the tracker. */
const LIMITS = { description: 16_384, line: 1024, items: 100, nativeRef: 16_384 } as const;

/** An issue as it is stored. */
export interface StoredIssue {
  readonly json: string;
  /** Normalized, for the limits by state. */
  readonly state: string;
  /** Changes if the issue changes in a way that frees a blocked claim. Made from the whole texts. */
  readonly fingerprint: string;
}

export function storedIssue(issue: Issue): StoredIssue {
  const parts = [issue.updated_at, issue.state, issue.labels.toSorted(), issue.title, issue.description];
  return {
    json: JSON.stringify(boundedIssue(issue)),
    state: bounded(normalized(issue.state), LIMITS.line),
    fingerprint: createHash("sha256").update(JSON.stringify(parts)).digest("hex"),
  };
}

/** An issue whose parts are not longer than the limits. The id stays whole: the tracker needs it. */
export function boundedIssue(issue: Issue): Issue {
  return {
    ...issue,
    title: bounded(issue.title, LIMITS.line),
    description: optionalBounded(issue.description, LIMITS.description),
    state: bounded(issue.state, LIMITS.line),
    branch_name: optionalBounded(issue.branch_name, LIMITS.line),
    url: optionalBounded(issue.url, LIMITS.line),
    assignee_id: optionalBounded(issue.assignee_id, LIMITS.line),
    labels: issue.labels.slice(0, LIMITS.items).map((label) => bounded(label, LIMITS.line)),
    blocked_by: issue.blocked_by.slice(0, LIMITS.items).map(({ id, identifier, state }) => ({
      id: optionalBounded(id, LIMITS.line),
      identifier: optionalBounded(identifier, LIMITS.line),
      state: optionalBounded(state, LIMITS.line),
    })),
    native_ref: boundedRef(issue.native_ref),
  };
}

/** A reference that is too long is left out: half of it would have another meaning. */
function boundedRef(ref: JsonObject | null): JsonObject | null {
  return ref !== null && JSON.stringify(ref).length > LIMITS.nativeRef ? null : ref;
}
