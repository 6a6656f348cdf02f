/** When calls of a tool need an approval: by its annotations, always, if it does not only read, or never. */
export type McpApprovalMode = "auto" | "prompt" | "writes" | "approve";

/** An MCP server as a configuration has it. It contains secrets: do not log it. */
export interface McpServerSettings {
  readonly transport: McpStdioSettings | McpHttpSettings;
  /** Whether the server is used. */
  readonly enabled: boolean;
  /** Whether a thread cannot be opened without the server. */
  readonly required: boolean;
  readonly startupTimeoutMs: number;
  readonly toolTimeoutMs: number;
  /** Whether all of its tools may run at the same time as others. */
  readonly parallel: boolean;
  /** When calls need an approval, for tools without a setting of their own. */
  readonly approval: McpApprovalMode;
  /** When calls need an approval, by the name of the tool. */
  readonly approvals: Readonly<Record<string, McpApprovalMode>>;
  /** The only tools that are used; default: all. */
  readonly enabledTools?: readonly string[] | undefined;
  /** Tools that are not used. */
  readonly disabledTools: readonly string[];
}

/** A server that runs as a process of this machine. */
export interface McpStdioSettings {
  readonly type: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Variables of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of variables that it inherits, in addition to the usual ones. */
  readonly envVars: readonly string[];
  readonly cwd?: string | undefined;
}

/** A server that is reached over HTTP. */
export interface McpHttpSettings {
  readonly type: "http";
  readonly url: string;
  /** The variable with the bearer token. */
  readonly bearerTokenEnvVar?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of headers, with the variables that hold their values. */
  readonly envHeaders: Readonly<Record<string, string>>;
  /** The scopes that a login asks for. */
  readonly scopes?: readonly string[] | undefined;
  /** The id of the OAuth client, if it is registered already. */
  readonly clientId?: string | undefined;
  /** The resource that a login asks for. */
  readonly oauthResource?: string | undefined;
}
