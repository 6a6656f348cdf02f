import type { ApiEvent } from "@codexwright/orchestrator/cli";

/** The events that tell the story. The others are details. */
const TOLD = new Set([
  "run.started",
  "run.lost",
  "turn.completed",
  "claim.retrying",
  "claim.blocked",
  "claim.released",
  "workspace.removed",
  "warning",
]);

/** The line for an event; undefined for one that is not told. */
export function storyOf({ event, issue_identifier: issue, message }: ApiEvent): string | undefined {
  // The scripted model is not in the list of Codex.
  if (!TOLD.has(event) || message.startsWith("Model metadata")) return undefined;
  return issue === null || message.includes(issue) ? message : `${issue}: ${message}`;
}
