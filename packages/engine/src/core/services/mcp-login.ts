import type { McpServerOauthLoginParams, McpServerOauthLoginResponse } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { uuid7 } from "../ids.ts";
import { configFor } from "../threads/thread-config.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";

/** Starts a login to an MCP server, and notifies clients of its end. */
export async function mcpLogin(
  host: ThreadsHost,
  { name, threadId = null, scopes, timeoutSecs }: McpServerOauthLoginParams,
): Promise<McpServerOauthLoginResponse> {
  const thread = threadId === null ? undefined : host.loaded.find(threadId);
  const cwd = thread?.settings.cwd ?? host.defaults.cwd;
  const { mcpServers } = await configFor(host, cwd, thread?.config.overrides);
  const server = Object.hasOwn(mcpServers, name) ? mcpServers[name] : undefined;
  if (!server) throw new ResponseError(-32600, `No MCP server named '${name}' found.`);
  if (server.transport.type !== "http" || !host.mcp.login) {
    throw new ResponseError(-32600, "OAuth login is only supported for streamable HTTP servers.");
  }
  const loginId = uuid7();
  const login = await host.mcp
    .login(name, server.transport, {
      ...(scopes && { scopes }),
      ...(typeof timeoutSecs === "number" && { timeoutMs: Math.max(0, timeoutSecs) * 1_000 }),
    })
    .catch((error: unknown) => {
      throw new ResponseError(-32603, `failed to login to MCP server '${name}': ${(error as Error).message}`);
    });
  void reported(host, name, login.completed).then((end) =>
    host.endpoint.broadcast("mcpServer/oauthLogin/completed", { name, threadId, loginId, ...end }),
  );
  return { authorizationUrl: login.authorizationUrl, loginId };
}

/** Waits for the end of a login. The server then starts in the threads that wait for it. */
async function reported(
  host: ThreadsHost,
  name: string,
  completed: Promise<void>,
): Promise<{ readonly success: boolean; readonly error?: string }> {
  try {
    await completed;
    retried(host, name);
    return { success: true };
  } catch (error) {
    return { success: false, error: (error as Error).message };
  }
}

/** Starts the server again in the threads in which it has failed without the login. */
function retried(host: ThreadsHost, name: string): void {
  for (const thread of host.loaded.all()) {
    const state = thread.mcp.states().find((each) => each.name === name);
    if (state?.status !== "authenticationRequired" && state?.status !== "failed") continue;
    thread.mcp.retry(name);
    thread.startMcp().catch((error: unknown) => host.failed(error));
  }
}
