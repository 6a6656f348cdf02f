/** A failure of an MCP server. Its message has no secrets, because clients and the model get it. */
export class McpError extends Error {
  readonly code: "package" | "start" | "timeout" | "closed" | "flood" | "invalid" | "refused" | "login";
  /** The code of the error that the server answered. */
  readonly rpcCode: number | undefined;

  constructor(code: McpError["code"], message: string, options: ErrorOptions & { rpcCode?: number } = {}) {
    super(message, options);
    this.name = "McpError";
    this.code = code;
    this.rpcCode = options.rpcCode;
  }
}
