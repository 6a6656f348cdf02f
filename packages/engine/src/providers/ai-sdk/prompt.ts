import { isJsonObject } from "codexwright/internal";
import { METADATA } from "../../core/context/prompt.ts";
import { CALL_LOST, fromDeveloper, NO_INPUT, TOOL_IMAGES } from "../../core/instructions/notes.ts";
import { parseJson } from "../../core/depth.ts";
import type { ModelRequest } from "../../core/ports.ts";
import { textOf } from "../../core/text.ts";
import type { WireObject } from "../../core/wire-object.ts";
import { imagePart, imageResult, type ImageForm } from "./images.ts";
import type { AiSdkSettings, AssistantPart, PromptMessage, ToolResult, UserPart } from "./language-model.ts";

/** The form of the prompts of a model. */
export interface PromptForm extends ImageForm {
  /** Whether the output of a tool can have images. Otherwise a message of the user follows with them. */
  readonly toolImages: boolean;
}

/**
 * Converts a conversation to a prompt of the AI SDK. Messages of the developer at the beginning become the system's;
 * later ones become the user's, because most models hear the system only at the beginning. The outputs of calls follow
 * the message with the calls, as these models demand.
 */
export function promptFor(request: ModelRequest, form: PromptForm): PromptMessage[] {
  const start = request.input.findIndex((item) => !isFromDeveloper(item));
  const split = start === -1 ? request.input.length : start;
  const system = [request.instructions, ...request.input.slice(0, split).map((item) => developerText(item))];
  const builder = new PromptBuilder(form, outputsIn(request.input));
  for (const item of request.input.slice(split)) builder.add(item);
  const text = system.filter((each) => each !== "").join("\n\n");
  const rest = builder.end();
  const messages = rest[0]?.role === "user" ? rest : [user([{ type: "text", text: NO_INPUT }]), ...rest];
  return text === "" ? messages : [{ role: "system", content: text }, ...messages];
}

class PromptBuilder {
  readonly #form: PromptForm;
  readonly #outputs: Map<string, WireObject[]>;
  readonly #messages: PromptMessage[] = [];
  #user: UserPart[] = [];
  #assistant: AssistantPart[] = [];
  /** The calls of the assistant's open message. */
  #calls: { readonly id: string; readonly name: string }[] = [];

  constructor(form: PromptForm, outputs: Map<string, WireObject[]>) {
    this.#form = form;
    this.#outputs = outputs;
  }

  add(item: WireObject): void {
    switch (item["type"]) {
      case "message":
        return this.#message(item);
      case "reasoning":
        return this.#reasoning(item);
      case "function_call":
      case "custom_tool_call":
        return this.#call(item);
      default:
      // Outputs follow their calls. Other items are about tools of OpenAI's servers.
    }
  }

  end(): PromptMessage[] {
    this.#endAssistant();
    this.#endUser();
    return this.#messages;
  }

