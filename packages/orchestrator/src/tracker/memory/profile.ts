import type { TrackerProfile } from "../../domain/tracker.ts";

export const MEMORY_PROFILE: TrackerProfile = {
  kind: "memory",
  summary:
    "Issues in the memory of the process, for tests and for programs that have their own list of work.",
  keys: [
    {
      key: "issues",
      what: "The issues at the start: a list of maps. `identifier`, `title` and `state` are required; `description`, `priority`, `labels`, `branch_name`, `created_at` and `blocked_by` (identifiers) are optional.",
      required: false,
      default: "[]",
    },
  ],
  activeStates: ["todo", "in progress"],
  terminalStates: ["done", "cancelled"],
  notes: {
    scope: "All issues of the list. They are lost when the process ends.",
    paging: "One answer has all issues.",
    identity: "`id` is the identifier, unless a program gives another one.",
    normalization:
      "Labels are trimmed, in lower case, without blanks and duplicates. Missing optional fields are null or empty. `dispatchable` is true unless it is given, or unless an issue of `blocked_by` is not in a terminal state.",
    errors:
      "`invalid_tracker_config`: an issue of the list is not valid. The other errors are those that a program asks for.",
  },
  tools: [],
};
