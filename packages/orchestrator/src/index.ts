export { FleetError, TrackerError, WorkflowError } from "./domain/errors.ts";
export type { Issue } from "./domain/issue.ts";
export type { Settings, Workflow } from "./domain/settings.ts";
