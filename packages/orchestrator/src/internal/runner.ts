export type * from "../runner/port.ts";
export { earlierText, resumption } from "../runner/prompt.ts";
export { issueRunner } from "../runner/run-issue.ts";
export { RunStop } from "../runner/stop.ts";
