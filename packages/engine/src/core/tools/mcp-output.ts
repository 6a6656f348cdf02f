import { inputText } from "../context/conversation.ts";
import { cutOutput } from "../context/budget.ts";
import { AUDIO_LEFT_OUT } from "../instructions/notes.ts";
import type { McpCallError, McpResult, McpToolResult } from "../ports.ts";
import { textOf } from "../text.ts";
import type { WireObject } from "../wire-object.ts";

/** A result in its long form, or the error of the call. */
export function wholeResult(result: McpResult): McpToolResult | McpCallError {
  if (typeof result === "string") return { content: [{ type: "text", text: result }] };
  return Array.isArray(result) ? { content: result } : (result as McpToolResult | McpCallError);
}

/** The result of a call for the model, within the budget of a tool output. */
export function mcpOutput(
  result: McpToolResult | McpCallError,
  durationMs: number,
): string | readonly WireObject[] {
  const header = `Wall time: ${(durationMs / 1_000).toFixed(4)} seconds\nOutput:`;
  if ("error" in result) return cutOutput([inputText(header), inputText(result.error)]);
  const { content, structuredContent } = result;
  // A model reads the structured form if there is one, because the content is the same in other words.
  if (structuredContent !== undefined && structuredContent !== null) {
    return cutOutput(`${header}\n${JSON.stringify(structuredContent)}`);
  }
  return cutOutput([inputText(header), ...content.map((part) => partOf(part))]);
}

function partOf(part: WireObject): WireObject {
  switch (part["type"]) {
    case "text":
      return inputText(textOf(part["text"]));
    case "image": {
      const data = textOf(part["data"]);
      const mime = textOf(part["mimeType"]) || "application/octet-stream";
      return {
        type: "input_image",
        image_url: data.startsWith("data:") ? data : `data:${mime};base64,${data}`,
      };
    }
    case "audio":
      return inputText(AUDIO_LEFT_OUT);
    default:
      return inputText(JSON.stringify(part));
  }
}
