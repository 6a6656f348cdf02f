import type {
  ClientRequests,
  ServerEvent,
  ServerNotifications,
  ServerRequests,
  ThreadStartParams,
} from "../protocol/index.ts";
import { Connection, type BadLine, type RequestContext } from "../rpc/connection.ts";
import { AbortedError, ConnectionClosedError, type CloseReason, type CodexError } from "../rpc/errors.ts";
import type { WireMessage } from "../rpc/message.ts";
import type { Transport } from "../rpc/transport.ts";
import { defaultAnswer } from "./default-answers.ts";
import { Emitter } from "./emitter.ts";
import { NotConnectedError, StartupTimeoutError } from "./errors.ts";
import { handshake, type ServerInfo } from "./handshake.ts";
import { laneOf } from "./lanes.ts";
import { ListenerTable } from "./listeners.ts";
import { checkOptions, type ClientOptions } from "./options.ts";
import type { CallOptions, Requester, ThreadRoute } from "./routes.ts";
import { toApprovalPolicy, toSandboxMode, type ApprovalSpelling, type SandboxSpelling } from "./spelling.ts";
import { Thread } from "./thread.ts";
import { VERSION } from "./version.ts";

/** Something went wrong that ends nothing. */
export interface ClientWarning {
  readonly code: "bad_line" | "listener_failed";
  readonly message: string;
  readonly cause?: unknown;
}

/** Events of a client's own life. */
export interface ClientEvents {
  /** The server is gone though nobody asked it to go. */
  error: [error: CodexError];
  /** The connection has ended, for whatever reason. */
  exit: [reason: CloseReason];
  warning: [warning: ClientWarning];
  /** What a server of ours writes to stderr, as it comes. */
  stderr: [text: string];
}

/** Parameters of a new thread: the wire's, in either spelling; what is left out comes from the client's options. */
export interface StartThreadOptions extends Omit<
  ThreadStartParams,
  "dynamicTools" | "sandbox" | "approvalPolicy"
> {
  sandbox?: SandboxSpelling | null;
  approvalPolicy?: ApprovalSpelling | null;
}

export type NotificationListener<M extends keyof ServerNotifications> = (
  params: ServerNotifications[M],
  message: WireMessage,
) => void;

export type ServerRequestHandler<M extends keyof ServerRequests> = (
  params: ServerRequests[M]["params"],
  context: RequestContext,
) => ServerRequests[M]["result"] | Promise<ServerRequests[M]["result"]>;

/**
 * A connection to one app-server.
 *
 * Whatever happens to the server, nothing waits for ever: pending requests and turns reject, and later
 * calls reject at once. Requests of the server's are always answered, by a handler or by the documented default.
 */
export class CodexClient extends Emitter<ClientEvents> implements AsyncDisposable {
  readonly #options: ClientOptions;
  readonly #routes = new Map<string, ThreadRoute>();
  readonly #notificationListeners = new ListenerTable<(params: never, message: WireMessage) => void>();
  readonly #requestHandlers = new ListenerTable<(params: never, context: RequestContext) => unknown>();
  #connecting: Promise<this> | undefined;
  #connection: Connection | undefined;
  #server: ServerInfo | undefined;
  #disconnected = false;

  constructor(options: ClientOptions) {
    super();
    checkOptions(options);
    this.#options = options;
    this.onNotification("thread/tokenUsage/updated", ({ threadId, tokenUsage }) => {
      this.#route(threadId).usage = tokenUsage.total;
    });
  }

