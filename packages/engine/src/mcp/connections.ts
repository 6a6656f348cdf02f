import type {
  McpCall,
  McpConnections,
  McpResourceKind,
  McpResourcePage,
  McpServer,
  McpServerState,
  McpStartup,
  McpTool,
} from "../core/ports.ts";
import type { WireObject } from "../core/wire-object.ts";
import type { McpConnection } from "./connection.ts";
import { McpError } from "./mcp-error.ts";

/** The connections of a thread. A server that fails takes only its own tools with it. */
export class ThreadConnections implements McpConnections {
  readonly #connections: readonly McpConnection[];
  #started: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(connections: readonly McpConnection[]) {
    this.#connections = connections;
  }

  start(told: (update: McpStartup) => void): Promise<void> {
    if (this.#closed) return Promise.resolve();
    return (this.#started ??= this.#start(told));
  }

  list(): readonly McpServer[] {
    return this.#connections.flatMap(({ server }) => server ?? []);
  }

  find(call: McpCall): McpTool | undefined {
    return this.#connections.find(({ name }) => name === call.server)?.tool(call);
  }

  states(): readonly McpServerState[] {
    return this.#connections.map((connection) => connection.state());
  }

  async resources(server: string, kind: McpResourceKind, cursor?: string): Promise<McpResourcePage> {
    return await this.#named(server).page(kind, cursor);
  }

  async allResources(server: string, kind: McpResourceKind): Promise<readonly WireObject[]> {
    return await this.#named(server).all(kind);
  }

  async read(server: string, uri: string): Promise<WireObject> {
    return await this.#named(server).read(uri);
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  #named(server: string): McpConnection {
    const found = this.#connections.find(({ name }) => name === server);
    if (!found) throw new McpError("invalid", `unknown MCP server '${server}'`);
    return found;
  }

  async #start(told: (update: McpStartup) => void): Promise<void> {
    for (const { name } of this.#connections) told({ name, status: "starting" });
    await Promise.all(
      this.#connections.map(async (connection) => {
        const update = await connection.start();
        if (!this.#closed) told(update);
      }),
    );
  }

  async #close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}
