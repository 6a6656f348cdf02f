import type { DynamicToolCallResponse } from "../protocol/index.ts";
import { isJsonObject } from "../rpc/json.ts";
import { issueLines, validate } from "../schema/schema.ts";
import { ToolOk } from "./ok.ts";
import type { Tool, ToolContent } from "./tool.ts";

/** What a tool returned, validated, and what the model gets of it. */
export interface CheckedToolResult {
  readonly value: unknown;
  readonly content: ToolContent[];
}

/** Reads what a tool returned. Throws where that is not its output, or nothing the model can be given. */
export async function toToolResult(tool: Tool<never>, result: unknown): Promise<CheckedToolResult> {
  const { value: given, options } = result instanceof ToolOk ? result : new ToolOk(result, {});
  const value = await checkedResult(tool, given);
  const { message, hidden = false, images = [] } = options;
  const rendered = hidden ? [] : tool.render ? [textItem(tool.render(value as never))] : toContent(value);
  const pictures = images.map((imageUrl) => checked({ type: "inputImage", imageUrl }));
  const content = [...(message === undefined ? [] : [textItem(message)]), ...rendered, ...pictures];
  // An output of no parts is one that the model's provider need not take.
  return { value, content: content.length === 0 ? [textItem("OK")] : content };
}

/** The answer to a call that did not work; the text is for the model. */
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
  // TypeScript does not say so, but functions and symbols are no JSON.
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) throw new TypeError(`the result is a ${typeof value}, which JSON cannot hold`);
  return [textItem(json)];
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
