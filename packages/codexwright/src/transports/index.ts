// The entry `codexwright/stdio`. The client imports `stdio.ts` instead of this file, so that the code that
// finds a binary is loaded only when a server is started.
export { findCodex, type FoundCodex } from "./find-codex.ts";
export { LeaseEndedError, ServerLease } from "./lease.ts";
export { CodexNotFoundError } from "./not-found.ts";
export { stdio, type StdioOptions } from "./stdio.ts";
