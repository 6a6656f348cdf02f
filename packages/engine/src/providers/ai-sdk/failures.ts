import { isJsonObject } from "codexwright/internal";
import { CodexError } from "codexwright/rpc";
import { textOf } from "../../core/text.ts";
import { cutError, ModelError } from "../../core/turn/model-error.ts";
import { ERROR_TEXT, networkErrorOf, refusalOf, reportedOf, type ReportedFailure } from "../http/index.ts";
import type { Cleaner } from "../secrets/index.ts";
import { StreamTooLargeError } from "../sse/index.ts";
import { classified, reasonOf } from "./reasons.ts";

/** Converts an error of a model's package. `opened` says whether the model had begun to answer. */
export async function failureOf(error: unknown, cleaner: Cleaner, opened: boolean): Promise<ModelError> {
  const own = causeAs(error, (each): each is ModelError => each instanceof ModelError);
  if (own) return classified(own);
  const large = causeAs(error, (each): each is StreamTooLargeError => each instanceof StreamTooLargeError);
  if (large) return networkErrorOf(large, opened);
  const missing = causeAs(error, (each): each is CodexError => each instanceof CodexError);
  if (missing) return new ModelError(missing.message, { phase: "request" }, { cause: missing });
  const { name, message } = error instanceof Error ? error : { name: "", message: "" };
  const call: object = typeof error === "object" && error !== null ? error : {};
  if ("statusCode" in call && typeof call.statusCode === "number" && call.statusCode >= 300) {
    return classified(await refusedCall(call, call.statusCode, cleaner));
  }
  if (/^AI_(?:InvalidResponseData|EmptyResponseBody)Error$/.test(name)) return cutError();
  if (/^AI_(?!APICallError)/.test(name)) {
    // The package refused the request before it sent anything, or the answer is not what the package expects.
    const text = await cleaner.clean(message, ERROR_TEXT);
    return new ModelError(text, { phase: opened ? "stream" : "request" });
  }
  return networkErrorOf(error, opened);
}

/**
 * Converts an error that is a part of a stream. Returns `undefined` for an event that the package does not know, because
 * servers may send such events.
 */
export async function reportedFailure(error: unknown, cleaner: Cleaner): Promise<ModelError | undefined> {
  if (!(error instanceof Error)) return classified(await reportedOf(failureIn(error), cleaner));
  if (error.name !== "AI_TypeValidationError") return await failureOf(error, cleaner, true);
  const value: unknown = "value" in error ? error.value : undefined;
  if (isJsonObject(value) && value["error"] !== undefined && value["error"] !== null) {
    return classified(await reportedOf(failureIn(value["error"]), cleaner));
  }
  const isAnswer =
    isJsonObject(value) && ANSWERS.some((key) => value[key] !== undefined && value[key] !== null);
  if (!isAnswer) return undefined;
  return new ModelError("the server sent a part of an answer that cannot be read", { phase: "stream" });
}

/** Fields of events that hold a part of the answer. */
const ANSWERS = ["choices", "candidates", "delta", "content_block"];

function failureIn(value: unknown): ReportedFailure {
  if (typeof value === "string") return { reason: undefined, message: value };
  if (!isJsonObject(value)) return { reason: undefined, message: "unknown error" };
  const code = [value["code"], value["status"], value["type"]].find((each) => typeof each === "string");
  const reason = typeof code === "string" && code !== "error" ? code : undefined;
  const message = textOf(value["message"]);
  return {
    reason: reasonOf(reason, message),
    message: message === "" ? (reason ?? "unknown error") : message,
  };
}

/** A model of an embedding program sends its requests itself. Its error has what the server answered. */
async function refusedCall(call: object, status: number, cleaner: Cleaner): Promise<ModelError> {
  const headers = "responseHeaders" in call && isJsonObject(call.responseHeaders) ? call.responseHeaders : {};
  const body = "responseBody" in call ? textOf(call.responseBody) : "";
  const texts = Object.entries(headers).filter(
    (each): each is [string, string] => typeof each[1] === "string",
  );
  const url = "url" in call ? shownUrl(textOf(call.url)) : "";
  // A `Response` has no other statuses, and none of them has a body with status 304.
  const known = status > 599 ? 500 : status;
  const content = body === "" || known === 304 ? null : body;
  const response = new Response(content, { status: known, headers: headersFrom(texts) });
  return await refusalOf(response, url, cleaner);
}

function headersFrom(texts: readonly (readonly [string, string])[]): Headers {
  const headers = new Headers();
  for (const [name, value] of texts) if (/^retry-after/i.test(name)) headers.set(name, value);
  return headers;
}

function shownUrl(text: string): string {
  if (!URL.canParse(text)) return "";
  const url = new URL(text);
  return `${url.origin}${url.pathname}`;
}

function causeAs<T>(error: unknown, is: (each: unknown) => each is T): T | undefined {
  for (let at: unknown = error, depth = 0; depth < 8; depth++) {
    if (is(at)) return at;
    if (!(at instanceof Error)) return undefined;
    at = at.cause;
  }
  return undefined;
}
