import type { WireObject } from "../wire-object.ts";

/** The MCP servers whose tools the model may call. */
export interface McpServers {
  list(): readonly McpServer[];
  /** Returns the tool that a call names, or `undefined` if it does not exist. */
  find(call: McpCall): McpTool | undefined;
  /** Whether the tools of this server never need approval. */
  approved(server: string): boolean;
}

export interface McpServer {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly McpToolInfo[];
}

/** A tool as its server describes it. */
export interface McpToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** A tool that only reads (`readOnlyHint`) needs no approval. */
  readonly annotations?: { readonly readOnlyHint?: boolean };
}

export interface McpTool extends McpToolInfo {
  call(args: WireObject, context: McpContext): McpResult | Promise<McpResult>;
}

/** A tool call of the model, with the tool that it names. */
export interface McpCall {
  readonly threadId: string;
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
}

/** The result of an MCP tool: text, the `content` of a result, or an error message. */
export type McpResult = string | readonly WireObject[] | { readonly error: string };

/** Functions that an MCP tool may call while it runs. */
export interface McpContext {
  /** Asks the user through an MCP elicitation. */
  readonly elicit: (request: {
    readonly message: string;
    readonly requestedSchema: WireObject;
  }) => Promise<WireObject>;
}
