import { isJsonObject, offAbort, onAbort } from "codexwright/internal";
import type { Model } from "codexwright/protocol";
import type { ContextWindow, ModelEvent, ModelProvider, ModelRequest } from "../../core/ports.ts";
import { cutError, type ModelError } from "../../core/turn/model-error.ts";
import type { Cleaner } from "../secrets/index.ts";
import type { ModelCapabilities } from "./capabilities.ts";
import { estimatedUsage } from "./estimate.ts";
import { failureOf, reportedFailure } from "./failures.ts";
import type { AiSdkCall, AiSdkModel, AiSdkSettings, PromptMessage } from "./language-model.ts";
import { promptFor, type PromptForm } from "./prompt.ts";
import { ResponseReader, type ReaderOptions } from "./response-reader.ts";
import { customTools, toolsFor } from "./tools.ts";

/** The differences between the providers of the AI SDK. */
export interface Adapter {
  readonly id: string;
  /** Returns a model. It loads the package of the provider when it is first needed. */
  model(id: string): AiSdkModel | Promise<AiSdkModel>;
  readonly models: readonly Model[];
  capabilities(model: string): ModelCapabilities;
  readonly reasoning: ReaderOptions["reasoning"];
  readonly toolImages: boolean;
  /** Whether the model's server reads images at any address. Otherwise the model says which. */
  readonly allUrls: boolean;
  /** Settings for one request. */
  settings(request: ModelRequest, capabilities: ModelCapabilities): AiSdkSettings;
  /** Marks messages, for example as the end of what the provider caches. */
  mark?(messages: readonly PromptMessage[]): readonly PromptMessage[];
  /** Removes the secrets of the running requests from texts. */
  cleaner(): Cleaner;
}

/** The largest window that a configuration can set. Only the user knows the models of a server. */
const LARGEST_WINDOW = 100_000_000;

/** Answers model requests through a model of the AI SDK. */
export class AiSdkProvider implements ModelProvider {
  readonly id: string;
  readonly namespaces = false;
  readonly #adapter: Adapter;

  constructor(adapter: Adapter) {
    this.id = adapter.id;
    this.#adapter = adapter;
  }

  models(): ReturnType<ModelProvider["models"]> {
    return Promise.resolve(this.#adapter.models);
  }

  takesImages(model: string): boolean {
    return this.#adapter.capabilities(model).images ?? true;
  }

  contextWindow(model: string): ContextWindow | undefined {
    const tokens = this.#adapter.capabilities(model).contextWindow;
    return tokens === undefined ? undefined : { tokens, largest: LARGEST_WINDOW };
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    // The connection ends with the stream, even if the reader stops early.
    const connection = new AbortController();
    const abort = (): void => connection.abort(signal.reason);
    onAbort(signal, abort);
    const state = { opened: false };
    try {
      yield* this.#events(request, connection.signal, state);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw await failureOf(error, this.#adapter.cleaner(), state.opened);
    } finally {
      offAbort(signal, abort);
      connection.abort();
    }
  }

  async *#events(
    request: ModelRequest,
    signal: AbortSignal,
    state: { opened: boolean },
  ): AsyncGenerator<ModelEvent> {
    const model = await this.#adapter.model(request.model);
    const call = await this.#call(model, request, signal);
    const { stream } = await model.doStream(call);
    state.opened = true;
    const reader = new ResponseReader({
      reasoning: this.#adapter.reasoning,
      custom: customTools(request.tools),
    });
    let written = 0;
    let reported: ModelError | undefined;
    for await (const part of partsOf(stream)) {
      if (!isJsonObject(part)) continue;
      // An error ends the answer, even if the server sends more.
      if (part["type"] === "error")
        reported ??= await reportedFailure(part["error"], this.#adapter.cleaner());
      if (reported) throw reported;
      for (const event of reader.read(part)) {
        if ("delta" in event) written += event.delta.length;
        yield event.type === "completed" ? estimatedUsage(event, call.prompt, written) : event;
      }
      if (reader.completed) return;
    }
    throw cutError();
  }

  async #call(model: AiSdkModel, request: ModelRequest, signal: AbortSignal): Promise<AiSdkCall> {
    const { specificationVersion: version } = model;
    const capabilities = this.#adapter.capabilities(request.model);
    const form: PromptForm = {
      version,
      urls: this.#adapter.allUrls ? true : ((await model.supportedUrls) ?? {}),
      toolImages: this.#adapter.toolImages,
    };
    const tools = toolsFor(request.tools);
    const messages = promptFor(request, form);
    const { maxOutputTokens, reasoning = true } = capabilities;
    const { effort, outputSchema } = request;
    return {
      prompt: this.#adapter.mark?.(messages) ?? messages,
      ...(tools.length > 0 && { tools, toolChoice: { type: "auto" } }),
      ...(outputSchema && {
        responseFormat: { type: "json", schema: outputSchema.schema, name: "codex_output_schema" },
      }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(version === "v4" && reasoning && effort && { reasoning: EFFORTS.has(effort) ? effort : "max" }),
      providerOptions: this.#adapter.settings(request, capabilities),
      abortSignal: signal,
    };
  }
}

/** The efforts of version 4. Codex has one that is higher than all of them. */
const EFFORTS: ReadonlySet<string> = new Set(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);

/** The parts of a stream. If the reader stops early, the stream is cancelled. */
async function* partsOf(stream: ReadableStream<unknown>): AsyncGenerator {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
