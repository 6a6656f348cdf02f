export { CodexAgent } from "./agent.ts";
export type { AgentEvent } from "./events.ts";
export type { AgentOptions, RunOptions, RunWorkspace } from "./options.ts";
export { Run, type RunResult } from "./run.ts";
export { toJsonl, transcriptOf, type TranscriptEntry } from "./transcript.ts";
