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
 * Returns a function that answers server requests like a client: with these handlers, else with the documented
 * defaults. Use it in code that receives requests with `client.onServerRequest` and has its own handlers, for example a
 * separate set for each thread. The function does not answer tool calls.
 */
export function serverRequestHandler(
  options: ServerRequestOptions = {},
  hooks: ServerRequestHooks = {},
): AnyServerRequestHandler {
  checkOptions("serverRequestHandler()", options, SERVER_REQUEST_OPTIONS);
  checkOptions("serverRequestHandler()", hooks, HOOKS);
  return lazyAnswers(options, hooks);
}

/**
 * Like `serverRequestHandler`, but without the checks. The code of the answers is loaded with the first request,
 * because many programs never receive one.
 */
export function lazyAnswers(
  options: ServerRequestOptions,
  hooks: ClientRequestHooks,
): (method: string, params: unknown, request: Withdrawable) => Promise<unknown> {
  let answers: ServerRequestAnswers | undefined;
  return async (method, params, request) => {
    if (!answers) {
      const { ServerRequestAnswers: Answers } = await import("./server-request-answers.ts");
      answers ??= new Answers(options, hooks);
      // The request was withdrawn in the meantime, so the handlers need not run.
      if (request.signal.aborted) return undefined;
    }
    return await answers.answer(method, params, request);
  };
}
