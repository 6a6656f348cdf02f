import type { RequestId, ServerEvent, Thread } from "../../protocol/index.ts";
import type { PendingRequest } from "./state.ts";

/** What a client knows beyond the server's notifications. */
export type LocalEvent =
  /** The server asks something. */
  | {
      readonly method: "serverRequest/opened";
      readonly params: { readonly threadId: string } & PendingRequest;
    }
  /** It was answered here: the server confirms some requests, and newer servers only, by `serverRequest/resolved`. */
  | {
      readonly method: "serverRequest/answered";
      readonly params: { readonly threadId: string; readonly requestId: RequestId };
    }
  /** The thread's history was read, by `thread/resume`, `thread/read` or `thread/fork`. */
  | {
      readonly method: "thread/seeded";
      readonly params: { readonly threadId: string; readonly thread: Thread };
    }
  /** The server does not say how far it went back. Without `beforeTurnId` all turns are forgotten. */
  | {
      readonly method: "thread/reverted";
      readonly params: { readonly threadId: string; readonly beforeTurnId?: string };
    };

/** What a {@link ThreadState} is folded from. */
export type ThreadEvent = ServerEvent | LocalEvent;

/** What to do for an event, by its name. */
export type FoldTable<F> = { readonly [M in ThreadEvent["method"]]?: F };
