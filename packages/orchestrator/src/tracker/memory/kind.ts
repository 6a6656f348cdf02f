import { TrackerError } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { TrackerKind } from "../../domain/tracker.ts";
import { labelsOf, priorityOf, textOf, timeOf } from "../issue-fields.ts";
import { MemoryIssues, type NewIssue } from "./memory-issues.ts";
import { MemoryTracker } from "./memory-tracker.ts";
import { MEMORY_PROFILE } from "./profile.ts";

/** Issues that are written in WORKFLOW.md. */
export const memoryKind: TrackerKind = {
  profile: MEMORY_PROFILE,
  check: problems,
  open: (config) => {
    const [problem] = problems(config.provider);
    if (problem !== undefined)
      throw new TrackerError("invalid_tracker_config", `tracker.provider: ${problem}`);
    return Promise.resolve(new MemoryTracker(new MemoryIssues(issuesOf(config.provider)), config));
  },
};

/** Returns an adapter for the issues of a program. */
export function memoryTracker(issues: MemoryIssues): TrackerKind {
  return {
    profile: MEMORY_PROFILE,
    check: () => [],
    open: (config) => Promise.resolve(new MemoryTracker(issues, config)),
  };
}

function problems({ issues = [] }: JsonObject): readonly string[] {
  if (!Array.isArray(issues)) return ["issues must be a list"];
  return issues.flatMap((issue: unknown, at) =>
    ["identifier", "title", "state"]
      .filter((key) => textOf(fieldsOf(issue)[key]) === null)
      .map((key) => `issues: the ${key} of issue ${at + 1} must be a text`),
  );
}

function issuesOf({ issues = [] }: JsonObject): readonly NewIssue[] {
  if (!Array.isArray(issues)) return [];
  return issues.map((issue: unknown) => {
    const fields = fieldsOf(issue);
    const list = (key: string): readonly unknown[] => (Array.isArray(fields[key]) ? fields[key] : []);
    return {
      identifier: textOf(fields["identifier"]) ?? "",
      title: textOf(fields["title"]) ?? "",
      state: textOf(fields["state"]) ?? "",
      description: textOf(fields["description"]),
      priority: priorityOf(fields["priority"]),
      labels: labelsOf(list("labels")),
      branch_name: textOf(fields["branch_name"]),
      created_at: timeOf(fields["created_at"]),
      blocked_by: list("blocked_by").map((each) => ({ id: null, identifier: textOf(each), state: null })),
    };
  });
}

function fieldsOf(issue: unknown): Readonly<Record<string, unknown>> {
  return typeof issue === "object" && issue !== null ? { ...issue } : {};
}
