import type { DynamicToolCallResponse } from "../protocol/index.ts";
import { isJsonObject } from "../rpc/json.ts";
import { issueLines, validate } from "../schema/schema.ts";
import { ToolOk } from "./ok.ts";
import type { Tool, ToolContent } from "./tool.ts";

/** The validated result of a tool, and its content for the model. */
export interface CheckedToolResult {
  readonly value: unknown;
  readonly content: ToolContent[];
}

/** Reads the result of a tool. Throws if it does not match the output schema or cannot be sent to the model. */
export async function toToolResult(tool: Tool<never>, result: unknown): Promise<CheckedToolResult> {
  const { value: given, options } = result instanceof ToolOk ? result : new ToolOk(result, {});
  const value = await checkedResult(tool, given);
  const { message, hidden = false, images = [] } = options;
  const rendered = hidden ? [] : tool.render ? [textItem(tool.render(value as never))] : toContent(value);
  const pictures = images.map((imageUrl) => checked({ type: "inputImage", imageUrl }));
  const content = [...(message === undefined ? [] : [textItem(message)]), ...rendered, ...pictures];
  // The model's provider may reject an output without parts.
  return { value, content: content.length === 0 ? [textItem("OK")] : content };
}

/** Returns the answer to a failed call. The text is for the model. */
export function failure(text: string): DynamicToolCallResponse {
  return { success: false, contentItems: [textItem(text)] };
}

async function checkedResult(tool: Tool<never>, result: unknown): Promise<unknown> {
  if (!tool.output) return result;
  const output = await validate(tool.output, result);
  if (output.ok) return output.value;
  throw new TypeError(
    `The result of ${tool.name} does not match its output schema:\n${issueLines(output.issues)}`,
  );
}

function textItem(text: string): ToolContent {
  return { type: "inputText", text };
}

function toContent(value: unknown): ToolContent[] {
  if (value === undefined) return [];
  if (typeof value === "string") return [textItem(value)];
  if (isContentList(value)) return value.map(checked);
  // JSON.stringify returns undefined for functions and symbols, although its TypeScript type does not say so.
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`the result is a ${typeof value}, which JSON cannot represent`);
  return [textItem(json)];
}

const KINDS: ReadonlySet<unknown> = new Set<ToolContent["type"]>(["inputText", "inputImage", "inputAudio"]);

/** An empty array counts as JSON, not as an empty list of content items. */
function isContentList(value: unknown): value is ToolContent[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isJsonObject(item) && KINDS.has(item["type"]))
  );
}

/**
 * Passes on only the known fields. Accepts only `data:` URLs: the server does not fetch others, and would reject the
 * whole answer.
 */
function checked(item: ToolContent): ToolContent {
  if (item.type === "inputImage") {
    checkDataUrl(item.imageUrl, "image");
    return { type: item.type, imageUrl: item.imageUrl };
  }
  if (item.type === "inputAudio") {
    checkDataUrl(item.audioUrl, "audio");
    return { type: item.type, audioUrl: item.audioUrl };
  }
  if (typeof item.text !== "string") throw new TypeError("an inputText item must have a text");
  return { type: item.type, text: item.text };
}

function checkDataUrl(url: unknown, kind: "image" | "audio"): void {
  if (typeof url === "string" && url.startsWith(`data:${kind}/`) && url.slice(0, 128).includes(";base64,"))
    return;
  throw new TypeError(`${kind}Url of a content item must be a data:${kind}/…;base64, URL`);
}
