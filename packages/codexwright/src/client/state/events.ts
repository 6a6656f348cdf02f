import type { RequestId, ServerEvent, Thread } from "../../protocol/index.ts";
import type { PendingRequest } from "./state.ts";

/** Events that the client adds to the server's notifications. */
export type LocalEvent =
  /** The server sent a request. */
  | {
      readonly method: "serverRequest/opened";
      readonly params: { readonly threadId: string } & PendingRequest;
    }
  /**
   * This client answered a server request. Only newer servers confirm an answer with `serverRequest/resolved`, and only
   * for some requests.
   */
  | {
      readonly method: "serverRequest/answered";
      readonly params: { readonly threadId: string; readonly requestId: RequestId };
    }
  /** The history of the thread was read by `thread/resume`, `thread/read` or `thread/fork`. */
  | {
      readonly method: "thread/seeded";
      readonly params: { readonly threadId: string; readonly thread: Thread };
    }
  /** Turns were reverted. The server does not report how many. If `beforeTurnId` is missing, all turns are dropped. */
  | {
      readonly method: "thread/reverted";
      readonly params: { readonly threadId: string; readonly beforeTurnId?: string };
    };

/** An event that changes a {@link ThreadState}. */
export type ThreadEvent = ServerEvent | LocalEvent;

/** Maps the method of an event to its fold. */
export type FoldTable<F> = { readonly [M in ThreadEvent["method"]]?: F };
