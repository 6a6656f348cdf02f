import { isDeeperThan, isJsonObject } from "codexwright/internal";
import { METADATA } from "../../core/context/prompt.ts";
import { parseJson } from "../../core/depth.ts";
import { uuid7 } from "../../core/ids.ts";
import type { ModelEvent } from "../../core/ports.ts";
import { textOf } from "../../core/text.ts";
import type { WireObject } from "../../core/wire-object.ts";
import { cutError, ModelError } from "../../core/turn/model-error.ts";
import { DEEPEST_ITEM } from "../http/index.ts";
import { usageOf } from "./usage.ts";

/** How a response is read. */
export interface ReaderOptions {
  /** Whether clients see reasoning as a summary, or as the model's own text. */
  readonly reasoning: "summary" | "text";
  /** The tools whose arguments are plain text. */
  readonly custom: ReadonlySet<string>;
}

/** A message or reasoning that the model is writing. */
interface OpenItem {
  readonly kind: "message" | "reasoning";
  /** The id that the model's package gave it. */
  readonly part: string;
  readonly id: string;
  text: string;
  metadata: WireObject;
  /** Whether clients know of it. They do not see an item without text. */
  shown: boolean;
}

interface Call {
  readonly id: string;
  /** The whole call, when the model has written it. */
  item?: WireObject;
  /** Whether its arguments can be read. They are parsed once, because there may be many calls behind it. */
  isWhole?: boolean;
}

/**
 * Converts the parts of a stream of the AI SDK to events of the engine. Items are done in the order in which they
 * began: a package may end a text only after the calls that follow it, so the begin of an item ends the one before.
 */
export class ResponseReader {
  readonly #options: ReaderOptions;
  /** Tool calls that are not done, in their order. */
  readonly #calls = new Map<string, Call>();
  #open: OpenItem | undefined;
  #created = false;
  #completed = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Whether the response is complete. */
  get completed(): boolean {
    return this.#completed;
  }

  /** Returns the events of one part. Parts of unknown types mean nothing. */
  *read(part: WireObject): Generator<ModelEvent> {
    const id = textOf(part["id"]);
    switch (part["type"]) {
      case "response-metadata":
        yield* this.#create();
        break;
      case "text-start":
      case "reasoning-start":
        yield* this.#close();
        this.#begin(part["type"] === "text-start" ? "message" : "reasoning", id, part);
        break;
      case "text-delta":
        yield* this.#delta("message", id, part);
        break;
      case "reasoning-delta":
        yield* this.#delta("reasoning", id, part);
        break;
      case "text-end":
      case "reasoning-end":
        if (this.#open?.part !== id) break;
        this.#learn(part);
        yield* this.#close();
        break;
      case "tool-input-start":
        if (part["providerExecuted"] === true) break;
        yield* this.#close();
        this.#calls.set(id, { id: `fc_${uuid7()}` });
        break;
      case "tool-input-delta":
        yield* this.#arguments(id, textOf(part["delta"]));
        break;
      case "tool-call":
        yield* this.#call(part);
        break;
      case "finish":
        yield* this.#finish(part);
        break;
      default:
    }
  }

  *#create(): Generator<ModelEvent> {
    if (!this.#created) yield { type: "created" };
    this.#created = true;
  }

  #begin(kind: OpenItem["kind"], part: string, from: WireObject): OpenItem {
    const id = `${kind === "message" ? "msg" : "rs"}_${uuid7()}`;
    this.#open = { kind, part, id, text: "", metadata: {}, shown: false };
    this.#learn(from);
    return this.#open;
  }

  #learn({ providerMetadata }: WireObject): void {
    if (!this.#open || !isMetadata(providerMetadata)) return;
    this.#open.metadata = merged(this.#open.metadata, providerMetadata);
  }

