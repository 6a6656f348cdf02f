import type { ClientRequests } from "../methods.gen.ts";

/**
 * What a method is about: `thread` if its params always name one, otherwise `connection`. Params of the second kind
 * may still name a thread. The generated types decide, and the tables state it for use at run time.
 */
export type Scope = "thread" | "connection";

/** The scope that these params prove. */
export type ScopeOf<Params> = [Params] extends [
  { threadId: string } | { conversationId: string } | { thread: { id: string } },
]
  ? "thread"
  : "connection";

/** Things other than a thread that requests share, and wait for each other to use. */
export type SharedLane =
  | "account-auth"
  | "config"
  | "environment"
  | "mcp-registry"
  | "memory"
  | "projects"
  | "thread-sections";

/** Traits of a request that a client sends. A trait that is left out has its default. */
export interface RequestTraits {
  readonly scope: Scope;
  /**
   * What an app-server orders its requests by. The default is what the params name: a thread, or a process, a watch or
   * a search of the connection. `none`: a server works on it at once, whatever its params name.
   */
  readonly lane?: SharedLane | "none";
  /** It only reads what the lane stands for: requests that read work together. Default: it may write. */
  readonly reads?: true;
  /** It leaves its lane when it has started. Default: when it is answered. */
  readonly late?: true;
  /**
   * `long`: answered when what it started ends, so it takes no slot of the in-flight limit and has no default time
   * limit. `urgent`: it ends or feeds another request, so it must be sent when every slot is taken, and takes none.
   * Default: it takes a slot and has a time limit.
   */
  readonly wait?: "long" | "urgent";
  /** The params field with an id that the client chose and the app-server keeps for each connection. */
  readonly ownId?: string;
  /** The request that ends what this one starts. What has no own id is named by its thread. */
  readonly endedBy?: keyof ClientRequests;
  /** What the id names has ended: with any answer to this request, or with a result only. */
  readonly ends?: "answer" | "result";
  /** The request that cancels this one, by the id of its message. */
  readonly cancelledBy?: keyof ClientRequests;
  /** Its `requestId` is the id of the message to cancel. */
  readonly cancels?: true;
  /**
   * The connection follows a thread after the answer: `thread` of the result, or the one that `reviewThreadId` names
   * unless the review runs on the thread itself.
   */
  readonly opens?: "thread" | "reviewThread";
  /** What it starts. A server that shuts down refuses all of these, and waits for turns. */
  readonly starts?: "turn" | "thread" | "process";
}

/** Traits of a request that a server sends. A trait that is left out has its default. */
export interface ServerRequestTraits {
  readonly scope: Scope;
  /** Only one client can answer. Default: everyone who follows the thread can, and the first result counts. */
  readonly answeredBy?: "one";
  /** When it is settled, everyone who follows the thread gets `serverRequest/resolved`. */
  readonly tellsResolved?: true;
}

/** Traits of a notification that a server sends. A trait that is left out has its default. */
export interface NotificationTraits {
  readonly scope: Scope;
  /** Every client gets it. Default: those who follow the thread that its params name, or all if they name none. */
  readonly to?: "all";
  /** The params field with an id that one client chose: that client alone gets it. */
  readonly ownId?: string;
  /** What the id names has ended. What has no own id is named by its thread. */
  readonly ends?: true;
  /** Sent right after the handshake. A client that connects later gets each of them, or the last one. */
  readonly greets?: "each" | "last";
}
