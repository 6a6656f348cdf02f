import type { DynamicToolCallResponse } from "../../protocol/index.ts";
import { isJsonObject } from "../schema/schema.ts";
import type { ToolContent } from "./tool.ts";

/** The answer to a call that worked. Throws where the value is none the model can be given. */
export function toResponse(value: unknown): DynamicToolCallResponse {
  return { success: true, contentItems: toContent(value) };
}

/** The answer to a call that did not work; the text is for the model. */
export function failure(text: string): DynamicToolCallResponse {
  return { success: false, contentItems: [{ type: "inputText", text }] };
}

function toContent(value: unknown): ToolContent[] {
  // Not an empty list: that would reach the model's provider as an output of no parts, which it need not take.
  if (value === undefined) return [{ type: "inputText", text: "" }];
  if (typeof value === "string") return [{ type: "inputText", text: value }];
  if (isContentList(value)) return value.map(checked);
  // TypeScript does not say so, but functions and symbols are no JSON.
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`the result is a ${typeof value}, which JSON cannot hold`);
  return [{ type: "inputText", text: json }];
}

const KINDS: ReadonlySet<unknown> = new Set<ToolContent["type"]>(["inputText", "inputImage", "inputAudio"]);

/** An empty list is JSON: no content item is no content. */
function isContentList(value: unknown): value is ToolContent[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isJsonObject(item) && KINDS.has(item["type"]))
  );
}

/** Only the known fields are passed on. The server fetches no URL: it would take the whole answer for invalid. */
function checked(item: ToolContent): ToolContent {
  if (item.type === "inputImage") {
    checkDataUrl(item.imageUrl, "image");
    return { type: item.type, imageUrl: item.imageUrl };
  }
  if (item.type === "inputAudio") {
    checkDataUrl(item.audioUrl, "audio");
    return { type: item.type, audioUrl: item.audioUrl };
  }
  if (typeof item.text !== "string") throw new TypeError("an inputText item has no text");
  return { type: item.type, text: item.text };
}

function checkDataUrl(url: unknown, kind: "image" | "audio"): void {
  if (typeof url === "string" && url.startsWith(`data:${kind}/`) && url.slice(0, 128).includes(";base64,"))
    return;
  throw new TypeError(`${kind}Url of a content item is not a data:${kind}/…;base64, URL`);
}
