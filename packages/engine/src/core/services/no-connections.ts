import type { McpConnections } from "../ports.ts";

const unknown = (): Promise<never> => Promise.reject(new Error("unknown MCP server"));

/** The MCP servers of a thread that has none. */
export const NO_CONNECTIONS: McpConnections = {
  start: () => Promise.resolve(),
  list: () => [],
  find: () => undefined,
  states: () => [],
  resources: unknown,
  allResources: unknown,
  read: unknown,
  update: () => {},
  retry: () => {},
  close: () => Promise.resolve(),
};
