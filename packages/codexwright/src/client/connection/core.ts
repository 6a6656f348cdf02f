import type {
  ClientRequests,
  ServerEvent,
  ServerNotifications,
  ServerRequests,
} from "../../protocol/index.ts";
import { Connection, type BadLine } from "../../rpc/connection.ts";
import { requestTraits } from "../../protocol/traits/client-requests.ts";
import {
  AbortedError,
  AuthFailedError,
  ConnectionClosedError,
  CodexError,
  type CloseReason,
} from "../../rpc/errors.ts";
import type { WireMessage } from "../../rpc/message.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions } from "../../rpc/options/table.ts";
import type { Transport } from "../../rpc/transport.ts";
import type { IncomingRequest } from "../../rpc/incoming-request.ts";
import { once } from "../../rpc/once.ts";
import { withSignal } from "../../rpc/withdrawable.ts";
import { pause } from "../../rpc/delay.ts";
import { NotConnectedError, StartupTimeoutError } from "../errors.ts";
import type { CoreHost } from "./core-host.ts";
import type { ClientWarning } from "./events.ts";
import { handshake, type Introduction, type ServerInfo } from "./handshake.ts";
import { ListenerTable, type NotificationListener, type ServerRequestHandler } from "./listeners.ts";
import { openTransport } from "./recovery/open-transport.ts";
import { checkOptOut, type ConnectionOptions } from "./options.ts";
import { listMethods } from "./server/methods.ts";
import { LossCounter } from "./recovery/recovery.ts";
import { waitBefore } from "./recovery/patience.ts";
import { atLeast } from "../../protocol/release.ts";
import { QuickLines } from "./quick-lines.ts";
import { CALL_OPTIONS, type CallOptions, type Requester } from "./requester.ts";
import type { ServerRequest } from "./server-request.ts";
import { supportOf, type VersionSupport } from "./server/version-support.ts";

