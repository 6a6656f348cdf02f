import { isDeepText } from "codexwright/internal";
import { DEEPEST } from "../core/depth.ts";
import { EventDepth } from "./event-depth.ts";
import { McpError } from "./mcp-error.ts";

const MEBIBYTE = 1024 * 1024;
/** The most bytes that a server may send before the next request of ours. */
const MAX_UNASKED = 64 * MEBIBYTE;
/** The longest answer that is not a stream of events. */
const MAX_ANSWER = 32 * MEBIBYTE;
/** The most requests that wait for an answer. A server makes us send one by each request of its own. */
const MAX_WAITING = 256;

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface BoundedFetchOptions {
  /** The server. Only its own origin gets the headers. */
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once if the server breaks a rule. */
  readonly failed: (error: McpError) => void;
}

/**
 * A fetch whose answers have a bounded size and depth: parsing 60 MB of opening brackets takes gigabytes. The headers of
 * the user, which may hold tokens, reach no other origin, such as that of an authorization server.
 */
export function boundedFetch({ origin, headers, failed }: BoundedFetchOptions): Fetch {
  let unasked = 0;
  let waiting = 0;
  const count = (bytes: Uint8Array): void => {
    unasked += bytes.length;
    if (unasked > MAX_UNASKED) {
      throw new McpError("flood", `the server sent more than ${MAX_UNASKED / MEBIBYTE} MiB for one message`);
    }
  };
  const answered: Fetch = async (url, init) => {
    unasked = 0;
    const all = new Headers(init?.headers);
    if (new URL(url).origin === origin) {
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
    }
    const response = await fetch(url, { ...init, headers: all });
    const { body } = response;
    if (!body) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    try {
      const checked = isStream ? body.pipeThrough(eventCheck(count, failed)) : await answerOf(body, count);
      const { status, statusText } = response;
      const copy = new Response(checked, { status, statusText, headers: plainHeaders(response.headers) });
      // Redirects are judged by the address.
      Object.defineProperty(copy, "url", { value: response.url });
      Object.defineProperty(copy, "redirected", { value: response.redirected });
      return copy;
    } catch (error) {
      if (error instanceof McpError) failed(error);
      throw error;
    }
  };
  return async (url, init) => {
    if (waiting === MAX_WAITING) {
      const error = new McpError("flood", `the server does not answer ${MAX_WAITING} requests`);
      failed(error);
      throw error;
    }
    waiting++;
    try {
      return await answered(url, init);
    } finally {
      waiting--;
    }
  };
}

/** The body is not compressed any more. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  plain.delete("content-encoding");
  plain.delete("content-length");
  return plain;
}

async function answerOf(
  body: ReadableStream<Uint8Array>,
  count: (bytes: Uint8Array) => void,
): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const bytes of body) {
    count(bytes);
    size += bytes.length;
    if (size > MAX_ANSWER) {
      throw new McpError("flood", `the server sent an answer longer than ${MAX_ANSWER / MEBIBYTE} MiB`);
    }
    parts.push(decoder.decode(bytes, { stream: true }));
  }
  const text = parts.join("") + decoder.decode();
  if (isDeepText(text, DEEPEST)) throw tooDeep();
  return text;
}

function eventCheck(
  count: (bytes: Uint8Array) => void,
  failed: (error: McpError) => void,
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const depth = new EventDepth(DEEPEST);
  return new TransformStream({
    transform(bytes, controller) {
      try {
        count(bytes);
        if (!depth.fits(decoder.decode(bytes, { stream: true }))) throw tooDeep();
        controller.enqueue(bytes);
      } catch (error) {
        failed(error as McpError);
        controller.error(error);
      }
    },
  });
}

function tooDeep(): McpError {
  return new McpError("flood", `the server sent a message nested more than ${DEEPEST} levels deep`);
}
