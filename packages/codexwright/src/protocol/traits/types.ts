import type { ClientRequests } from "../methods.gen.ts";

/**
 * The subject of a method: `thread` if its params always name a thread, otherwise `connection`. Params of a
 * `connection` method may still name a thread. The generated types determine the scope of each method. The tables make
 * the scope available at run time.
 */
export type Scope = "thread" | "connection";

/** The scope that these params imply. */
export type ScopeOf<Params> = [Params] extends [
  { threadId: string } | { conversationId: string } | { thread: { id: string } },
]
  ? "thread"
  : "connection";

/** Shared resources other than threads. Requests for the same resource run one after the other. */
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
   * lane of the thread, process, watch or search that the params name. `none`: the request has no lane, and the server
   * starts its work immediately.
   */
  readonly lane?: SharedLane | "none";
  /**
   * True if the request only reads the resource of its lane. Such requests run in parallel. Default: the request may
   * write.
   */
  readonly reads?: true;
  /** True if the request leaves its lane as soon as it has started. Default: it leaves its lane when it is answered. */
  readonly late?: true;
  /**
   * How the request waits. By default, a request counts towards the in-flight limit and has a timeout.
   *
   * - `long`: the request is answered when the work that it started ends. It does not count towards the in-flight limit
   * and has no default timeout.
   * - `urgent`: the request ends another request, or sends input to it. It must be sent even if the in-flight limit is
   * reached, and does not count towards the limit.
   */
  readonly wait?: "long" | "urgent";
  /**
   * The params field that contains an id that the client chose. The app-server keeps these ids separate for each
   * connection.
   */
  readonly ownId?: string;
  /**
   * The request that ends the work that this request starts. If there is no `ownId`, the thread identifies that work.
   */
  readonly endedBy?: keyof ClientRequests;
  /**
   * Set if an answer to this request means that a resource has ended: any answer, or only a result. `ownId` identifies
   * the resource. If there is no `ownId`, the thread does.
   */
  readonly ends?: "answer" | "result";
  /** The request that cancels this request by its message id. */
  readonly cancelledBy?: keyof ClientRequests;
  /** True if the `requestId` in the params is the id of the message to cancel. */
  readonly cancels?: true;
  /**
   * After the answer, the connection follows a thread. `thread`: the `thread` in the result. `reviewThread`: the thread
   * that `reviewThreadId` names, unless the review runs on the requested thread itself.
   */
  readonly opens?: "thread" | "reviewThread";
  /**
   * The kind of work that the request starts. A server that is shutting down rejects all such requests, and waits for
   * running turns.
   */
  readonly starts?: "turn" | "thread" | "process";
}

/** Traits of a request that a server sends. An absent trait has its default. */
export interface ServerRequestTraits {
  readonly scope: Scope;
  /**
   * Set if only one client can answer. Default: every client that follows the thread can answer, and the first result
   * counts.
   */
  readonly answeredBy?: "one";
  /** True if every client that follows the thread receives `serverRequest/resolved` when the request is settled. */
  readonly tellsResolved?: true;
}

/** Traits of a notification that a server sends. An absent trait has its default. */
export interface NotificationTraits {
  readonly scope: Scope;
  /**
   * Set if every client receives the notification. Default: only the clients that follow the thread named in the params
   * receive it. If the params name no thread, all clients do.
   */
  readonly to?: "all";
  /** The params field that contains an id that one client chose. Only that client receives the notification. */
  readonly ownId?: string;
  /**
   * True if the notification reports the end of the resource that `ownId` identifies. If there is no `ownId`, the
   * thread identifies the resource.
   */
  readonly ends?: true;
  /**
   * Set if the notification is sent right after the handshake. A client that connects later receives all earlier ones
   * (`each`), or only the last one (`last`).
   */
  readonly greets?: "each" | "last";
}
