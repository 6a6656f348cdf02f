export { Mcp, McpLogin } from "./mcp.ts";
