import { isJsonObject } from "codexwright/internal";
import { inputText } from "../context/conversation.ts";
import { cutOutput } from "../context/budget.ts";
import { AUDIO_LEFT_OUT } from "../instructions/notes.ts";
import type { McpResult, McpToolResult } from "../ports.ts";
import { textOf } from "../text.ts";
import type { WireObject } from "../wire-object.ts";

/** A result in its long form, or the error of the call. */
export function wholeResult(result: McpResult): McpToolResult | { readonly error: string } {
  if (typeof result === "string") return { content: [{ type: "text", text: result }] };
  return Array.isArray(result) ? { content: result } : (result as McpToolResult | { readonly error: string });
}

/** The result of a call for the model, within the budget of a tool output. */
export function mcpOutput(
  result: McpToolResult | { readonly error: string },
  durationMs: number,
): readonly WireObject[] {
  const header = inputText(`Wall time: ${(durationMs / 1_000).toFixed(4)} seconds\nOutput:`);
  const parts = "error" in result ? [inputText(result.error)] : partsOf(result);
  return cutOutput([header, ...parts]) as readonly WireObject[];
}

/** A model reads the structured form if there is one, because the content is the same in other words. */
function partsOf({ content, structuredContent }: McpToolResult): WireObject[] {
  if (structuredContent !== undefined && structuredContent !== null) {
    return [inputText(JSON.stringify(structuredContent))];
  }
  return content.map((part) => (isJsonObject(part) ? partOf(part) : inputText(String(part))));
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
