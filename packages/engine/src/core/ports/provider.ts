import type { Model, RateLimitSnapshot } from "codexwright/protocol";
import type { WireObject } from "../wire-object.ts";

/** Answers model requests. It must not retry failed requests, because the engine retries them. */
export interface ModelProvider {
  /** The name that clients see as the `modelProvider` of a thread. */
  readonly id: string;
  /** Whether models take tools in namespaces. If not, the engine puts the namespace into the name. Default true. */
  readonly namespaces?: boolean | undefined;
  /** Whether a model takes images. Default: every model does. */
  readonly takesImages?: ((model: string) => boolean) | undefined;
  /** Returns the context window of a model, or `undefined` if the model is not known. Default: no model is known. */
  readonly contextWindow?: ((model: string) => ContextWindow | undefined) | undefined;
  /** Returns the models for `model/list`. */
  models(signal: AbortSignal): Promise<readonly Model[]>;
  /**
   * Streams one response. The stream must end with a `completed` event or throw a `ModelError`. If the signal aborts,
   * the stream must throw the signal's reason immediately.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** How many tokens a request to a model and its answer may have. */
export interface ContextWindow {
  /** The window, unless the configuration sets one. */
  readonly tokens: number;
  /** The largest window that the configuration can set. */
  readonly largest: number;
}

/** One request to a model. */
export interface ModelRequest {
  readonly model: string;
  readonly instructions: string;
  /** The conversation as Responses API items, oldest first. */
  readonly input: readonly WireObject[];
  /** The tools that the model may call, in the form of the Responses API. */
  readonly tools: readonly WireObject[];
  /** The JSON Schema that the answer must match. */
  readonly outputSchema?: { readonly schema: unknown; readonly strict: boolean };
  /** Whether the model may make several tool calls in one response. */
  readonly parallel?: boolean;
  /** How much the model should reason, and how much of it it should summarize. */
  readonly effort?: string | null;
  readonly summary?: string | null;
  /** The name of the client that started the thread. */
  readonly originator?: string;
  readonly ids: { readonly thread: string; readonly turn?: string; readonly session?: string };
}

/** An event of a model's response. Items are Responses API items. */
export type ModelEvent =
  /** The model has begun to answer. */
  | { readonly type: "created" }
  | { readonly type: "itemAdded" | "itemDone"; readonly item: WireObject }
  /** A piece of a message, or of the arguments of a call. */
  | { readonly type: "text" | "arguments"; readonly itemId: string; readonly delta: string }
  | { readonly type: "summaryPart"; readonly itemId: string; readonly index: number }
  | {
      readonly type: "summary" | "reasoning";
      readonly itemId: string;
      readonly index: number;
      readonly delta: string;
    }
  /** `rateLimits` are those of the account, if the server told any. */
  | {
      readonly type: "completed";
      readonly usage: ModelUsage;
      readonly rateLimits?: readonly RateLimitSnapshot[];
    };

/** The tokens that one response used. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly reasoningOutputTokens: number;
  readonly totalTokens: number;
}
