import type * as protocol from "../protocol/index.ts";
import type { ClientRequests, ServerNotifications, ServerRequests } from "../protocol/index.ts";
import type { RequestId } from "../rpc/message.ts";

/** One client of an endpoint, from its channel's opening to its end. */
export interface ClientConnection {
  /** Unique within the endpoint. */
  readonly id: number;
  /** What the client said of itself; `undefined` before `initialize`. */
  readonly clientInfo: protocol.ClientInfo | undefined;
  /** What the client asked for; `undefined` before `initialize`. */
  readonly capabilities: protocol.InitializeCapabilities | undefined;
  readonly experimentalApi: boolean;
  /** Aborts when the connection has ended. */
  readonly signal: AbortSignal;
  /** Sends to this client alone, unless it opted out of the method or may not see it. */
  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void;
  /**
   * Asks this client alone, for what only it can answer: a tool of its own, say. Rejects with `connection_closed` when
   * it leaves, or has not shaken hands.
   */
  request<M extends keyof ServerRequests>(
    method: M,
    params: ServerRequests[M]["params"],
    options?: ServerRequestOptions,
  ): Promise<ServerRequests[M]["result"]>;
  /**
   * From here on it gets the notifications and requests of this thread; those that are open are sent at once. In a
   * handler that answers with the thread's state, use the context's `subscribe`.
   */
  subscribe(threadId: string): void;
  /** False where it was not subscribed. */
  unsubscribe(threadId: string): boolean;
  close(reason?: string): Promise<void>;
}

/** What the handler of a request gets beside the params. Its functions may be taken out of it. */
export interface HandlerContext {
  readonly id: RequestId;
  readonly connection: ClientConnection;
  /** Aborts when the answer is not wanted any more: the connection ended, or the endpoint shuts down. */
  readonly signal: AbortSignal;
  /**
   * Subscribes the connection now, so that nothing is missed between what the answer says and what follows; the
   * requests that were open before are sent after the answer. Take the state for the answer in the same breath.
   */
  readonly subscribe: (threadId: string) => void;
  /**
   * Runs once the result is written, for what must come after it on the wire: `thread/started`, say. It runs even
   * when the connection has ended in the meantime, and not when the handler threw.
   */
  readonly afterAnswer: (then: () => void) => void;
}

export type Handler<M extends keyof ClientRequests> = (
  params: ClientRequests[M]["params"],
  context: HandlerContext,
) => ClientRequests[M]["result"] | Promise<ClientRequests[M]["result"]>;

/** Handlers by method; a method without one is unknown to this server. Throw a `ResponseError` for an error answer. */
export type Handlers = {
  readonly [M in keyof ClientRequests as M extends "initialize" ? never : M]?: Handler<M>;
};

/** How long a request of the server's waits. */
export interface ServerRequestOptions {
  /** Gives up: the promise rejects with `aborted`, and the clients are told that the request is resolved. */
  readonly signal?: AbortSignal | undefined;
}

/** The subscribers of one thread. */
export interface ThreadChannel {
  readonly subscribers: readonly ClientConnection[];
  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void;
  /**
   * Asks every subscriber, and those that come later; the first answer counts. Rejects with an `RpcError` once all of
   * them have answered with an error, with `aborted` once the signal aborts. Then `serverRequest/resolved` goes to
   * all, but for the methods where the real server sends none (`item/tool/call`).
   */
  request<M extends keyof ServerRequests>(
    method: M,
    params: ServerRequests[M]["params"],
    options?: ServerRequestOptions,
  ): Promise<ServerRequests[M]["result"]>;
}

/** What an endpoint says of the machine it pretends to run on. */
export interface ServerInfo {
  readonly codexHome: string;
  readonly platformFamily: string;
  readonly platformOs: string;
}

/** The parts of the user agent between the version and the client's name: `(Debian 12.0.0; x86_64) unknown`. */
export interface UserAgentParts {
  readonly os: string;
  readonly arch: string;
  readonly terminal: string;
}

/** Options of an {@link Endpoint}. */
export interface EndpointOptions {
  readonly handlers: Handlers;
  /**
   * Handles the methods that have no handler, those that this library does not know included; default: they are
   * refused. For a server in front of another one.
   */
  readonly fallback?: (method: string, params: unknown, context: HandlerContext) => unknown;
  /** Gets the notifications of clients that have shaken hands; default: they are ignored, as by the real server. */
  readonly onNotification?: (method: string, params: unknown, connection: ClientConnection) => void;
  /** The Codex version that the user agent tells; default: the one this library was generated from. */
  readonly version?: string;
  readonly info?: Partial<ServerInfo>;
  readonly userAgent?: Partial<UserAgentParts>;
  /** A connection that has not shaken hands after so long is closed; default 0, which is never. */
  readonly initializeTimeoutMs?: number;
  /** Requests of one connection that may wait to be worked on; further ones are refused with -32001. Default 128. */
  readonly maxQueued?: number;
  /**
   * Checks params as this library's Codex does and refuses them with its words; default true. `false` for a server
   * that stands for another version.
   */
  readonly validate?: boolean;
  /** Unix time in milliseconds, for `emittedAtMs`. */
  readonly clock?: () => number;
  /** Runs when a connection's `initialize` was answered: for what the server says first. */
  readonly onInitialized?: (connection: ClientConnection) => void;
  /** Gets what a handler threw that is no `ResponseError`; the client is told -32603 without its text. */
  readonly onError?: (error: unknown, method: string) => void;
}

/** How an endpoint ends. */
export interface ShutdownOptions {
  /** Aborting it ends the wait for held work. */
  readonly signal?: AbortSignal | undefined;
}
