export * from "../client/index.ts";
export { CodexClient, CodexClient as default, type CodexClientOptions } from "./client.ts";
export { CodexNotFoundError, stdio, type StdioOptions } from "../transports/stdio.ts";
export type * as protocol from "../protocol/index.ts";
