import type { WireObject } from "../wire-object.ts";
import type { McpApprovalMode, McpHttpSettings, McpServerSettings } from "./mcp-settings.ts";

/** The MCP servers whose tools the model may call. Each thread has connections of its own. */
export interface McpServers {
  /** Returns the servers of a thread. None starts before `start` is called. */
  open(thread: McpThread): McpConnections;
  /** Starts an OAuth login to a server that is reached over HTTP. Absent if there are no logins. */
  readonly login?: (name: string, server: McpHttpSettings, options: McpLoginOptions) => Promise<McpLogin>;
  /** Ends the logins that wait for their user. */
  readonly close?: () => Promise<void>;
}

export interface McpLoginOptions {
  /** Default: the scopes of the configuration. */
  readonly scopes?: readonly string[] | undefined;
  /** How long the user may take; default 300,000. */
  readonly timeoutMs?: number | undefined;
}

/** A login that waits for its user. */
export interface McpLogin {
  /** The page that the user must visit. */
  readonly authorizationUrl: string;
  /** Rejects with an error whose message clients may get. */
  readonly completed: Promise<void>;
}

/** The thread that MCP servers are opened for. */
export interface McpThread {
  readonly id: string;
  /** The folder of the thread. */
  readonly cwd: string;
  /** The servers that its configuration has, by name. */
  readonly servers: Readonly<Record<string, McpServerSettings>>;
}

/** The MCP servers of a thread. */
export interface McpConnections {
  /** Starts all servers. Resolves when each has started or failed. Further calls return the same promise. */
  start(told: (update: McpStartup) => void): Promise<void>;
  /** The servers that have started. */
  list(): readonly McpServer[];
  /** Returns the tool that a call names, or `undefined` if it does not exist. */
  find(call: McpCall): McpTool | undefined;
  /** All servers that are used, with how far each is. */
  states(): readonly McpServerState[];
  /** A page of what a server offers to read. Rejects with an error whose message clients and the model may get. */
  resources(server: string, kind: McpResourceKind, cursor?: string): Promise<McpResourcePage>;
  /** All pages. */
  allResources(server: string, kind: McpResourceKind): Promise<readonly WireObject[]>;
  /** Reads a resource. Returns the result as the server sent it. */
  read(server: string, uri: string): Promise<WireObject>;
  /**
   * Replaces the servers. Those whose settings have not changed keep running, others stop, and new ones start with the
   * next call of `start`.
   */
  update(servers: Readonly<Record<string, McpServerSettings>>): void;
  /** Starts a server that has failed again, with the next call of `start`. */
  retry(server: string): void;
  /** Stops all servers. */
  close(): Promise<void>;
}

export type McpResourceKind = "resources" | "resourceTemplates";

export interface McpResourcePage {
  readonly items: readonly WireObject[];
  readonly nextCursor?: string | undefined;
}

/** How far a server is. */
export interface McpServerState {
  readonly name: string;
  readonly status:
    | "notStarted"
    | "starting"
    | "connected"
    | "authenticationRequired"
    | "failed"
    | "cancelled";
  /** The server, once it is connected. */
  readonly server?: McpServer | undefined;
  /** Why the server failed. */
  readonly error?: string | undefined;
  /** The origin of a server that is reached over HTTP. */
  readonly httpOrigin?: string | undefined;
  readonly auth: "unsupported" | "notLoggedIn" | "bearerToken" | "oAuth";
}

/** How far the start of a server is. */
export type McpStartup =
  | { readonly name: string; readonly status: "starting" | "ready" | "cancelled" }
  | {
      readonly name: string;
      readonly status: "failed";
      readonly error: string;
      /** Whether the stored login is no longer valid. */
      readonly reauthenticate?: boolean;
    };

export interface McpServer {
  readonly name: string;
  readonly version: string;
  readonly info?: WireObject | undefined;
  readonly capabilities?: WireObject | undefined;
  /** The instructions of the server for the use of its tools. */
  readonly instructions?: string | undefined;
  readonly tools: readonly McpToolInfo[];
}

/** A tool as its server describes it. */
export interface McpToolInfo {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined;
  readonly annotations?: McpAnnotations | undefined;
  /** When calls need an approval; default "auto". */
  readonly approval?: McpApprovalMode | undefined;
  /** Whether calls may run at the same time as others, although the tool does not only read; default false. */
  readonly parallel?: boolean | undefined;
}

/** The hints of a server about a tool. A tool without hints counts as one that may destroy something. */
export interface McpAnnotations {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
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
  /** Whether the tool may be one that the server does not list. Default: no. */
  readonly unlisted?: boolean | undefined;
}

/** The result of an MCP tool: text, the `content` of a result, a whole result, or an error message. */
export type McpResult = string | readonly WireObject[] | McpToolResult | McpCallError;

/** Why a call failed. */
export interface McpCallError {
  readonly error: string;
  /** The code of the error that the server answered. */
  readonly code?: number | undefined;
}

/** The result of a tool as its server returned it. */
export interface McpToolResult {
  readonly content: readonly WireObject[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly _meta?: unknown;
}

/** Functions that an MCP tool may call while it runs. */
export interface McpContext {
  /** Aborts when the call is no longer needed. */
  readonly signal: AbortSignal;
  /** Asks the user through an MCP elicitation. */
  readonly elicit: (request: McpElicitation) => Promise<WireObject>;
  /** Tells clients how far the tool is. */
  readonly progress: (message: string) => void;
}

/** A question of an MCP server: a form, or a page that the user must visit. */
export type McpElicitation =
  | {
      readonly mode?: "form" | undefined;
      readonly message: string;
      readonly requestedSchema: WireObject;
      readonly _meta?: unknown;
    }
  | {
      readonly mode: "url";
      readonly message: string;
      readonly url: string;
      readonly elicitationId: string;
      readonly _meta?: unknown;
    };
