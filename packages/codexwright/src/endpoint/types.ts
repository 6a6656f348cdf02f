import type * as protocol from "../protocol/index.ts";
import type { ClientRequests, ServerNotifications, ServerRequests } from "../protocol/index.ts";
import type { ResponseError } from "../rpc/errors.ts";
import type { RequestId } from "../rpc/message.ts";

/** One client of an endpoint, from the start to the end of its connection. */
export interface ClientConnection {
  /** Unique within the endpoint. */
  readonly id: number;
  /** The client's description of itself; `undefined` before `initialize`. */
  readonly clientInfo: protocol.ClientInfo | undefined;
  /** The capabilities that the client requested; `undefined` before `initialize`. */
  readonly capabilities: protocol.InitializeCapabilities | undefined;
  readonly experimentalApi: boolean;
  /** Aborts when the connection has ended. */
  readonly signal: AbortSignal;
  /** Sends a notification to this client only. Does nothing if the client opted out of the method or may not see it. */
  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void;
  /**
   * Sends a request to this client only, for example to call a tool that only this client has. Rejects with
   * `connection_closed` if the connection ends or the client has not initialized.
   */
  request<M extends keyof ServerRequests>(
    method: M,
    params: ServerRequests[M]["params"],
    options?: ServerRequestOptions,
  ): Promise<ServerRequests[M]["result"]>;
  /**
   * Subscribes the connection to the notifications and requests of this thread. Open requests of the thread are sent
   * immediately. If a handler answers with the state of the thread, use `subscribe` of its context instead.
   */
  subscribe(threadId: string): void;
  /** Returns false if the connection was not subscribed. */
  unsubscribe(threadId: string): boolean;
  close(reason?: string): Promise<void>;
}

/** The second argument of a request handler. Its functions can be destructured. */
export interface HandlerContext {
  readonly id: RequestId;
  readonly connection: ClientConnection;
  /** Aborts when the answer is no longer needed: the connection ended or the endpoint is shutting down. */
  readonly signal: AbortSignal;
  /**
   * Subscribes the connection now, so that no message is missed between the answer and the messages that follow it.
   * Server requests that were already open are sent after the answer. Read the state for the answer in the same
   * synchronous step as this call.
   */
  readonly subscribe: (threadId: string) => void;
  /**
   * Runs `then` after the result was written. Use it for messages that must follow the result, such as
   * `thread/started`. `then` runs even if the connection has ended in the meantime, but not if the handler threw.
   */
  readonly afterAnswer: (then: () => void) => void;
}

export type Handler<M extends keyof ClientRequests> = (
  params: ClientRequests[M]["params"],
  context: HandlerContext,
) => ClientRequests[M]["result"] | Promise<ClientRequests[M]["result"]>;

/**
 * Handlers by method. A method without a handler is unknown to this server. Throw a `ResponseError` to answer with an
 * error.
 */
export type Handlers = {
  readonly [M in keyof ClientRequests as M extends "initialize" ? never : M]?: Handler<M>;
};

/** Options of a server request. */
export interface ServerRequestOptions {
  /**
   * Cancels the request: the promise rejects with `aborted`, and the clients are notified that the request is resolved.
   */
  readonly signal?: AbortSignal | undefined;
}

/** The subscribers of one thread. */
export interface ThreadChannel {
  readonly subscribers: readonly ClientConnection[];
  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void;
  /**
   * Sends a request to every subscriber, and also to clients that subscribe later. The first result counts. Rejects
   * with an `RpcError` if all subscribers have answered with an error, and with `aborted` if the signal aborts.
   * Afterwards all subscribers receive `serverRequest/resolved`, except for methods for which the real server does not
   * send it (`item/tool/call`).
   */
  request<M extends keyof ServerRequests>(
    method: M,
    params: ServerRequests[M]["params"],
    options?: ServerRequestOptions,
  ): Promise<ServerRequests[M]["result"]>;
}

/** The machine that an endpoint reports to its clients. */
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
   * Handles methods that have no handler, including methods that this library does not know. Default: such methods are
   * rejected. Use this for a server that forwards requests to another server.
   */
  readonly fallback?: (method: string, params: unknown, context: HandlerContext) => unknown;
  /**
   * Returns the error for a method that this server knows but does not support, and `undefined` for any other method.
   * It is called for methods without a handler, before the fallback. The method is not one of those that the error for
   * an unknown method lists, because clients read from there what a server supports. Params are not checked.
   */
  readonly refuse?: (method: string) => ResponseError | undefined;
  /** Receives the notifications of initialized clients. Default: they are ignored, as the real server does. */
  readonly onNotification?: (method: string, params: unknown, connection: ClientConnection) => void;
  /** The Codex version in the user agent. Default: the version that this library was generated from. */
  readonly version?: string;
  readonly info?: Partial<ServerInfo>;
  readonly userAgent?: Partial<UserAgentParts>;
  /** Closes a connection that has not initialized after this time. Default: 0, which means never. */
  readonly initializeTimeoutMs?: number;
  /** The maximum number of waiting requests per connection. Further requests are rejected with -32001. Default: 128. */
  readonly maxQueued?: number;
  /**
   * If true, checks params like the Codex version that this library was generated from, and rejects invalid params with
   * the same messages. Default: true. Use `false` for a server that represents another version.
   */
  readonly validate?: boolean;
  /** Returns the Unix time in milliseconds, for `emittedAtMs`. */
  readonly clock?: () => number;
  /** Called after a connection's `initialize` was answered. Use it to send the first messages of the server. */
  readonly onInitialized?: (connection: ClientConnection) => void;
  /**
   * Called when a thread has lost its last subscriber, because that client unsubscribed or its connection ended. Use it
   * to unload the thread.
   */
  readonly onAbandoned?: (threadId: string) => void;
  /**
   * Receives errors of handlers other than `ResponseError`. The client receives -32603 without the text of the error.
   */
  readonly onError?: (error: unknown, method: string) => void;
}

/** Options of `shutdown()`. */
export interface ShutdownOptions {
  /** When the signal aborts, `shutdown` no longer waits for work that was passed to `hold`. */
  readonly signal?: AbortSignal | undefined;
}
