export type * from "../runner/port.ts";
export { earlierText, resumption } from "../runner/prompt.ts";
export { issueRunner } from "../runner/run-issue.ts";
export { temporaryFolderOf } from "../runner/temporary.ts";
export { RunStop } from "../runner/stop.ts";
