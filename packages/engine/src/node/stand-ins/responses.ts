import { STATUS_CODES } from "node:http";
import type { Model } from "codexwright/protocol";
import { ModelError } from "../../core/turn/model-error.ts";
import type { ModelEvent, ModelProvider, ModelRequest, ModelUsage } from "../../core/ports.ts";
import type { WireObject } from "../../core/wire-object.ts";

const MODELS: readonly Model[] = ["mock-model", "mock-model-mini"].map((id, at) => ({
  id,
  model: id,
  upgrade: null,
  upgradeInfo: null,
  availabilityNux: null,
  displayName: id,
  description: "A model of a stand-in.",
  modelSpecialty: null,
  hidden: false,
  supportedReasoningEfforts: [{ reasoningEffort: "medium", description: "Balances speed and depth" }],
  defaultReasoningEffort: "medium",
  inputModalities: ["text", "image"],
  supportsPersonality: false,
  multiAgentVersion: null,
  additionalSpeedTiers: [],
  serviceTiers: [],
  defaultServiceTier: null,
  availableAccessPrograms: null,
  isDefault: at === 0,
}));

/** A stand-in for the provider of the Responses API: no retries, no limits. */
export function responses(options: {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly id?: string;
}): ModelProvider {
  const url = `${options.baseUrl}/responses`;
  return {
    id: options.id ?? "mock",
    models: () => Promise.resolve(MODELS),
    async *stream(request, signal) {
      const headers: Record<string, string> = {
        "content-type": "application/json",
        accept: "text/event-stream",
        "thread-id": request.ids.thread,
        "session-id": request.ids.session ?? request.ids.thread,
      };
      if (options.apiKey !== undefined) headers["authorization"] = `Bearer ${options.apiKey}`;
      const init = { method: "POST", headers, body: JSON.stringify(bodyOf(request)), signal };
      let response: Response;
      try {
        response = await fetch(url, init);
      } catch (error) {
        signal.throwIfAborted();
        throw new ModelError((error as Error).message, { phase: "connect", url }, { cause: error });
      }
      if (!response.ok) throw await refusal(response, url);
      let isOver = false;
      for await (const event of eventsOf(response, signal)) {
        for (const one of modelEvents(event)) {
          isOver ||= one.type === "completed";
          yield one;
        }
      }
      if (!isOver) throw new ModelError("stream closed before response.completed", { phase: "stream" });
    },
  };
}

function bodyOf({ model, instructions, input, tools, outputSchema, ids, ...rest }: ModelRequest): WireObject {
  return {
    model,
    ...(instructions !== "" && { instructions }),
    input,
    tools,
    tool_choice: "auto",
    parallel_tool_calls: rest.parallel ?? true,
    store: false,
    stream: true,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: ids.thread,
    ...(outputSchema && { text: { format: { type: "json_schema", name: "output", ...outputSchema } } }),
  };
}

async function refusal(response: Response, url: string): Promise<ModelError> {
  const { status } = response;
  const body = await response.text();
  const { message = body, code } = errorIn(body);
  const statusText = STATUS_CODES[status] ?? "";
  return new ModelError(message, {
    phase: "status",
    status,
    statusText,
    reason: code ?? undefined,
    body,
    url,
  });
}

function errorIn(body: string): { readonly message?: string; readonly code?: string | null } {
  try {
    return (JSON.parse(body) as { error?: { message?: string; code?: string | null } }).error ?? {};
  } catch {
    return {};
  }
}

interface WireEvent {
  readonly type: string;
  readonly item?: WireObject;
  readonly item_id?: string;
  readonly delta?: string;
  readonly summary_index?: number;
  readonly content_index?: number;
  readonly response?: {
    readonly usage?: WireUsage;
    readonly error?: { readonly code?: string; readonly message?: string };
  };
}
interface WireUsage {
  readonly input_tokens: number;
  readonly input_tokens_details?: { readonly cached_tokens: number };
  readonly output_tokens: number;
  readonly output_tokens_details?: { readonly reasoning_tokens: number };
  readonly total_tokens: number;
}

async function* eventsOf(response: Response, signal: AbortSignal): AsyncGenerator<WireEvent> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("data: ")) yield JSON.parse(line.slice(6)) as WireEvent;
      }
    }
  } catch (cause) {
    signal.throwIfAborted();
    const why = "Transport error: network error: error decoding response body";
    throw new ModelError(why, { phase: "stream" }, { cause });
  }
}

function* modelEvents(event: WireEvent): Generator<ModelEvent> {
  const { type, item = {}, item_id: itemId = "", delta = "", response } = event;
  const index = event.summary_index ?? event.content_index ?? 0;
  const simple: Readonly<Record<string, ModelEvent>> = {
    "response.created": { type: "created" },
    "response.output_item.added": { type: "itemAdded", item },
    "response.output_item.done": { type: "itemDone", item },
    "response.output_text.delta": { type: "text", itemId, delta },
    "response.reasoning_summary_part.added": { type: "summaryPart", itemId, index },
    "response.reasoning_summary_text.delta": { type: "summary", itemId, index, delta },
    "response.reasoning_text.delta": { type: "reasoning", itemId, index, delta },
    "response.completed": { type: "completed", usage: usageOf(response?.usage) },
  };
  if (type === "response.failed") {
    const { message = "response failed", code } = response?.error ?? {};
    throw new ModelError(message, { phase: "stream", reason: code });
  }
  const one = simple[type];
  if (one) yield one;
}

function usageOf(usage: WireUsage | undefined): ModelUsage {
  return {
    inputTokens: usage?.input_tokens ?? 0,
    cachedInputTokens: usage?.input_tokens_details?.cached_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
    reasoningOutputTokens: usage?.output_tokens_details?.reasoning_tokens ?? 0,
    totalTokens: usage?.total_tokens ?? 0,
  };
}