/** The connection of a client: its lifecycle, requests and listeners. The host interprets the messages. */
export class ClientCore {
  readonly #options: ConnectionOptions & Introduction;
  readonly #host: CoreHost;
  readonly #notificationListeners = new ListenerTable<(params: never, message: WireMessage) => void>();
  readonly #requestHandlers = new ListenerTable<(params: never, request: ServerRequest) => unknown>();
  readonly #quick = new QuickLines({
    listens: (method) => this.#notificationListeners.get(method).length > 0,
    follows: (threadId) => this.#host.follows(threadId),
    followsAny: () => this.#host.follows(),
  });
  readonly #closeListeners = new Set<(reason: CloseReason) => void>();
  /** Aborts a connection attempt that is in progress. */
  readonly #giveUp = new AbortController();
  #connecting: Promise<void> | undefined;
  #connection: Connection | undefined;
  /** Aborts when the current connection ends. */
  #ended: AbortSignal = new AbortController().signal;
  /** The open channel; `undefined` before it is opened and after it has ended. */
  #transport: Transport | undefined;
  #server: ServerInfo | undefined;
  /** Notifications that the client opted out of and the server sends anyway. */
  #unwanted: ReadonlySet<string> | undefined;
  #methods: ReadonlySet<string> | undefined;
  #support: VersionSupport | undefined;
  #disconnected = false;
  readonly #losses: LossCounter | undefined;
  /**
   * Set while a lost server is being replaced. Resolves when the server was replaced. Rejects if the client gives up,
   * and then stays rejected.
   */
  #recovering: Promise<void> | undefined;

  /** @param options client options that were already checked */
  constructor(options: ConnectionOptions & Introduction, host: CoreHost) {
    checkOptOut(options.optOutNotifications);
    this.#options = options;
    this.#host = host;
    if (options.reconnect) this.#losses = new LossCounter(options.reconnect);
  }

  /** Rejects requests that the server is too old for. `undefined` if the server is not older than our tables. */
  get support(): VersionSupport | undefined {
    return this.#support;
  }

  /** The server's answer to the handshake. */
  get server(): ServerInfo {
    if (!this.#server) throw new NotConnectedError("before");
    return this.#server;
  }

  /** The process id of the server, if it is a process that this client has started. */
  get serverPid(): number | undefined {
    return this.#transport?.pid;
  }

  /** Opens the connection and completes the handshake. A second call returns the same promise. */
  connect(): Promise<void> {
    if (this.#disconnected) return Promise.reject(new NotConnectedError("after"));
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  /**
   * Closes the connection, and stops the server if this client started it. Pending work rejects. Safe to call twice.
   */
  async disconnect(): Promise<void> {
    this.#disconnected = true;
    this.#giveUp.abort(new NotConnectedError("after"));
    await this.#recovering?.catch(() => {});
    await this.#connecting?.catch(() => {});
    await this.#connection?.close({ message: "the client was disconnected" });
  }

  /** Sends any method of the schema in its wire form. */
  readonly request: Requester = async (method, params, options) => {
    is.checkArgument("request()", "method", method, is.text);
    if (options !== undefined) checkOptions(method, options, CALL_OPTIONS);
    // While a lost server is being replaced, calls wait. If it cannot be replaced, they reject.
    if (!this.#recovering) return await this.send(method, params, options);
    const patience = { signal: options?.signal, timeoutMs: this.#limitOf(method, options) };
    const timeoutMs = await waitBefore(method, this.#recovering, patience);
    return await this.send(method, params, { ...options, timeoutMs });
  };

  /** Whether the connected server lists this method; true if the server does not list its methods. */
  supports(method: string): boolean {
    if (!this.#server) throw new NotConnectedError("before");
    return this.#methods?.has(method) ?? true;
  }

  /** Sends a request immediately, even while the client is recovering. */
  readonly send: Requester = <M extends keyof ClientRequests>(
    method: M,
    params: ClientRequests[M]["params"],
    options: CallOptions = {},
  ): Promise<ClientRequests[M]["result"]> => {
    if (!this.#server || !this.#connection || this.#disconnected) {
      return Promise.reject(new NotConnectedError(this.#disconnected ? "after" : "before"));
    }
    const uncapped = requestTraits(method).wait !== undefined;
    const timeoutMs = this.#limitOf(method, options);
    const readResult = this.#host.sending(method, params);
    // The only place where a result is cast to its type in the schema.
    const answer = this.#connection.request(method, params, {
      signal: options.signal,
      timeoutMs,
      uncapped,
    }) as Promise<ClientRequests[M]["result"]>;
    if (!readResult) return answer;
    // Runs before the caller sees the result, and before the next message of the same read is handled.
    return answer.then((result) => {
      readResult(result);
      return result;
    });
  };

  /** Calls the listener for each notification of this method. Returns an unsubscribe function. */
  onNotification<M extends keyof ServerNotifications>(
    method: M,
    listener: NotificationListener<M>,
  ): () => void {
    return this.#notificationListeners.add(method, listener);
  }

  /**
   * Registers a handler that answers server requests of this method, in place of the built-in answer. If there are
   * several handlers, the newest one is used. Returns a function that removes this handler.
   */
  onServerRequest<M extends keyof ServerRequests>(method: M, handler: ServerRequestHandler<M>): () => void {
    return this.#requestHandlers.add(method, handler);
  }

  /** Called when the server no longer waits for the answer to this request. */
  dismiss(id: number | string): void {
    this.#connection?.dismiss(id);
  }

  warn(code: ClientWarning["code"], message: string, cause?: unknown): void {
    this.#host.emit("warning", { code, message, ...(cause !== undefined && { cause }) });
  }

  /**
   * Calls the listener when a connection has ended; returns an unsubscribe function. Internal code uses this instead of
   * an `exit` listener, because users can remove and count `exit` listeners.
   */
  onClosed(listener: (reason: CloseReason) => void): () => void {
    const each = (reason: CloseReason): void => listener(reason);
    this.#closeListeners.add(each);
    return () => void this.#closeListeners.delete(each);
  }

  /** The time limit of a request, from the call to its answer; 0 = no limit. */
  #limitOf(method: string, options: CallOptions | undefined): number {
    return (
      options?.timeoutMs ??
      (requestTraits(method).wait === "long" ? 0 : (this.#options.requestTimeoutMs ?? 30_000))
    );
  }

  async #connect(): Promise<void> {
    const { startupTimeoutMs = 10_000 } = this.#options;
    const late = new AbortController();
    const signal = AbortSignal.any([late.signal, this.#giveUp.signal]);
    const timer =
      startupTimeoutMs > 0
        ? setTimeout(
            () => late.abort(new StartupTimeoutError(startupTimeoutMs, this.#host.stderrTail())),
            startupTimeoutMs,
          )
        : undefined;
    try {
      await this.#open(signal);
      this.#losses?.connected();
    } catch (error) {
      await this.#connection?.close();
      if (signal.aborted && error instanceof AbortedError) throw signal.reason;
      // A shell was started, but it did not find its program.
      const isMissing = error instanceof ConnectionClosedError && hasCode(error.cause, "codex_not_found");
      throw isMissing ? error.cause : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Replaces a lost server, or gives up and rejects with the reason. */
  async #recover(losses: LossCounter, reason: CloseReason): Promise<void> {
    let cause: unknown = new ConnectionClosedError(reason, "unknown");
    for (;;) {
      const next = losses.lost(cause);
      if (typeof next !== "number") {
        this.#end(reason, next);
        throw next;
      }
      await pause(next, this.#giveUp.signal);
      try {
        await this.#connect();
        await this.#host.restore(reason, AbortSignal.any([this.#ended, this.#giveUp.signal]));
        // The new server was lost during the restore. `#closed` ignores losses while we recover, so check here.
        if (!this.#connection?.closeReason) return;
        cause = new ConnectionClosedError(this.#connection.closeReason, "unknown");
      } catch (error) {
        cause = error;
        await this.#connection?.close();
        // A retry with the same credentials cannot succeed, and may lock the user out. Nor can one after a lease.
        if (error instanceof AuthFailedError || hasCode(error, "lease_ended")) {
          this.#end(reason, error);
          throw error;
        }
      }
      if (this.#disconnected) {
        this.#end(reason, undefined);
        throw new NotConnectedError("after");
      }
    }
  }

  async #open(signal: AbortSignal): Promise<void> {
    const transport = await openTransport(this.#options.transport, signal);
    this.#transport = transport;
    const ended = new AbortController();
    this.#ended = ended.signal;
    // Each connection has its own handlers, so that late messages of an older connection are ignored.
    const connection: Connection = new Connection({
      transport,
      maxInFlight: this.#options.maxInFlight ?? 64,
      handlers: {
        peek: (line) => this.#quick.read(line),
        notification: (method, params, message) => {
          if (connection === this.#connection) this.#notified(method, params, message);
        },
        request: (method, params, request) => this.#asked(method, params, request),
        badLine: (bad) => this.#badLine(bad),
        closed: (reason) => {
          ended.abort();
          if (transport === this.#transport) this.#transport = undefined;
          if (connection === this.#connection) this.#closed(reason);
        },
      },
    });
    this.#connection = connection;
    const shaking = handshake(connection, this.#options, signal);
    // Load the remaining modules while the server starts; loading them earlier would delay its start.
    const [server] = await Promise.all([shaking, this.#host.prepare()]);
    // The server was lost while the modules were loading. On the first connect, `#closed` has reported that, and there
    // is no state to recover.
    if (connection.closeReason) throw new ConnectionClosedError(connection.closeReason, "unknown");
    this.#server = server;
    this.#support = await supportOf(server.version);
    this.#methods = await listMethods(connection);
    // Servers before 0.100 ignore the list of unwanted notifications and send them anyway.
    const heeds = atLeast(server.version, "0.100.0");
    this.#unwanted = heeds ? undefined : new Set(this.#options.optOutNotifications);
  }

  #notified(method: string, params: unknown, message: WireMessage): void {
    this.#host.received(method, params);
    if (this.#unwanted?.has(method)) return;
    for (const { listener } of this.#notificationListeners.get(method)) {
      try {
        listener(params as never, message);
      } catch (cause) {
        this.warn("listener_failed", `a listener of ${method} threw`, cause);
      }
    }
    const place = params as { threadId?: string; thread?: { id?: string } } | undefined | null;
    this.#host.notified(message as ServerEvent, place?.threadId ?? place?.thread?.id);
  }

  async #asked(method: string, params: unknown, request: IncomingRequest): Promise<unknown> {
    const done = once(this.#host.answering(method, params, request));
    // Do not wait for a handler that ignores the withdrawal: it must not block the turn.
    request.onWithdrawn(done);
    try {
      const handler = this.#requestHandlers.get(method).at(-1)?.listener;
      if (handler) return await handler(params as never, withSignal({ id: request.id }, request));
      return await this.#host.answer(method, params, request);
    } finally {
      done();
    }
  }

  #badLine(bad: BadLine): void {
    this.warn("bad_line", `skipped a line of ${bad.length} characters: ${bad.why}`);
  }

  #closed(reason: CloseReason): void {
    // During recovery, the loop in `#recover` detects another loss itself.
    if (this.#recovering) return;
    if (!this.#losses || !this.#server || this.#disconnected) {
      const error = this.#disconnected ? undefined : new ConnectionClosedError(reason, "unknown");
      return this.#end(reason, error, true);
    }
    this.#host.lost();
    // If the recovery fails, `#recovering` stays rejected, so that every later call rejects with the same error.
    const recovery = this.#recover(this.#losses, reason);
    this.#recovering = recovery;
    void this.#announce(recovery);
    this.#exited(reason);
  }

  #exited(reason: CloseReason): void {
    for (const listener of this.#closeListeners) listener(reason);
    this.#host.emit("exit", reason);
  }

  async #announce(recovery: Promise<void>): Promise<void> {
    try {
      await recovery;
    } catch {
      return; // `#recover` has already emitted `error`.
    }
    this.#recovering = undefined;
    this.#host.emit("reconnected", this.server);
  }

  /** Reports that the connection has ended for good. */
  #end(reason: CloseReason, error: CodexError | undefined, exit = false): void {
    this.#host.closed(reason);
    if (error) this.#host.emit("error", error);
    if (exit) this.#exited(reason);
  }
}

/** Recognises errors of a transport, whose classes this layer does not know. */
function hasCode(error: unknown, code: string): error is CodexError {
  return error instanceof CodexError && error.code === code;
}
