import { ResponseError } from "codexwright/rpc";
import type { LoadedThread } from "./loaded-thread.ts";
import type { ThreadsHost } from "./threads-host.ts";

/** Starts the MCP servers of a thread. Their tools are on offer when they have started. */
export function startMcpServers(thread: LoadedThread): void {
  thread.announceMcp();
  thread.startMcp().catch((error: unknown) => thread.host.failed(error));
}

/** Waits for the MCP servers that a new thread needs. If one fails, forgets the thread and throws the error of Codex. */
export async function checkRequired(host: ThreadsHost, thread: LoadedThread): Promise<void> {
  const { mcpServers } = thread.config;
  if (!Object.values(mcpServers).some(({ enabled, required }) => enabled && required)) return;
  await thread.startMcp();
  const failed = thread.mcp.states().filter(({ name, status }) => {
    return Object.hasOwn(mcpServers, name) && mcpServers[name]?.required && status !== "connected";
  });
  if (failed.length === 0) return;
  await host.loaded.forget(thread);
  const why = failed.map(({ name, error = "MCP startup cancelled" }) => `${name}: ${error}`).join("; ");
  throw new ResponseError(
    -32603,
    `error creating thread: Fatal error: Failed to initialize session: required MCP servers failed to initialize: ${why}`,
  );
}
