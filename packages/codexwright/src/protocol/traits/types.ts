import type { ClientRequests } from "../methods.gen.ts";

/**
 * The subject of a method: `thread` if its params always name a thread, otherwise `connection`. Params of a
 * `connection` method may still name a thread. The generated types determine the scope, and the tables make it
 * available at run time.
 */
export type Scope = "thread" | "connection";

/** The scope that these params imply. */
export type ScopeOf<Params> = [Params] extends [
  { threadId: string } | { conversationId: string } | { thread: { id: string } },
]
  ? "thread"
  : "connection";

/** Shared resources other than threads. Requests for the same one run one after the other. */
export type SharedLane =
  | "account-auth"
  | "config"
  | "environment"
  | "mcp-registry"
  | "memory"
  | "projects"
  | "thread-sections";

/** Traits of a request that a client sends. An absent trait has its default. */
export interface RequestTraits {
  readonly scope: Scope;
  /**
   * The queue in which an app-server orders the request. Requests in the same lane run one after another. Default: the
   * lane of the thread, process, watch or search that the params name. `none`: the server starts work immediately,
   * regardless of the params.
   */
  readonly lane?: SharedLane | "none";
  /** The request only reads the resource of its lane. Such requests run in parallel. Default: it may write. */
  readonly reads?: true;
  /** The request leaves its lane when it has started. Default: when it is answered. */
  readonly late?: true;
  /**
   * `long`: answered when the work that it started ends, so it takes no slot of the in-flight limit and has no default
   * timeout. `urgent`: it ends or feeds another request, so it must be sent even if every slot is taken, and takes
   * none. Default: it takes a slot and has a timeout.
   */
  readonly wait?: "long" | "urgent";
  /** The params field with an id that the client chose. The app-server keeps these ids per connection. */
  readonly ownId?: string;
  /** The request that ends what this one starts. Without an `ownId`, it is identified by its thread. */
  readonly endedBy?: keyof ClientRequests;
  /** When the resource of the id has ended: after any answer to this request, or only after a result. */
  readonly ends?: "answer" | "result";
  /** The request that cancels this one by its message id. */
  readonly cancelledBy?: keyof ClientRequests;
  /** The `requestId` of the params is the id of the message to cancel. */
  readonly cancels?: true;
  /**
   * After the answer, the connection follows a thread: `thread` of the result, or the thread that `reviewThreadId`
   * names unless the review runs on the thread itself.
   */
  readonly opens?: "thread" | "reviewThread";
  /** The kind of work that the request starts. A server that is shutting down rejects all of these and waits for running turns. */
  readonly starts?: "turn" | "thread" | "process";
}

/** Traits of a request that a server sends. An absent trait has its default. */
export interface ServerRequestTraits {
  readonly scope: Scope;
  /** Only one client can answer. Default: every client that follows the thread can, and the first result counts. */
  readonly answeredBy?: "one";
  /** When the request is settled, every client that follows the thread receives `serverRequest/resolved`. */
  readonly tellsResolved?: true;
}

/** Traits of a notification that a server sends. An absent trait has its default. */
export interface NotificationTraits {
  readonly scope: Scope;
  /**
   * Every client receives it. Default: the clients that follow the thread named in the params, or all if none is named.
   */
  readonly to?: "all";
  /** The params field with an id that one client chose. Only that client receives the notification. */
  readonly ownId?: string;
  /** The resource of the id has ended. Without an `ownId`, it is identified by its thread. */
  readonly ends?: true;
  /** Sent right after the handshake. A client that connects later receives each of them, or only the last one. */
  readonly greets?: "each" | "last";
}
