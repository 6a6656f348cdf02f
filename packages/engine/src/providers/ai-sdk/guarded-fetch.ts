import { isDeepText } from "codexwright/internal";
import { DEEPEST } from "../../core/depth.ts";
import { ModelError } from "../../core/turn/model-error.ts";
import { isOtherType, LIMITS, networkErrorOf, notAStream, redirectOf, refusalOf } from "../http/index.ts";
import type { Cleaner } from "../secrets/index.ts";
import { EventReader } from "../sse/index.ts";

/** How a request of a model's package is sent. */
export interface Sending {
  readonly send: typeof fetch;
  /** Sets the headers of our configuration, and the key. The package knows no key. */
  readonly prepare: (headers: Headers, url: URL) => void;
  readonly cleaner: () => Cleaner;
}

/**
 * The `fetch` for a package of the AI SDK. The packages read bodies and events of any size, follow redirects, and quote
 * what a server answers. So everything but a stream of events within our limits ends here, with a `ModelError`.
 */
export function guardedFetch({ send, prepare, cleaner }: Sending): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const headers = new Headers(init?.headers);
    prepare(headers, url);
    const shown = `${url.origin}${url.pathname}`;
    let response: Response;
    try {
      response = await send(url, { ...init, headers, redirect: "manual" });
    } catch (error) {
      if (init?.signal?.aborted) throw error;
      throw networkErrorOf(error, false);
    }
    if (response.status >= 300 && response.status < 400) throw await redirectOf(response, shown, cleaner());
    if (!response.ok) throw await refusalOf(response, shown, cleaner());
    if (isOtherType(response)) throw await notAStream(response, shown, cleaner());
    return new Response(response.body && bounded(response.body), {
      status: response.status,
      headers: response.headers,
    });
  };
}

/** The same bytes, within the limits of a response. */
function bounded(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const events = new EventReader(LIMITS);
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        for (const data of events.push(value)) if (isDeepText(data, DEEPEST)) throw tooDeep();
        controller.enqueue(value);
      } catch (error) {
        controller.error(error);
        reader.cancel().catch(() => {});
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function tooDeep(): ModelError {
  const message = `an event of the stream is nested more than ${DEEPEST} levels deep`;
  return new ModelError(message, { phase: "stream", reason: "too_large", final: true });
}
