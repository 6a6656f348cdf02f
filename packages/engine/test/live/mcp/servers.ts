import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type {
  McpConnections,
  McpContext,
  McpResult,
  McpServerSettings,
  McpStartup,
} from "@codexwright/engine";
import { mcpServers } from "@codexwright/engine/node";

/** A server whose arguments say how it behaves. */
export const SERVER = path.join(import.meta.dirname, "server.mjs");

export function settings(
  args: readonly string[],
  more: Partial<McpServerSettings> & { readonly env?: Readonly<Record<string, string>> } = {},
): McpServerSettings {
  const { env = {}, ...rest } = more;
  return {
    transport: { type: "stdio", command: process.execPath, args: [SERVER, ...args], env, envVars: [] },
    enabled: true,
    required: false,
    startupTimeoutMs: 30_000,
    toolTimeoutMs: 30_000,
    parallel: false,
    approval: "auto",
    approvals: {},
    disabledTools: [],
    ...rest,
  };
}

export interface Opened extends AsyncDisposable {
  readonly folder: string;
  readonly mcp: McpConnections;
  /** The reports on the start of the servers. */
  readonly told: McpStartup[];
  call(server: string, tool: string, args?: object, context?: Partial<McpContext>): Promise<McpResult>;
}

/** Starts servers, and stops them at the end. */
export async function opened(
  servers: Readonly<Record<string, McpServerSettings>>,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Opened> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "codexwright-mcp-")));
  const mcp = mcpServers({ home: folder, env }).open({ id: "thread", cwd: folder, servers });
  const told: McpStartup[] = [];
  await mcp.start((update) => told.push(update));
  return {
    folder,
    mcp,
    told,
    async call(server, tool, args = {}, context = {}) {
      const found = mcp.find({ threadId: "thread", callId: "call", server, tool });
      if (!found) return { error: "no such tool" };
      return await found.call(args as Readonly<Record<string, unknown>>, {
        signal: new AbortController().signal,
        elicit: () => Promise.resolve({ action: "decline" }),
        progress: () => {},
        ...context,
      });
    },
    async [Symbol.asyncDispose]() {
      await mcp.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The text of a result, or its error. */
export function textOf(result: McpResult): string {
  if (typeof result === "string") return result;
  if ("error" in result) return `error: ${result.error}`;
  const content = "content" in result ? result.content : result;
  return content.map((part) => String(part["text"])).join("\n");
}
