import type { ThreadItem } from "../../protocol/index.ts";
import type { CodexError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";
import type { Waiting } from "../../rpc/waiting.ts";
import {
  SERVER_REQUEST_OPTIONS,
  type Answering,
  type RefreshedTokens,
  type ServerRequestOptions,
} from "./options.ts";
import type { ServerRequestAnswers } from "./server-request-answers.ts";

/** What answers depend on besides the handlers. */
export interface ServerRequestHooks {
  /** Whether an approval on the thread is accepted without `onApproval`. Unset: it is declined. */
  readonly acceptsUnasked?: ((threadId: string) => boolean) | undefined;
  /**
   * Reports a handler that threw, and an answer that cannot be sent. `message` holds no token and no answer; `cause` is
   * what the handler threw.
   */
  readonly warn?:
    | ((code: "handler_failed" | "bad_answer", message: string, cause?: unknown) => void)
    | undefined;
  /** Called for `"fail"` before the request is answered: the turn is to end with this error. */
  readonly failTurn?: ((threadId: string, turnId: string | undefined, error: CodexError) => void) | undefined;
  /** The item as it is known so far; an approval of a file change shows its changes. */
  readonly itemOf?:
    | ((threadId: string, turnId: string, itemId: string) => ThreadItem | undefined)
    | undefined;
}

/** What a client needs besides. */
export interface ClientRequestHooks extends ServerRequestHooks {
  /** Called with the tokens that the server gets in place of its old ones. */
  readonly renewed?: (tokens: RefreshedTokens) => void;
}

const HOOKS: Table<ServerRequestHooks> = {
  acceptsUnasked: is.func,
  warn: is.func,
  failTurn: is.func,
  itemOf: is.func,
};

/** Returns the result to send. Throws a `ResponseError` if a JSON-RPC error is the documented answer. */
export type AnyServerRequestHandler = (
  method: string,
  params: unknown,
  request: Answering,
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
): (method: string, params: unknown, waiting: Waiting) => Promise<unknown> {
  let answers: ServerRequestAnswers | undefined;
  return async (method, params, waiting) => {
    if (!answers) {
      const { ServerRequestAnswers: Answers } = await import("./server-request-answers.ts");
      answers ??= new Answers(options, hooks);
      // The request was withdrawn meanwhile: the handlers need not be asked.
      if (waiting.signal.aborted) return undefined;
    }
    return await answers.answer(method, params, waiting);
  };
}