  *#delta(kind: OpenItem["kind"], part: string, from: WireObject): Generator<ModelEvent> {
    let open = this.#open;
    if (open?.kind !== kind || open.part !== part) {
      yield* this.#close();
      open = this.#begin(kind, part, from);
    } else this.#learn(from);
    const delta = textOf(from["delta"]);
    if (delta === "") return;
    yield* this.#show(open);
    open.text += delta;
    if (kind === "message") yield { type: "text", itemId: open.id, delta };
    else {
      const type = this.#options.reasoning === "summary" ? "summary" : "reasoning";
      yield { type, itemId: open.id, index: 0, delta };
    }
  }

  *#show(open: OpenItem): Generator<ModelEvent> {
    if (open.shown) return;
    open.shown = true;
    yield* this.#create();
    yield { type: "itemAdded", item: this.#itemOf(open) };
    if (open.kind === "reasoning" && this.#options.reasoning === "summary") {
      yield { type: "summaryPart", itemId: open.id, index: 0 };
    }
  }

  *#close(): Generator<ModelEvent> {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    // Reasoning that only the provider can read has no text.
    const isHidden = open.kind === "reasoning" && Object.keys(open.metadata).length > 0;
    if (open.shown || isHidden) yield { type: "itemDone", item: this.#itemOf(open) };
  }

  #itemOf({ kind, id, text, metadata }: OpenItem): WireObject {
    if (kind === "message") {
      const content = text === "" ? [] : [{ type: "output_text", text }];
      return { type: "message", id, role: "assistant", content, ...kept(metadata) };
    }
    const isSummary = this.#options.reasoning === "summary";
    return {
      type: "reasoning",
      id,
      summary: isSummary && text !== "" ? [{ type: "summary_text", text }] : [],
      content: !isSummary && text !== "" ? [{ type: "reasoning_text", text }] : [],
      [METADATA]: metadata,
    };
  }

  *#arguments(id: string, delta: string): Generator<ModelEvent> {
    const call = this.#calls.get(id);
    if (!call || delta === "") return;
    yield* this.#create();
    yield { type: "arguments", itemId: call.id, delta };
  }

  *#call(part: WireObject): Generator<ModelEvent> {
    if (part["providerExecuted"] === true) return;
    yield* this.#close();
    yield* this.#create();
    const callId = textOf(part["toolCallId"]);
    const call: Call = this.#calls.get(callId) ?? { id: `fc_${uuid7()}` };
    const item = this.#callItem(call.id, callId, part);
    call.item = item;
    call.isWhole = item["type"] === "custom_tool_call" || isWhole(textOf(item["arguments"]));
    this.#calls.set(callId, call);
    // A call that is not whole may come from a stream that was cut. It waits for the end of the response.
    yield* this.#ready((each) => each.isWhole === true);
  }

  #callItem(id: string, callId: string, { toolName, input, providerMetadata }: WireObject): WireObject {
    const name = textOf(toolName);
    const args = typeof input === "string" ? input : JSON.stringify(input ?? {});
    const own = isMetadata(providerMetadata) ? kept(providerMetadata) : {};
    const text = this.#options.custom.has(name) ? plainText(args) : undefined;
    if (text !== undefined)
      return { type: "custom_tool_call", id, call_id: callId, name, input: text, ...own };
    return { type: "function_call", id, call_id: callId, name, arguments: args, ...own };
  }

  *#ready(isReady: (call: Call) => boolean): Generator<ModelEvent> {
    for (const [key, call] of this.#calls) {
      const { item } = call;
      if (!item || !isReady(call)) return;
      this.#calls.delete(key);
      yield { type: "itemDone", item };
    }
  }

  *#finish({ finishReason, usage }: WireObject): Generator<ModelEvent> {
    yield* this.#close();
    const { unified: reason, raw } = isJsonObject(finishReason)
      ? finishReason
      : { unified: finishReason, raw: "" };
    // Packages finish a stream without a reason if its server did not finish it.
    if (reason === "error" || (reason === "other" && typeof raw !== "string")) throw cutError();
    const why = typeof reason === "string" ? INCOMPLETE[reason] : undefined;
    if (why !== undefined) {
      const message = `Incomplete response returned, reason: ${why}`;
      throw new ModelError(message, { phase: "stream", reason: "incomplete" });
    }
    for (const [key, { item }] of this.#calls) if (!item) this.#calls.delete(key);
    yield* this.#ready(() => true);
    yield* this.#create();
    this.#completed = true;
    yield { type: "completed", usage: usageOf(usage) };
  }
}

/** Reasons to finish before the answer is complete, in the words of the Responses API. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  length: "max_output_tokens",
  "content-filter": "content_filter",
  interrupted: "interrupted",
};

function isWhole(args: string): boolean {
  try {
    return isJsonObject(parseJson(args));
  } catch {
    return false;
  }
}

function plainText(args: string): string | undefined {
  try {
    const value: unknown = parseJson(args);
    return isJsonObject(value) && typeof value["input"] === "string" ? value["input"] : undefined;
  } catch {
    return undefined;
  }
}

/** A server can write anything into its metadata, which becomes a part of the thread. */
function isMetadata(value: unknown): value is WireObject {
  return isJsonObject(value) && !isDeeperThan(value, DEEPEST_ITEM);
}

function kept(metadata: WireObject): WireObject {
  const own = Object.entries(metadata).filter(([, of]) => isJsonObject(of) && Object.keys(of).length > 0);
  return own.length === 0 ? {} : { [METADATA]: Object.fromEntries(own) };
}

function merged(known: WireObject, more: WireObject): WireObject {
  const result: Record<string, unknown> = { ...known };
  for (const [provider, of] of Object.entries(more)) {
    if (!isJsonObject(of)) continue;
    const before = Object.hasOwn(result, provider) ? result[provider] : undefined;
    Object.defineProperty(result, provider, {
      value: { ...(isJsonObject(before) ? before : {}), ...of },
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return result;
}
