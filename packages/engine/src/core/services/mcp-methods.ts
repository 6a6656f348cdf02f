import { isJsonObject } from "codexwright/internal";
import type { Handlers } from "codexwright/endpoint";
import type { JsonValue, McpServerStatus, Tool } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import type { McpConnections, McpServerState, McpToolInfo } from "../ports.ts";
import { configFor } from "../threads/thread-config.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import { mcpLogin } from "./mcp-login.ts";
import { directCall } from "./mcp-direct-call.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";
import type { WireObject } from "../wire-object.ts";

/** The methods for MCP servers. */
export function mcpMethods(host: ThreadsHost): Handlers {
  return {
    "mcpServerStatus/list": async ({ threadId, cursor, limit, detail, serverName }) => {
      const full = detail !== "toolsAndAuthOnly";
      const all = await connected(host, threadId, (mcp) => statusesOf(mcp, { threadId, full, serverName }));
      return page(all, cursor, limit);
    },
    "mcpServer/resource/read": async ({ threadId, server, uri }) =>
      await connected(host, threadId, async (mcp) => {
        const { contents } = await mcp.read(server, uri).catch((error: unknown) => {
          const { message, rpcCode } = error as Error & { readonly rpcCode?: number };
          throw new ResponseError(rpcCode ?? -32603, message);
        });
        if (!Array.isArray(contents)) {
          throw new ResponseError(
            -32603,
            "failed to deserialize MCP resource read response: missing contents",
          );
        }
        return { contents, originCallId: null };
      }),
    "mcpServer/tool/call": async (params) => await directCall(host, params),
    "mcpServer/oauth/login": async (params) => await mcpLogin(host, params),
    "config/mcpServer/reload": async () => {
      await Promise.all(host.loaded.all().map((thread) => reloaded(host, thread)));
      return {};
    },
  };
}

/** Runs work with the servers of a thread. Without a thread, with servers of its own for the server's folder. */
async function connected<T>(
  host: ThreadsHost,
  threadId: string | null | undefined,
  work: (mcp: McpConnections) => Promise<T>,
): Promise<T> {
  if (threadId) {
    const thread = host.loaded.find(threadId);
    await thread.startMcp();
    return await work(thread.mcp);
  }
  const { cwd } = host.defaults;
  const { mcpServers: servers } = await configFor(host, cwd, {});
  const mcp = host.mcp.open({ id: "", cwd, servers });
  try {
    await mcp.start(() => {});
    return await work(mcp);
  } finally {
    await mcp.close();
  }
}

/** Gives a loaded thread the servers that its configuration has now. */
async function reloaded(host: ThreadsHost, thread: LoadedThread): Promise<void> {
  const { overrides } = thread.config;
  const { mcpServers } = await configFor(host, thread.settings.cwd, overrides);
  thread.mcp.update(mcpServers);
  thread.startMcp().catch((error: unknown) => host.failed(error));
}

interface Wanted {
  readonly threadId: string | null | undefined;
  /** Whether resources are listed, too. */
  readonly full: boolean;
  /** The only server that is wanted. */
  readonly serverName?: string | null | undefined;
}

async function statusesOf(
  mcp: McpConnections,
  { threadId, full, serverName }: Wanted,
): Promise<McpServerStatus[]> {
  const states = mcp
    .states()
    .filter(({ name }) => !serverName || name === serverName)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const withThread = Boolean(threadId);
  return await Promise.all(states.map((state) => statusOf(mcp, state, { withThread, full })));
}

async function statusOf(
  mcp: McpConnections,
  state: McpServerState,
  { withThread, full }: { readonly withThread: boolean; readonly full: boolean },
): Promise<McpServerStatus> {
  const { name, server, error = null } = state;
  const has = full && isJsonObject(server?.capabilities?.["resources"]);
  const items = async (kind: "resources" | "resourceTemplates"): Promise<never[]> =>
    has ? ((await mcp.allResources(name, kind).catch(() => [])) as never[]) : [];
  return {
    name,
    runtimeStatus: withThread ? state.status : null,
    pluginId: null,
    httpOrigin: state.httpOrigin ?? null,
    serverInfo: server ? infoOf(server.info ?? { name, version: server.version }) : null,
    serverCapabilities: server ? ((server.capabilities ?? { tools: {} }) as JsonValue) : null,
    toolListMeta: null,
    tools: Object.fromEntries((server?.tools ?? []).map((tool) => [tool.name, wireTool(tool)])),
    toolsError: server ? null : error,
    resources: await items("resources"),
    resourceTemplates: await items("resourceTemplates"),
    authStatus: state.auth,
  };
}

function infoOf(info: WireObject): NonNullable<McpServerStatus["serverInfo"]> {
  const text = (key: string): string | null => (typeof info[key] === "string" ? info[key] : null);
  return {
    name: text("name") ?? "",
    version: text("version") ?? "",
    title: text("title"),
    description: text("description"),
    icons: Array.isArray(info["icons"]) ? (info["icons"] as JsonValue[]) : null,
    websiteUrl: text("websiteUrl"),
  };
}

/** A tool in the form of `mcpServerStatus/list`. */
function wireTool(tool: McpToolInfo): Tool {
  return {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema: (tool.inputSchema ?? { type: "object", properties: {} }) as JsonValue,
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations as JsonValue }),
  };
}

/** A part of the list. A cursor is the index of its first entry. */
function page(
  all: readonly McpServerStatus[],
  cursor: string | null | undefined,
  limit: number | null | undefined,
): { data: McpServerStatus[]; nextCursor: string | null } {
  const start = cursor === null || cursor === undefined ? 0 : Number(/^\d+$/.test(cursor) ? cursor : NaN);
  if (Number.isNaN(start)) throw new ResponseError(-32600, `invalid cursor: ${cursor}`);
  if (start > all.length) {
    throw new ResponseError(-32600, `cursor ${start} exceeds total MCP servers ${all.length}`);
  }
  const end = Math.min(all.length, start + Math.max(1, limit ?? all.length));
  return { data: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
}
