import path from "node:path";
import { mcpCall, reply, type ModelRequest, type ModelScript } from "@codexwright/testing";

/** A PNG of one pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Starts an MCP server with the tool `echo` on stdio. */
export const MCP_SERVER = {
  command: process.execPath,
  args: [path.resolve(import.meta.dirname, "../../packages/testing/dist/lib/mcp-process.js"), "echo"],
} as const;

/** Calls the tool of the MCP server `small`, and then ends the turn. */
export const CALLS_ECHO: ModelScript = [mcpCall("small", "echo", { text: "hi" }), reply("all done")];

/** The output of the first tool call that the model received, without how long the call took. */
export function firstOutput(requests: readonly ModelRequest[]): string {
  const [output = "none"] = Object.values(requests[1]?.toolOutputs ?? {});
  return output.replace(/Wall time: [\d.]+ seconds/, "Wall time");
}

/** The parts of the user's last message that the model received, with images as they were sent. */
export function promptParts(requests: readonly ModelRequest[]): unknown[] {
  const message = requests[0]?.input.findLast(({ role }) => role === "user");
  const parts = message?.["content"] as readonly { readonly type: string; readonly image_url?: string }[];
  return parts.map(({ type, image_url }) => image_url ?? type);
}
