import type { ToolOutcome } from "../model-steps.ts";
import type { WireObject } from "../model-request.ts";
import type {
  McpCall,
  McpConnections,
  McpServer,
  McpServers,
  McpStartup,
  McpTool,
} from "@codexwright/engine";
import type { ScriptedOutcomes } from "./scripted-outcomes.ts";

/** Functions that an MCP tool may call while it runs. */
export interface FakeMcpContext {
  /** Asks the user, like an MCP server's elicitation. */
  readonly elicit: (request: {
    readonly message: string;
    readonly requestedSchema: WireObject;
  }) => Promise<WireObject>;
}

/** A tool of an MCP server that a fake server pretends to have. */
export interface FakeMcpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** A tool that only reads (`readOnlyHint`) needs no approval. */
  readonly annotations?: { readonly readOnlyHint?: boolean };
  /** The tool's result: text, or the `content` of a result; plain data. */
  readonly result?: ToolOutcome["result"];
  /** A function that computes the result instead. */
  readonly call?: (
    args: Readonly<Record<string, unknown>>,
    context: FakeMcpContext,
  ) => NonNullable<ToolOutcome["result"]> | Promise<NonNullable<ToolOutcome["result"]>>;
}

/** An MCP server that a fake server pretends to have started. */
export interface FakeMcpServer {
  readonly tools: readonly FakeMcpTool[];
  readonly version?: string;
  /** If true, calls need no approval, as with `default_tools_approval_mode` in config.toml. */
  readonly approve?: boolean;
}

/**
 * The MCP servers that a fake server pretends to have, and tools that exist only because a scripted call has
 * an outcome.
 */
export class ScriptedMcpServers implements McpServers {
  readonly #servers: ReadonlyMap<string, FakeMcpServer>;
  readonly #outcomes: ScriptedOutcomes;

  constructor(servers: Readonly<Record<string, FakeMcpServer>>, outcomes: ScriptedOutcomes) {
    this.#servers = new Map(Object.entries(servers));
    this.#outcomes = outcomes;
  }

  /** All threads share the servers. Each thread tells its clients that it starts them. */
  open(): McpConnections {
    let started = false;
    return {
      start: (told) => {
        if (!started) for (const status of ["starting", "ready"] as const) this.#tell(told, status);
        started = true;
        return Promise.resolve();
      },
      list: () => this.#list(),
      find: (call) => this.#find(call),
      states: () =>
        this.#list().map((server) => ({
          name: server.name,
          status: "connected",
          server,
          auth: "unsupported",
        })),
      resources: () => Promise.resolve({ items: [] }),
      allResources: () => Promise.resolve([]),
      read: (server) => Promise.reject(new Error(`the MCP server ${server} has no resources`)),
      update: () => {},
      retry: () => {},
      close: () => Promise.resolve(),
    };
  }

  #tell(told: (update: McpStartup) => void, status: "starting" | "ready"): void {
    for (const name of this.#servers.keys()) told({ name, status });
  }

  #list(): McpServer[] {
    return Array.from(this.#servers, ([name, { version = "0.0.0", tools, approve = false }]) => ({
      name,
      version,
      tools: tools.map((tool) => ({ ...tool, approval: approve ? "approve" : "auto", parallel: true })),
    }));
  }

  /**
   * Returns the tool that a call names. If the script supplies the outcome of the call, returns a tool with that
   * outcome.
   */
  #find({ threadId, callId, server, tool: name }: McpCall): McpTool | undefined {
    const { result, error } = this.#outcomes.get(threadId, callId) ?? {};
    const listed = this.#list().find((each) => each.name === server);
    const own = this.#servers.get(server)?.tools.find((each) => each.name === name);
    if (!own && result === undefined && error === undefined) return undefined;
    const approval = this.#servers.get(server)?.approve ? "approve" : "auto";
    return {
      ...(listed?.tools.find((each) => each.name === name) ?? { name, approval }),
      call: async (args, context) => {
        if (error !== undefined) return { error };
        if (result !== undefined) return result;
        return own?.call ? await own.call(args, context) : (own?.result ?? "");
      },
    };
  }
}
