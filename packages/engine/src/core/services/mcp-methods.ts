import type { Handlers } from "codexwright/endpoint";
import type { JsonValue, McpServerStatus, Tool } from "codexwright/protocol";
import type { McpServer, McpToolInfo } from "../ports.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";

/** The methods for MCP servers. */
export function mcpMethods(host: ThreadsHost): Handlers {
  return {
    "mcpServerStatus/list": async ({ threadId }) => ({
      data: (await serversOf(host, threadId)).map((server) => statusOf(server)),
      nextCursor: null,
    }),
    "config/mcpServer/reload": () => ({}),
  };
}

/** The servers of a thread. Without a thread, those of a thread in the server's own folder. */
async function serversOf(host: ThreadsHost, threadId: string | null | undefined): Promise<readonly McpServer[]> {
  if (threadId) {
    const thread = host.loaded.find(threadId);
    await thread.startMcp();
    return thread.mcp.list();
  }
  const { cwd } = host.defaults;
  const { mcpServers: servers } = await host.configs.find({ cwd, overrides: {} });
  const mcp = host.mcp.open({ id: "", cwd, servers });
  try {
    await mcp.start(() => {});
    return mcp.list();
  } finally {
    await mcp.close();
  }
}

function statusOf(server: McpServer): McpServerStatus {
  const { name } = server;
  const info = {
    name,
    version: server.version,
    title: null,
    description: null,
    icons: null,
    websiteUrl: null,
  };
  return {
    name,
    runtimeStatus: null,
    pluginId: null,
    httpOrigin: null,
    serverInfo: info,
    serverCapabilities: { tools: {} },
    toolListMeta: null,
    tools: Object.fromEntries(server.tools.map((tool) => [tool.name, wireTool(tool) as unknown as Tool])),
    toolsError: null,
    resources: [],
    resourceTemplates: [],
    authStatus: "unsupported",
  };
}

/** A tool in the form of `mcpServerStatus/list`. */
function wireTool(tool: McpToolInfo): JsonValue {
  return {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema: (tool.inputSchema ?? { type: "object", properties: {} }) as JsonValue,
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations as JsonValue }),
  };
}
