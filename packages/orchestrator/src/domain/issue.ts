import type { JsonObject } from "./json.ts";

/** An issue that blocks another one, as far as the tracker knows it. */
export interface BlockerRef {
  readonly id: string | null;
  readonly identifier: string | null;
  readonly state: string | null;
}

/**
 * A normalized issue. The names are those of SPEC.md, because prompt templates use them. Every field is present;
 * times are ISO 8601 texts.
 */
export interface Issue {
  /** The identity in the tracker's scope. Opaque: only the adapter knows how it is made. */
  readonly id: string;
  /** Identifiers of the provider for its tools. The core never reads them. */
  readonly native_ref: JsonObject | null;
  /** The key that people use, such as `ABC-123`. Unique in the scope. */
  readonly identifier: string;
  readonly title: string;
  readonly description: string | null;
  readonly priority: number | null;
  /** The state as the provider spells it. Compare states without case. */
  readonly state: string;
  readonly branch_name: string | null;
  readonly url: string | null;
  readonly assignee_id: string | null;
  /** Trimmed, lower case, without blanks and duplicates. */
  readonly labels: readonly string[];
  readonly blocked_by: readonly BlockerRef[];
  /** Whether the provider's own rules allow a run. */
  readonly dispatchable: boolean;
  readonly created_at: string | null;
  readonly updated_at: string | null;
}

/** The form in which states and labels are compared. */
export function normalized(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether a list of states has this state, ignoring case and white space around it. */
export function hasState(states: readonly string[], state: string): boolean {
  return states.some((each) => normalized(each) === normalized(state));
}

/** Whether an issue has changed in the tracker in a way that can matter to a run. */
export function hasChanged(before: Issue, after: Issue): boolean {
  return (
    before.updated_at !== after.updated_at ||
    before.state !== after.state ||
    before.title !== after.title ||
    before.description !== after.description ||
    before.labels.length !== after.labels.length ||
    before.labels.some((label) => !after.labels.includes(label))
  );
}
