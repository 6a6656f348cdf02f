export { Mcp, McpLogin, type McpLoginOptions } from "./mcp.ts";
