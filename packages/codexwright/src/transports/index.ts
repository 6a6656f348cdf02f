// The entry `codexwright/stdio`. The client imports `stdio.ts` by itself: what finds a binary is loaded when one is started.
export { findCodex, type FoundCodex } from "./find-codex.ts";
export { CodexNotFoundError } from "./not-found.ts";
export { stdio, type StdioOptions } from "./stdio.ts";