  /** What the server said of itself in the handshake. */
  get server(): ServerInfo {
    if (!this.#server) throw new NotConnectedError("before");
    return this.#server;
  }

  /** Opens the connection and shakes hands. A second call gives the same outcome. */
  connect(): Promise<this> {
    if (this.#disconnected) return Promise.reject(new NotConnectedError("after"));
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  /** Ends the connection and a server of ours with it. Pending work rejects. Safe to call twice. */
  async disconnect(): Promise<void> {
    this.#disconnected = true;
    await this.#connecting?.catch(() => {});
    await this.#connection?.close({ message: "the client was disconnected" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnect();
  }

  /** Sends any method of the schema, as it is on the wire. */
  readonly request: Requester = <M extends keyof ClientRequests>(
    method: M,
    params: ClientRequests[M]["params"],
    options: CallOptions = {},
  ): Promise<ClientRequests[M]["result"]> => {
    if (!this.#server || !this.#connection || this.#disconnected) {
      return Promise.reject(new NotConnectedError(this.#disconnected ? "after" : "before"));
    }
    const { uncapped, unlimited } = laneOf(method);
    const timeoutMs = options.timeoutMs ?? (unlimited ? 0 : (this.#options.requestTimeoutMs ?? 30_000));
    // The one place where an answer gets the type the schema gives it.
    return this.#connection.request(method, params, { ...options, timeoutMs, uncapped }) as Promise<
      ClientRequests[M]["result"]
    >;
  };

  /** Calls back for every notification of this name; returns how to stop. */
  onNotification<M extends keyof ServerNotifications>(
    method: M,
    listener: NotificationListener<M>,
  ): () => void {
    return this.#notificationListeners.add(method, listener);
  }

  /** Answers the server's requests of this name in place of the built-in way; the newest handler counts. */
  onServerRequest<M extends keyof ServerRequests>(method: M, handler: ServerRequestHandler<M>): () => void {
    return this.#requestHandlers.add(method, handler);
  }

  /** Starts a new thread and subscribes to it. */
  async startThread(options: StartThreadOptions = {}, call: CallOptions = {}): Promise<Thread> {
    const { sandbox, approvalPolicy, cwd, ...wire } = options;
    const folder = cwd ?? this.#options.cwd;
    const response = await this.request(
      "thread/start",
      {
        ...(this.#options.model !== undefined && { model: this.#options.model }),
        ...wire,
        // Told the folder it runs in anyway, the server would write a trust entry into the user's config.toml.
        ...(folder !== undefined && folder !== this.#options.transport.cwd && { cwd: folder }),
        sandbox: toSandboxMode(sandbox ?? this.#options.sandbox ?? "workspace-write"),
        approvalPolicy: toApprovalPolicy(approvalPolicy ?? this.#options.approvalPolicy ?? "never"),
      },
      call,
    );
    this.#route(response.thread.id).approvalPolicy = response.approvalPolicy;
    return this.thread(response.thread.id);
  }

  /** A handle of a thread that this connection has started or resumed; nothing is sent. */
  thread(id: string): Thread {
    return new Thread(this.request, this.#route(id), this.#options.turnSilenceMs ?? 300_000);
  }

  protected override listenerThrew(cause: unknown, event: keyof ClientEvents): void {
    // A warning about a listener of warnings would only come back here.
    if (event !== "warning") this.#warn("listener_failed", `a listener of "${event}" threw`, cause);
  }

  async #connect(): Promise<this> {
    const { startupTimeoutMs = 10_000 } = this.#options;
    const giveUp = new AbortController();
    const late = new StartupTimeoutError(startupTimeoutMs);
    const timer = startupTimeoutMs > 0 ? setTimeout(() => giveUp.abort(late), startupTimeoutMs) : undefined;
    try {
      await this.#open(giveUp.signal);
      return this;
    } catch (error) {
      await this.#connection?.close();
      throw giveUp.signal.aborted && error instanceof AbortedError ? late : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #open(signal: AbortSignal): Promise<void> {
    const transport: Transport = await this.#options.transport(signal);
    if (this.#disconnected) {
      await transport.close();
      throw new NotConnectedError("after");
    }
    this.#connection = new Connection({
      transport,
      maxInFlight: this.#options.maxInFlight ?? 64,
      handlers: {
        notification: (method, params, message) => this.#notified(method, params, message),
        request: (method, params, context) => this.#asked(method, params, context),
        badLine: (bad) => this.#badLine(bad),
        closed: (reason) => this.#closed(reason),
      },
    });
    this.#server = await handshake(
      this.#connection,
      {
        name: this.#options.clientName ?? "codexwright",
        title: this.#options.clientTitle,
        version: this.#options.clientVersion ?? VERSION,
        experimentalApi: this.#options.experimentalApi ?? true,
        optOutNotifications: this.#options.optOutNotifications ?? [],
      },
      signal,
    );
  }

  #notified(method: string, params: unknown, message: WireMessage): void {
    for (const listener of this.#notificationListeners.get(method)) {
      try {
        listener(params as never, message);
      } catch (cause) {
        this.#warn("listener_failed", `a listener of ${method} threw`, cause);
      }
    }
    const threadId = (params as { threadId?: string } | undefined)?.threadId;
    if (threadId !== undefined) this.#routes.get(threadId)?.turn?.deliver(message as ServerEvent);
  }

  async #asked(method: string, params: unknown, context: RequestContext): Promise<unknown> {
    const { threadId } = (params ?? {}) as { threadId?: string };
    const route = threadId === undefined ? undefined : this.#routes.get(threadId);
    const turn = route?.turn;
    turn?.hold();
    try {
      const handler = this.#requestHandlers.get(method).at(-1);
      if (handler) return await handler(params as never, context);
      return defaultAnswer(method as keyof ServerRequests, params as never, route?.approvalPolicy);
    } finally {
      turn?.release();
    }
  }

  #badLine(bad: BadLine): void {
    this.#warn("bad_line", `skipped a line of ${bad.length} characters: ${bad.why}`);
  }

  #closed(reason: CloseReason): void {
    for (const { turn } of this.#routes.values()) turn?.disconnected(reason);
    if (!this.#disconnected) this.emit("error", new ConnectionClosedError(reason, "unknown"));
    this.emit("exit", reason);
  }

  #route(threadId: string): ThreadRoute {
    let route = this.#routes.get(threadId);
    if (!route) {
      route = { threadId, turn: undefined, usage: undefined, approvalPolicy: undefined };
      this.#routes.set(threadId, route);
    }
    return route;
  }

  #warn(code: ClientWarning["code"], message: string, cause?: unknown): void {
    this.emit("warning", { code, message, ...(cause !== undefined && { cause }) });
  }
}
