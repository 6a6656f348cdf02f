import { InvalidArgumentError } from "codexwright/rpc";
import { needed, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { Model } from "codexwright/protocol";
import { headersOf, urlOf } from "../http/index.ts";

/** Options of {@link responses}. */
export interface ResponsesOptions {
  /** The address of the API without `/responses`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token. A function is called before each request. Default: no key, for a local server. */
  readonly apiKey?: string | (() => string | undefined) | undefined;
  /** The name that clients see as the `modelProvider` of a thread; default "responses". */
  readonly id?: string | undefined;
  /** More headers for each request. They must not be `authorization` if there is an `apiKey`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** More query parameters for each request, such as `api-version`. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** The models for `model/list`; default: none. */
  readonly models?: readonly Model[] | undefined;
  /** The header `user-agent`. */
  readonly userAgent?: string | undefined;
  /** A replacement for the global `fetch`, for example to use a proxy. */
  readonly fetch?: typeof fetch | undefined;
}

export const OPTIONS: Table<ResponsesOptions> = {
  baseUrl: needed(is.nonEmptyText),
  apiKey: is.either(is.text, is.func),
  id: is.nonEmptyText,
  headers: is.recordOf(is.text),
  query: is.recordOf(is.text),
  models: is.listOf<Model>(is.object),
  userAgent: is.text,
  fetch: is.func,
};

export const CALL = "responses()";

/** Returns the address of requests. */
export function addressOf({ baseUrl, query = {} }: ResponsesOptions): URL {
  const url = urlOf(CALL, baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/responses`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** Returns the caller's headers with names in lower case. */
export function ownHeaders({ headers = {}, apiKey }: ResponsesOptions): Record<string, string> {
  const all = headersOf(CALL, headers);
  if (apiKey !== undefined && all["authorization"] !== undefined) {
    throw new InvalidArgumentError(`${CALL}: use either apiKey or headers.authorization`);
  }
  return all;
}
