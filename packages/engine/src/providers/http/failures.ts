import { isJsonObject } from "codexwright/internal";
import { ModelError } from "../../core/turn/model-error.ts";
import type { Cleaner } from "../secrets/index.ts";
import { StreamTooLargeError } from "../sse/index.ts";
import { BODY_BYTES, ERROR_TEXT } from "./limits.ts";
import { retryAfterMs, retryAfterText } from "./retry-after.ts";
import type { ReportedFailure } from "./reported-failure.ts";
import { statusText } from "./status-text.ts";

/** The error for a response that is not a stream. Reads the beginning of its body. */
export async function refusalOf(response: Response, url: string, cleaner: Cleaner): Promise<ModelError> {
  const { status, headers } = response;
  const waitMs = retryAfterMs(headers, Date.now());
  const { text, whole } = await beginningOf(response);
  const body = await cleaner.clean(text, ERROR_TEXT, whole);
  const error = errorIn(text);
  const reason = await cleaner.clean(error.reason ?? "", 128);
  const said = await cleaner.clean(error.message ?? "", ERROR_TEXT);
  return new ModelError(said === "" ? (body === "" ? "Unknown error" : body) : said, {
    phase: "status",
    status,
    statusText: statusText(status),
    reason: reason === "" ? undefined : reason,
    body,
    url,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
}

/** The error for a redirect. It is not followed, because the request contains the key and the conversation. */
export async function redirectOf(response: Response, url: string, cleaner: Cleaner): Promise<ModelError> {
  await response.body?.cancel();
  const to = await cleaner.clean(targetOf(response.headers.get("location"), url), 256);
  const message = `the server redirects to ${to}; redirects are not followed: correct the base URL`;
  const { status } = response;
  return new ModelError(message, {
    phase: "status",
    status,
    statusText: statusText(status),
    url,
    final: true,
  });
}

/** The error for a stream that reported a failure. */
export async function reportedOf(failure: ReportedFailure, cleaner: Cleaner): Promise<ModelError> {
  const message = await cleaner.clean(failure.message, ERROR_TEXT);
  const reason = failure.reason === undefined ? undefined : await cleaner.clean(failure.reason, 128);
  const waitMs = retryAfterText(message);
  return new ModelError(message, {
    phase: "stream",
    reason,
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  });
}

/** The error for a response that is not a stream of events although its status says so. */
export async function notAStream(response: Response, url: string, cleaner: Cleaner): Promise<ModelError> {
  const { text, whole } = await beginningOf(response);
  const type = await cleaner.clean(response.headers.get("content-type") ?? "", 128);
  const body = await cleaner.clean(text, 512, whole);
  const message = `the server answered ${type} instead of an event stream, url: ${url}: ${body}`;
  return new ModelError(message, { phase: "stream", reason: "not_a_stream", body, url });
}

/** Whether a response with status 200 certainly is not a stream. Some servers do not set the type of their streams. */
export function isOtherType(response: Response): boolean {
  return /^\s*(?:text\/html|application\/(?:problem\+)?json|application\/xml|image\/)/i.test(
    response.headers.get("content-type") ?? "",
  );
}

/** The error for a request or stream that `fetch` gave up. Its message contains only the code of the cause. */
export function networkErrorOf(error: unknown, opened: boolean): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof StreamTooLargeError) {
    return new ModelError(error.message, { phase: "stream", reason: "too_large", final: true });
  }
  const code = causeOf(error);
  const shown = code === undefined ? "" : ` (${code})`;
  if (opened) {
    const message = `Transport error: network error: error decoding response body${shown}`;
    return new ModelError(message, { phase: "stream" });
  }
  if (code !== undefined && UNREACHABLE.test(code)) {
    return new ModelError(`Connection failed: error sending request${shown}`, { phase: "connect" });
  }
  return new ModelError(`error sending request${shown}`, { phase: "stream", lost: true });
}

/** Codes of Node and Bun for a server that could not be reached, or whose certificate is wrong. */
const UNREACHABLE =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_\w+|ETIMEDOUT|EHOST\w+|ENET\w+|EADDR\w+|ENOENT|EACCES|EPERM|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|FailedToOpenSocket|(?:ERR_)?(?:TLS|SSL)_?\w*|CERT_\w+|UNABLE_TO_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+)$/;

function causeOf(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code: unknown = "code" in at ? at.code : undefined;
    if (typeof code === "string" && /^\w{2,48}$/.test(code)) return code;
    // A connection to several addresses fails with one error for each of them.
    if (at instanceof AggregateError) return causeOf(at.errors[0]);
  }
  return undefined;
}

async function beginningOf(response: Response): Promise<{ text: string; whole: boolean }> {
  const reader = response.body?.getReader();
  if (!reader) return { text: "", whole: true };
  const decoder = new TextDecoder();
  let text = "";
  let left = BODY_BYTES;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode(), whole: true };
      text += decoder.decode(value.subarray(0, left), { stream: true });
      left -= value.length;
      if (left <= 0) return { text, whole: false };
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function errorIn(body: string): { reason?: string; message?: string } {
  try {
    const parsed: unknown = JSON.parse(body);
    // Google answers a list with one error.
    const value: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    if (!isJsonObject(value)) return {};
    const error = isJsonObject(value["error"]) ? value["error"] : value;
    const message = error["message"] ?? error["detail"] ?? value["error"];
    const reason = [error["code"], error["status"], error["type"]].find((each) => typeof each === "string");
    return {
      ...(typeof reason === "string" ? { reason } : {}),
      ...(typeof message === "string" ? { message } : {}),
    };
  } catch {
    return {};
  }
}

function targetOf(location: string | null, url: string): string {
  if (location === null) return "nowhere";
  try {
    const target = new URL(location, url);
    return `${target.origin}${target.pathname}`;
  } catch {
    return "an invalid address";
  }
}
