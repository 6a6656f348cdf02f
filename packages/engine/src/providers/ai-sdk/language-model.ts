/**
 * A language model of the AI SDK, as its provider packages make it: version 3 or 4 of the provider specification. The
 * types are our own, so that programs without these packages can use the engine.
 */
export interface AiSdkModel {
  readonly specificationVersion: "v3" | "v4";
  /** The name of the provider, such as "anthropic.messages". */
  readonly provider: string;
  readonly modelId: string;
  /** The addresses of files that the model's server reads itself, by media type. */
  readonly supportedUrls?: SupportedUrls | PromiseLike<SupportedUrls>;
  doStream(call: AiSdkCall): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

export type SupportedUrls = Readonly<Record<string, RegExp[]>>;

/** The options of a call. Models know more of them. */
export interface AiSdkCall {
  readonly prompt: readonly object[];
  readonly tools?: readonly object[];
  readonly toolChoice?: object;
  readonly responseFormat?: object;
  readonly maxOutputTokens?: number;
  readonly providerOptions?: AiSdkSettings;
  readonly abortSignal?: AbortSignal;
  /** How much the model reasons; version 4 only. */
  readonly reasoning?: string;
}

/** Settings of providers, by the name of the provider. */
export type AiSdkSettings = Readonly<Record<string, object>>;

/** A message of a prompt. */
export type PromptMessage = (
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: readonly UserPart[] }
  | { readonly role: "assistant"; readonly content: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly content: readonly ToolResult[] }
) & { readonly providerOptions?: AiSdkSettings };

/** Metadata that the provider sent with a part of its answer. It gets them back with the part. */
interface WithOptions {
  readonly providerOptions?: AiSdkSettings;
}

export interface TextPart extends WithOptions {
  readonly type: "text";
  readonly text: string;
}

/** An image. The data has another form in each version of the specification. */
export interface FilePart {
  readonly type: "file";
  readonly mediaType: string;
  readonly data: unknown;
}

export type UserPart = TextPart | FilePart;

export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

interface ReasoningPart extends WithOptions {
  readonly type: "reasoning";
  readonly text: string;
}

interface ToolCallPart extends WithOptions {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

export interface ToolResult {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output:
    | { readonly type: "text"; readonly value: string }
    | { readonly type: "content"; readonly value: readonly object[] };
}
