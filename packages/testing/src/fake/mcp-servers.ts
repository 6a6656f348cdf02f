import type { JsonValue } from "codexwright/protocol";
import type { ToolOutcome } from "../model-steps.ts";
import type { WireObject } from "../model-request.ts";
import type { FakeThread } from "./fake-thread.ts";

/** What an MCP tool may do beside returning. */
export interface FakeMcpContext {
  /** Asks the user, as an MCP server's elicitation does. */
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
  /** What it answers: text, or the `content` of a result; plain data. */
  readonly result?: ToolOutcome["result"];
  /** Or what works that out. */
  readonly call?: (
    args: Readonly<Record<string, unknown>>,
    context: FakeMcpContext,
  ) => NonNullable<ToolOutcome["result"]> | Promise<NonNullable<ToolOutcome["result"]>>;
}

/** An MCP server that a fake server pretends to have started. */
export interface FakeMcpServer {
  readonly tools: readonly FakeMcpTool[];
  readonly version?: string;
  /** As `default_tools_approval_mode` in config.toml: no call is asked about. */
  readonly approve?: boolean;
}

/** The MCP servers of a fake server, and those that a thread's configuration names. */
export class FakeMcpServers {
  readonly #servers: Readonly<Record<string, FakeMcpServer>>;

  constructor(servers: Readonly<Record<string, FakeMcpServer>>) {
    this.#servers = servers;
  }

  entries(_thread?: FakeThread): [string, FakeMcpServer][] {
    return Object.entries(this.#servers);
  }

  /** The tool; where the script says itself what it does, one made up for it. */
  find(
    thread: FakeThread,
    server: string,
    name: string,
    outcome: ToolOutcome | undefined,
  ): FakeMcpTool | undefined {
    const own = this.entries(thread).find(([each]) => each === server)?.[1];
    const tool = own?.tools.find((each) => each.name === name);
    if (tool) return tool;
    if (outcome?.result === undefined && outcome?.error === undefined) return undefined;
    return { name };
  }

  approved(server: string): boolean {
    return this.#servers[server]?.approve ?? false;
  }
}

/** The tool as `mcpServerStatus/list` shows it. */
export function wireTool(tool: FakeMcpTool): JsonValue {
  return {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema: (tool.inputSchema ?? { type: "object", properties: {} }) as JsonValue,
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations as JsonValue }),
  };
}
