import type { ThreadItem } from "../../protocol/index.ts";
import type { CodexError } from "../../rpc/errors.ts";
import type { RefreshedTokens } from "./options.ts";

/** Callbacks that are used to answer server requests, in addition to the caller's handlers. */
export interface ServerRequestHooks {
  /** Whether an approval on the thread is accepted if there is no `onApproval`. Unset: such approvals are declined. */
  readonly acceptsUnasked?: ((threadId: string) => boolean) | undefined;
  /**
   * Reports a handler that threw, or an answer that cannot be sent. `message` contains neither tokens nor answers;
   * `cause` is the handler's exception.
   */
  readonly warn?:
    | ((code: "handler_failed" | "bad_answer", message: string, cause?: unknown) => void)
    | undefined;
  /** Called if a handler option is `"fail"`, before the request is answered. The turn should end with this error. */
  readonly failTurn?: ((threadId: string, turnId: string | undefined, error: CodexError) => void) | undefined;
  /** Returns the item as far as it is known. It is used to show the changes in the approval of a file change. */
  readonly itemOf?:
    | ((threadId: string, turnId: string, itemId: string) => ThreadItem | undefined)
    | undefined;
}

/** The additional hooks of a client. */
export interface ClientRequestHooks extends ServerRequestHooks {
  /** Called with the tokens that replace the server's old ones. */
  readonly renewed?: (tokens: RefreshedTokens) => void;
}
