/** A failure of an MCP server. Its message has no secrets, because clients and the model get it. */
export class McpError extends Error {
  readonly code: "package" | "start" | "timeout" | "closed" | "flood" | "invalid" | "refused" | "login";

  constructor(code: McpError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "McpError";
    this.code = code;
  }
}