  #message(item: WireObject): void {
    if (item["role"] === "assistant") {
      const text = partsOf(item)
        .map((part) => textOf(part["text"]))
        .join("");
      // Some servers refuse an empty text.
      if (text.trim() !== "") this.#say({ type: "text", text, ...optionsOf(item) });
      return;
    }
    this.#endAssistant();
    if (isFromDeveloper(item)) {
      const text = developerText(item);
      if (text !== "") this.#user.push({ type: "text", text: fromDeveloper(text) });
      return;
    }
    for (const part of partsOf(item)) {
      if (part["type"] === "input_image") this.#user.push(imagePart(part, this.#form));
      else if (textOf(part["text"]) !== "") this.#user.push({ type: "text", text: textOf(part["text"]) });
    }
  }

  /** Reasoning of another provider means nothing to this one. */
  #reasoning(item: WireObject): void {
    if (!isJsonObject(item[METADATA])) return;
    const parts = [item["content"], item["summary"]].find((each) => Array.isArray(each) && each.length > 0);
    const text = listOf(parts).map((part) => textOf(part["text"]));
    this.#say({ type: "reasoning", text: text.join("\n\n"), ...optionsOf(item) });
  }

  #call(item: WireObject): void {
    const [id, name] = [textOf(item["call_id"]), textOf(item["name"])];
    const input =
      item["type"] === "custom_tool_call"
        ? { input: textOf(item["input"]) }
        : inputOf(textOf(item["arguments"]));
    this.#say({ type: "tool-call", toolCallId: id, toolName: name, input, ...optionsOf(item) });
    this.#calls.push({ id, name });
  }

  #say(part: AssistantPart): void {
    this.#endUser();
    this.#assistant.push(part);
  }

  #endUser(): void {
    if (this.#user.length > 0) this.#messages.push(user(this.#user));
    this.#user = [];
  }

  #endAssistant(): void {
    if (this.#assistant.length > 0) this.#messages.push({ role: "assistant", content: this.#assistant });
    this.#assistant = [];
    const images: UserPart[] = [];
    const content = this.#calls.map(({ id, name }): ToolResult => {
      const output = this.#outputs.get(id)?.shift()?.["output"] ?? CALL_LOST;
      if (!Array.isArray(output)) return resultOf(id, name, textOf(output));
      return this.#listResult(id, name, listOf(output), images);
    });
    this.#calls = [];
    if (content.length > 0) this.#messages.push({ role: "tool", content });
    if (images.length > 0) this.#user.push({ type: "text", text: TOOL_IMAGES }, ...images);
  }

  #listResult(id: string, name: string, parts: readonly WireObject[], images: UserPart[]): ToolResult {
    const isImage = (part: WireObject): boolean => part["type"] === "input_image";
    if (!parts.some(isImage) || !this.#form.toolImages) {
      images.push(...parts.filter(isImage).map((part) => imagePart(part, this.#form)));
      const texts = parts.filter((part) => !isImage(part)).map((part) => textOf(part["text"]));
      return resultOf(id, name, texts.join("\n"));
    }
    const value = parts.map((part) =>
      isImage(part) ? imageResult(part, this.#form) : { type: "text", text: textOf(part["text"]) },
    );
    return { type: "tool-result", toolCallId: id, toolName: name, output: { type: "content", value } };
  }
}

/** The outputs of each call, oldest first. A model may use the id of a call again. */
function outputsIn(input: readonly WireObject[]): Map<string, WireObject[]> {
  const outputs = new Map<string, WireObject[]>();
  for (const item of input) {
    const type = item["type"];
    if (type !== "function_call_output" && type !== "custom_tool_call_output") continue;
    const id = textOf(item["call_id"]);
    const known = outputs.get(id);
    if (known) known.push(item);
    else outputs.set(id, [item]);
  }
  return outputs;
}

function user(content: readonly UserPart[]): PromptMessage {
  return { role: "user", content };
}

function resultOf(id: string, name: string, text: string): ToolResult {
  return {
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    output: { type: "text", value: text === "" ? "(no output)" : text },
  };
}

function isFromDeveloper(item: WireObject): boolean {
  return item["type"] === "message" && (item["role"] === "developer" || item["role"] === "system");
}

function developerText(item: WireObject): string {
  return partsOf(item)
    .map((part) => textOf(part["text"]))
    .filter((text) => text !== "")
    .join("\n\n");
}

function partsOf(item: WireObject): WireObject[] {
  return listOf(item["content"]);
}

function listOf(value: unknown): WireObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function optionsOf(item: WireObject): { readonly providerOptions?: AiSdkSettings } {
  const metadata = item[METADATA];
  if (!isJsonObject(metadata) || Object.keys(metadata).length === 0) return {};
  return { providerOptions: metadata as AiSdkSettings };
}

/** The arguments of a call. The model wrote them, so they need not be an object, or JSON. */
function inputOf(args: string): unknown {
  try {
    const input = parseJson(args === "" ? "{}" : args);
    return isJsonObject(input) ? input : { input };
  } catch {
    return { input: args };
  }
}
