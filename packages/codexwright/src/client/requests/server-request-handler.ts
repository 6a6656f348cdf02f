import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";
import type { Withdrawable } from "../../rpc/withdrawable.ts";
import type { ServerRequest } from "../connection/server-request.ts";
import { SERVER_REQUEST_OPTIONS, type ServerRequestOptions } from "./options.ts";
import type { ClientRequestHooks, ServerRequestHooks } from "./hooks.ts";
import type { ServerRequestAnswers } from "./server-request-answers.ts";

const HOOKS: Table<ServerRequestHooks> = {
  acceptsUnasked: is.func,
  warn: is.func,
  failTurn: is.func,
  itemOf: is.func,
};

/** Returns the result to send. Throws a `ResponseError` if a JSON-RPC error is the documented answer. */
type AnyServerRequestHandler = (
  method: string,
  params: unknown,
  request: Pick<ServerRequest, "signal">,
) => Promise<unknown>;

/**
 * Answers server requests as a client does: by these handlers, else by the documented defaults. For a layer that takes
 * requests with `client.onServerRequest` and has handlers of its own, one set for each thread, say. Tool calls are not
 * among the requests that it answers.
 */
export function serverRequestHandler(
  options: ServerRequestOptions = {},
  hooks: ServerRequestHooks = {},
): AnyServerRequestHandler {
  checkOptions("serverRequestHandler()", options, SERVER_REQUEST_OPTIONS);
  checkOptions("serverRequestHandler()", hooks, HOOKS);
  return lazyAnswers(options, hooks);
}

/** The same without the checks. The answers are loaded with the first request: many programs are never asked. */
export function lazyAnswers(
  options: ServerRequestOptions,
  hooks: ClientRequestHooks,
): (method: string, params: unknown, request: Withdrawable) => Promise<unknown> {
  let answers: ServerRequestAnswers | undefined;
  return async (method, params, request) => {
    if (!answers) {
      const { ServerRequestAnswers: Answers } = await import("./server-request-answers.ts");
      answers ??= new Answers(options, hooks);
      // The request was withdrawn meanwhile: the handlers need not be asked.
      if (request.signal.aborted) return undefined;
    }
    return await answers.answer(method, params, request);
  };
}
