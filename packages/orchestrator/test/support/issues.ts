import type { Issue } from "@codexwright/orchestrator";

/** Makes an issue with a number. */
export function issue(number: number, fields: Partial<Issue> = {}): Issue {
  return {
    id: `id-${number}`,
    native_ref: null,
    identifier: `ABC-${number}`,
    title: `Issue ${number}`,
    description: null,
    priority: null,
    state: "Todo",
    branch_name: null,
    url: null,
    assignee_id: null,
    labels: [],
    blocked_by: [],
    dispatchable: true,
    created_at: null,
    updated_at: null,
    ...fields,
  };
}
