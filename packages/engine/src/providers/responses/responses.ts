import { windowOf } from "../catalogue/index.ts";
import { checkOptions, offAbort, onAbort } from "codexwright/internal";
import type { ModelEvent, ModelProvider, ModelRequest } from "../../core/ports.ts";
import { Cleaner } from "../secrets/index.ts";
import { EventReader } from "../sse/index.ts";
import {
  checkHeaderText,
  isOtherType,
  LIMITS,
  networkErrorOf,
  notAStream,
  redirectOf,
  refusalOf,
  reportedOf,
  secretsIn,
} from "../http/index.ts";
import { addressOf, CALL, OPTIONS, ownHeaders, type ResponsesOptions } from "./options.ts";
import { rateLimitsOf } from "./rate-limits.ts";
import { bodyOf, threadHeaders } from "./request.ts";
import { meaningOf } from "./server-event.ts";

/** Answers model requests through a Responses API over HTTP. It sends the key only to the origin of `baseUrl`. */
export function responses(options: ResponsesOptions): ModelProvider {
  checkOptions(CALL, options, OPTIONS);
  return new ResponsesProvider(options);
}

class ResponsesProvider implements ModelProvider {
  readonly id: string;
  readonly #options: ResponsesOptions;
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: ResponsesOptions) {
    this.id = options.id ?? "responses";
    this.#options = options;
    this.#url = addressOf(options);
    this.#headers = ownHeaders(options);
    if (typeof options.apiKey === "string") checkHeaderText(CALL, "apiKey", options.apiKey);
  }

  contextWindow(model: string): ReturnType<NonNullable<ModelProvider["contextWindow"]>> {
    return windowOf(model);
  }

  models(): ReturnType<ModelProvider["models"]> {
    return Promise.resolve(this.#options.models ?? []);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    signal.throwIfAborted();
    const key = this.#key();
    const cleaner = new Cleaner(secretsIn(key, this.#headers, this.#url));
    // The connection ends with the stream, even if the reader stops early.
    const connection = new AbortController();
    const abort = (): void => connection.abort(signal.reason);
    onAbort(signal, abort);
    let opened = false;
    try {
      const response = await this.#post(request, key, connection.signal);
      const shown = `${this.#url.origin}${this.#url.pathname}`;
      if (response.status >= 300 && response.status < 400) throw await redirectOf(response, shown, cleaner);
      if (!response.ok) throw await refusalOf(response, shown, cleaner);
      if (isOtherType(response)) throw await notAStream(response, shown, cleaner);
      opened = true;
      yield* eventsOf(response, cleaner);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw networkErrorOf(error, opened);
    } finally {
      offAbort(signal, abort);
      connection.abort();
    }
  }

  #post(request: ModelRequest, key: string | undefined, signal: AbortSignal): Promise<Response> {
    const send = this.#options.fetch ?? fetch;
    return send(this.#url, {
      method: "POST",
      headers: {
        originator: "codexwright",
        "user-agent": this.#options.userAgent ?? "codexwright",
        ...threadHeaders(request),
        ...this.#headers,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        accept: "text/event-stream",
        "content-type": "application/json",
      },
      body: JSON.stringify(bodyOf(request)),
      redirect: "manual",
      signal,
    });
  }

  #key(): string | undefined {
    const { apiKey } = this.#options;
    if (typeof apiKey !== "function") return apiKey;
    const key = apiKey();
    if (key !== undefined) checkHeaderText(CALL, "apiKey", key);
    return key;
  }
}

/** The events of a response until it is complete. */
async function* eventsOf(response: Response, cleaner: Cleaner): AsyncGenerator<ModelEvent> {
  if (!response.body) return;
  const events = new EventReader(LIMITS);
  const reader = response.body.getReader();
  const rateLimits = rateLimitsOf(response.headers, Date.now());
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const data of events.push(value)) {
      const meaning = meaningOf(data);
      if (!meaning) continue;
      if (meaning.type === "failed") throw await reportedOf(meaning.failure, cleaner);
      if (meaning.type === "completed") {
        yield { ...meaning, rateLimits };
        return;
      }
      yield meaning;
    }
  }
}
