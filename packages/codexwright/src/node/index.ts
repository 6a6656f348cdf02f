export * from "../client/index.ts";
export { CodexClient, CodexClient as default, type CodexClientOptions } from "./client.ts";
export { CodexNotFoundError } from "../transports/not-found.ts";
export { stdio, type StdioOptions } from "../transports/stdio.ts";
export type * as protocol from "../protocol/index.ts";
