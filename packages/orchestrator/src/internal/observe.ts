export * from "../observe/api-issue.ts";
export * from "../observe/api-state.ts";
export { loadRedactor, type Clean, type Redactor } from "../observe/clean.ts";
export { Journal } from "../observe/journal.ts";
export { FleetLog, type Level, type LogFields, type LogOptions, type LogSink } from "../observe/log.ts";
export { observedTracker } from "../observe/observed-tracker.ts";
export { Telemetry } from "../observe/telemetry.ts";
