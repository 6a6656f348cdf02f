import type { McpCall, McpConnections, McpServer, McpStartup, McpTool } from "../core/ports.ts";
import type { McpConnection } from "./connection.ts";

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

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
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
