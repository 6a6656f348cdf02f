import type { ThreadItem } from "../../protocol/index.ts";
import type { CodexError } from "../../rpc/errors.ts";
import type { RefreshedTokens } from "./options.ts";

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
