import { isDeeperThan, isJsonObject } from "codexwright/internal";
import type { Handlers } from "codexwright/endpoint";
import type { JsonValue, McpServerStatus, RemoteControlStatusReadResponse, Tool } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { DEEPEST } from "../depth.ts";
import type { McpServer, McpToolInfo } from "../ports.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";

/** MCP server status, `thread/inject_items`, and empty results for features that this server does not have. */
export function otherMethods(host: ThreadsHost): Handlers {
  return {
    "mcpServerStatus/list": () => ({
      data: host.mcp.list().map((server) => statusOf(server)),
      nextCursor: null,
    }),
    "skills/list": ({ cwds }) => ({
      data: (cwds?.length ? cwds : [host.defaults.cwd]).map((cwd) => ({ cwd, skills: [], errors: [] })),
    }),
    "hooks/list": ({ cwds }) => ({
      data: (cwds?.length ? cwds : [host.defaults.cwd]).map((cwd) => ({
        cwd,
        hooks: [],
        warnings: [],
        errors: [],
      })),
    }),
    "experimentalFeature/list": () => ({ data: [], nextCursor: null }),
    "thread/goal/get": ({ threadId }) => {
      host.loaded.check(threadId, "thread");
      return { goal: null };
    },
    "thread/goal/clear": ({ threadId }) => {
      host.loaded.check(threadId, "thread");
      return { cleared: false };
    },
    "thread/inject_items": ({ threadId, items }) => {
      const thread = host.loaded.find(threadId);
      if (items.length === 0) throw new ResponseError(-32600, "items must not be empty");
      const wrong = items.findIndex((item) => !isJsonObject(item) || typeof item["type"] !== "string");
      if (wrong !== -1) {
        throw new ResponseError(
          -32600,
          `items[${wrong}] is not a valid response item: missing field \`type\``,
        );
      }
      const deep = items.findIndex((item) => isDeeperThan(item, DEEPEST));
      if (deep !== -1) {
        throw new ResponseError(
          -32600,
          `items[${deep}] is not a valid response item: recursion limit exceeded`,
        );
      }
      thread.remember(...(items as Readonly<Record<string, unknown>>[]));
      thread.save();
      return {};
    },
    "remoteControl/status/read": () =>
      ({
        status: "disabled",
        serverName: host.platform.hostname,
        installationId: host.installationId,
        environmentId: null,
      }) satisfies RemoteControlStatusReadResponse,
    "mock/experimentalMethod": ({ value }) => ({ echoed: value ?? null }),
  };
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
