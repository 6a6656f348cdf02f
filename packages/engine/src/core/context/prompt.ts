import { isJsonObject } from "codexwright/internal";
import { cutOutput } from "./budget.ts";
import { paired } from "./pairs.ts";
import { CALL_LOST, IMAGE_LEFT_OUT } from "../instructions/notes.ts";
import { textOf } from "../text.ts";
import type { WireObject } from "../wire-object.ts";

/** Options of {@link promptOf}. They depend on the model and its provider. */
export interface PromptOptions {
  /** Whether the model takes images. */
  readonly images: boolean;
  /** The provider that gets the prompt. */
  readonly provider: string;
  /** The provider of items that carry no mark. */
  readonly origin: string;
  /** The name of a tool in a namespace, for a provider without namespaces. */
  readonly flatName?: (namespace: string, name: string) => string;
}

/** The field that says which provider encrypted the content of an item. No provider receives it. */
const MARK = "codexwright_provider";

/** The field for what a provider wants back together with an item, such as a signature. No other provider receives it. */
export const METADATA = "codexwright_metadata";

/** Marks an item of a model whose content only its provider can read. */
export function marked(item: WireObject, provider: string): WireObject {
  const isOwn = typeof item["encrypted_content"] === "string" || item[METADATA] !== undefined;
  return isOwn ? { ...item, [MARK]: provider } : item;
}

/** Marks the items that carry no mark, so that they keep their provider in a thread of another one. */
export function markedAsOf(history: readonly WireObject[], provider: string): WireObject[] {
  return history.map((item) => (MARK in item ? item : marked(item, provider)));
}

/**
 * Returns the conversation in a form that providers accept. Depends on nothing but its arguments, and changes each item
 * by itself apart from pairing calls with outputs: if the conversation only grows, so does the prompt.
 */
export function promptOf(history: readonly WireObject[], options: PromptOptions): WireObject[] {
  return paired(
    history.flatMap((item) => known(withoutForeign(item, options), options)),
    CALL_LOST,
  );
}

/** Other providers receive neither the mark of an item nor its metadata. Reasoning has rules of its own. */
function withoutForeign(item: WireObject, { provider, origin }: PromptOptions): WireObject {
  if (item["type"] === "reasoning" || !(MARK in item || METADATA in item)) return item;
  const { [MARK]: mark, [METADATA]: metadata, ...rest } = item;
  const isOwn = metadata !== undefined && (mark ?? origin) === provider;
  return isOwn ? { ...rest, [METADATA]: metadata } : rest;
}

function known(item: WireObject, options: PromptOptions): WireObject[] {
  switch (item["type"]) {
    case "message":
      return messageOf(item, options);
    case "reasoning":
      return reasoningOf(item, options);
    case "function_call":
    case "custom_tool_call": {
      const { id: _, ...call } = item;
      return typeof item["call_id"] === "string" ? [flattened(call, options)] : [];
    }
    case "function_call_output":
    case "custom_tool_call_output": {
      const { output } = item;
      const whole = Array.isArray(output) ? output.filter(isJsonObject) : textOf(output);
      return [{ ...item, output: withoutImages(cutOutput(whole), options) }];
    }
    default:
      return SENT.has(textOf(item["type"])) ? [item] : [];
  }
}

/** Other items that providers accept. Providers reject a request with an item of a type that they do not know. */
const SENT: ReadonlySet<string> = new Set([
  "code_interpreter_call",
  "compaction",
  "file_search_call",
  "image_generation_call",
  "local_shell_call",
  "local_shell_call_output",
  "mcp_call",
  "web_search_call",
]);

/** Items of the model go back without their ids: the provider stores nothing that an id could name. */
function messageOf(item: WireObject, options: PromptOptions): WireObject[] {
  const { id, ...rest } = item;
  const content = Array.isArray(item["content"]) ? item["content"].filter(isJsonObject) : [];
  if (content.length === 0 || typeof item["role"] !== "string") return [];
  const own = item["role"] === "assistant" || id === undefined ? {} : { id };
  return [{ ...rest, ...own, content: withoutImages(content, options) }];
}

function flattened(call: WireObject, { flatName }: PromptOptions): WireObject {
  const { namespace, ...rest } = call;
  if (!flatName || typeof namespace !== "string") return call;
  return { ...rest, name: flatName(namespace, textOf(call["name"])) };
}

function reasoningOf(item: WireObject, { provider, origin }: PromptOptions): WireObject[] {
  const { id: _, encrypted_content: encrypted, [MARK]: mark, [METADATA]: metadata, ...rest } = item;
  if (typeof encrypted !== "string" && metadata === undefined) return [rest];
  if ((mark ?? origin) === provider) {
    return [
      {
        ...rest,
        ...(typeof encrypted === "string" && { encrypted_content: encrypted }),
        ...(metadata !== undefined && { [METADATA]: metadata }),
      },
    ];
  }
  const { summary } = item;
  return Array.isArray(summary) && summary.length > 0 ? [rest] : [];
}

function withoutImages(
  content: string | readonly WireObject[],
  { images }: PromptOptions,
): string | readonly WireObject[] {
  if (images || typeof content === "string") return content;
  return content.map((part) =>
    part["type"] === "input_image" ? { type: "input_text", text: IMAGE_LEFT_OUT } : part,
  );
}
