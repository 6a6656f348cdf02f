import type {
  McpCall,
  McpConnections,
  McpResourceKind,
  McpResourcePage,
  McpServer,
  McpServerSettings,
  McpServerState,
  McpStartup,
  McpTool,
} from "../core/ports.ts";
import type { WireObject } from "../core/wire-object.ts";
import type { McpConnection } from "./connection.ts";
import { McpError } from "./mcp-error.ts";

type Servers = Readonly<Record<string, McpServerSettings>>;

/** The connections of a thread. A server that fails takes only its own tools with it. */
export class ThreadConnections implements McpConnections {
  readonly #connect: (name: string, settings: McpServerSettings) => McpConnection;
  #connections: readonly McpConnection[] = [];
  /** The servers that were replaced, as long as they stop. */
  readonly #leaving = new Set<Promise<void>>();
  #started: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(connect: (name: string, settings: McpServerSettings) => McpConnection, servers: Servers) {
    this.#connect = connect;
    this.update(servers);
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

  retry(server: string): void {
    const settings = this.#connections.map((each): [string, McpServerSettings] => [each.name, each.settings]);
    if (this.#named(server).state().status !== "connected") this.update(Object.fromEntries(settings));
  }

  update(servers: Servers): void {
    if (this.#closed) return;
    const before = new Map(this.#connections.map((connection) => [connection.name, connection]));
    const wanted = Object.entries(servers).filter(([, { enabled }]) => enabled);
    this.#connections = wanted.map(([name, settings]) => {
      const kept = before.get(name);
      if (!kept?.hasSettings(settings)) return this.#connect(name, settings);
      before.delete(name);
      return kept;
    });
    this.#started = undefined;
    for (const connection of before.values()) {
      const left = connection.close().finally(() => this.#leaving.delete(left));
      this.#leaving.add(left);
    }
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
    const starting = this.#connections.filter(({ isNew }) => isNew);
    for (const { name } of starting) told({ name, status: "starting" });
    const reported = starting.map(async (connection) => {
      const update = await connection.start();
      if (!this.#closed) told(update);
    });
    await Promise.all([...reported, ...this.#connections.map((connection) => connection.start())]);
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#connections.map((connection) => connection.close()), ...this.#leaving]);
  }
}
