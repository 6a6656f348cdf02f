import { setMaxListeners } from "node:events";
import {
  AbortedError,
  ResponseError,
  type CloseReason,
  type Transport,
  type TransportFactory,
} from "codexwright";
import {
  checkOptions,
  needed,
  notificationTraits,
  requestTraits,
  serverRequestTraits,
  type Table,
} from "codexwright/internal";
import * as is from "codexwright/internal/options";
import { CODEX_VERSION } from "codexwright/protocol";
import { Endpoint, type ClientConnection, type HandlerContext } from "codexwright/server";
import { Answerers } from "./answerers.ts";
import { EarlyEvents } from "./early-events.ts";
import { FairShare } from "./fair-share.ts";
import { OwnedIds } from "./owned-ids.ts";
import { agentThreads, audience, openedThread, relayed, threadOf } from "./routing.ts";
import { UpstreamThreads } from "./upstream-threads.ts";
import { Upstream, type UpstreamHandlers } from "./upstream.ts";

/**
 * All clients together may have half of the unanswered requests that the app-server accepts. Each client may have half
 * of that. The queue of a client is as long as the app-server's own limit for a client.
 */
const SHARES = { total: 64, each: 32, waiting: 128 };
/**
 * A client that connects but never initializes is disconnected after this time, because it takes up a
 * connection.
 */
const INITIALIZE_MS = 10_000;

/** Options of {@link Gateway.open}. */
export interface GatewayOptions {
  /** Connects to the app-server, for example `stdio()`. */
  readonly transport: TransportFactory;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
  /** Called with a problem that is not reported to any client. */
  readonly onWarning?: (message: string) => void;
  /** Called with the number of clients when it changes. */
  readonly onClients?: (count: number) => void;
}

const OPTIONS: Table<GatewayOptions> = {
  transport: needed(is.func),
  signal: is.signal,
  onWarning: is.func,
  onClients: is.func,
};

/**
 * Connects many clients to one app-server. Each client has its own handshake, subscriptions and ids, and the
 * first answer to a server request counts. For the app-server, the gateway is one client.
 */
export class Gateway implements AsyncDisposable {
  readonly #ids = new OwnedIds();
  readonly #shares = new FairShare(SHARES);
  readonly #early = new EarlyEvents();
  readonly #answerers = new Answerers(() => this.#endpoint);
  readonly #connections = new Map<number, ClientConnection>();
  readonly #greetings = new Map<string, { method: string; params: unknown }>();
  readonly #threads: UpstreamThreads;
  readonly #options: GatewayOptions;
  /** A placeholder without clients, used while the app-server starts. */
  #endpoint: Endpoint = new Endpoint({ handlers: {} });
  #upstream!: Upstream;
  #draining = false;

  private constructor(options: GatewayOptions) {
    this.#options = options;
    this.#threads = new UpstreamThreads({
      followers: (threadId) => this.#endpoint.thread(threadId).subscribers.length,
      unsubscribe: (threadId) => this.#tell("thread/unsubscribe", { threadId }),
      hold: (work) => this.#endpoint.hold(work),
    });
  }

  /** Starts the app-server and waits for its handshake. */
  static async open(options: GatewayOptions): Promise<Gateway> {
    checkOptions("Gateway.open()", options, OPTIONS);
    const gateway = new Gateway(options);
    const handlers: UpstreamHandlers = {
      notification: (method, params) => gateway.#notified(method, params),
      request: (method, params, { signal }) => gateway.#asked(method, params, signal),
      warning: (message) => options.onWarning?.(message),
    };
    const upstream = await Upstream.open(options.transport, handlers, options.signal);
    gateway.#upstream = upstream;
    gateway.#endpoint = gateway.#endpointFor(upstream);
    void upstream.ended.then(() => gateway.#threads.end());
    return gateway;
  }

  /** Resolves when the app-server is gone, however it ended. */
  get ended(): Promise<CloseReason> {
    return this.#upstream.ended;
  }

  /** The Codex version of the app-server. */
  get version(): string {
    return this.#upstream.info.version;
  }

  /** Serves a client on this transport. */
  accept(transport: Transport): void {
    const connection = this.#endpoint.accept(transport);
    this.#connections.set(connection.id, connection);
    this.#options.onClients?.(this.#connections.size);
    const gone = (): void => this.#left(connection);
    // Every request of a client adds a listener to the connection's signal, so the number of listeners has no limit.
    setMaxListeners(0, connection.signal);
    if (connection.signal.aborted) gone();
    else connection.signal.addEventListener("abort", gone, { once: true });
  }

  /**
   * Rejects new turns, waits for running turns, then disconnects the clients and ends the app-server.
   * Aborting the signal ends the wait.
   */
  async shutdown(signal?: AbortSignal): Promise<void> {
    this.#draining = true;
    await this.#endpoint.shutdown({ signal });
    await this.#upstream[Symbol.asyncDispose]();
  }

  /** Disconnects the clients and ends the app-server, without waiting for running turns. */
  async close(): Promise<void> {
    await this.shutdown(AbortSignal.abort());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #endpointFor({ info: { version, codexHome, platformFamily, platformOs } }: Upstream): Endpoint {
    return new Endpoint({
      handlers: {},
      // The app-server itself rejects unknown methods, and a newer one may know more methods than we do.
      fallback: (method, params, context) => this.#forward(method, params, context),
      onNotification: (method, params) => {
        if (method !== "initialized") void this.#upstream.notify(method, params);
      },
      version,
      // We know the validation rules of one version only. Other versions validate params themselves.
      validate: version === CODEX_VERSION,
      initializeTimeoutMs: INITIALIZE_MS,
      info: {
        ...(codexHome !== undefined && { codexHome }),
        ...(platformFamily !== undefined && { platformFamily }),
        ...(platformOs !== undefined && { platformOs }),
      },
      onInitialized: (connection) => {
        for (const { method, params } of this.#greetings.values())
          connection.notify(method as never, params as never);
      },
      onError: (error, method) => {
        // Do not warn about a client that has left.
        if (error instanceof AbortedError) return;
        this.#options.onWarning?.(
          `${method} failed: ${error instanceof Error ? error.message : String(error)}`,
        );
      },
    });
  }

  async #forward(method: string, params: unknown, context: HandlerContext): Promise<unknown> {
    const { starts } = requestTraits(method);
    if (this.#draining && starts !== undefined) {
      throw new ResponseError(-32603, "the server is shutting down");
    }
    if (method === "thread/unsubscribe") return await this.#unsubscribe(params, context);
    const work = this.#pass(method, params, context);
    // Between the answer and `turn/started`, nothing else makes a shutdown wait for the turn.
    if (starts === "turn") this.#endpoint.hold(work);
    return await work;
  }

  async #pass(method: string, params: unknown, context: HandlerContext): Promise<unknown> {
    const { connection, id } = context;
    const { opens, starts, wait } = requestTraits(method);
    const threadId = threadOf(params);
    const opening = opens ? this.#threads.opening(threadId ?? "") : undefined;
    // The answer includes all earlier events of the thread.
    if (opening && threadId !== undefined) this.#early.take(threadId);
    // Requests that change our state are awaited even if their client has left.
    const signal = opening || starts === "turn" ? undefined : context.signal;
    const { params: owned, ...claim } = this.#ids.claim(connection.id, { id, method, params });
    const ask = (): Promise<unknown> => this.#upstream.request(method, owned, { signal, sent: claim.sent });
    let isError = true;
    try {
      const result = await (wait === undefined ? this.#shares.run(connection.id, ask) : ask());
      isError = false;
      const opened = openedThread(opens, params, result);
      this.#answerers.noted(connection, method, params, opened);
      if (opened !== undefined) this.#follow(opened, context);
      const { turn } = result as { turn?: { id?: unknown } };
      if (starts === "turn" && threadId !== undefined && typeof turn?.id === "string") {
        this.#threads.turnAccepted(threadId, turn.id);
      }
      return result;
    } catch (error) {
      throw relayed(error, "app-server");
    } finally {
      opening?.();
      claim.answered(isError);
    }
  }

  #follow(threadId: string, { subscribe }: HandlerContext): void {
    this.#threads.opened(threadId);
    subscribe(threadId);
    this.#catchUp(threadId);
    // The client may have left in the meantime.
    this.#threads.release(threadId);
  }

  /** Delivers earlier events of a thread to its followers. */
  #catchUp(threadId: string): void {
    for (const { method, params } of this.#early.take(threadId)) this.#deliver(threadId, method, params);
  }

  #deliver(threadId: string, method: string, params: unknown): void {
    this.#endpoint.thread(threadId).notify(method as never, params as never);
    this.#noted(threadId, method, params);
  }

  /** Unsubscribes a client. The app-server is notified when the last follower leaves. */
  async #unsubscribe(params: unknown, { connection, signal }: HandlerContext): Promise<unknown> {
    const threadId = threadOf(params) ?? "";
    if (!connection.unsubscribe(threadId)) {
      const others = this.#endpoint.thread(threadId).subscribers.length > 0;
      if (others) return { status: "notSubscribed" };
      return await this.#upstream
        .request("thread/unsubscribe", params, { signal })
        .catch((error: unknown) => {
          throw relayed(error, "app-server");
        });
    }
    this.#threads.release(threadId);
    return { status: "unsubscribed" };
  }

  /**
   * Tells the app-server to end something that no client uses any more. Errors are ignored: the work may have ended
   * already, and older servers do not know all these methods.
   */
  #tell(method: string, params: unknown): void {
    if (!this.#upstream.isOver) this.#upstream.request(method, params).catch(() => {});
  }

  #notified(method: string, params: unknown): void {
    const { greets } = notificationTraits(method);
    if (greets) {
      const key = greets === "each" ? `${method} ${JSON.stringify(params)}` : method;
      this.#greetings.set(key, { method, params });
    }
    const owner = this.#ids.toClient(method, params);
    if (owner) {
      this.#connections.get(owner.connection)?.notify(method as never, owner.params as never);
      return;
    }
    const threadId = audience(method, params);
    if (threadId === undefined) {
      this.#endpoint.broadcast(method as never, params as never);
      this.#noted(threadOf(params), method, params);
    } else if (this.#threads.has(threadId)) {
      this.#deliver(threadId, method, params);
    } else {
      this.#early.keep(threadId, { method, params });
    }
  }

  /** Updates our state from a notification, after it was delivered. */
  #noted(threadId: string | undefined, method: string, params: unknown): void {
    const { turn, thread } = (params ?? {}) as {
      turn?: { id: string };
      thread?: { id: string; parentThreadId?: string | null };
    };
    if (method === "thread/started" && thread?.parentThreadId) this.#adopt(thread.parentThreadId, thread.id);
    if (threadId === undefined) return;
    if (method === "turn/started" && turn) this.#threads.turnStarted(threadId, turn.id);
    else if (method === "turn/completed" && turn) this.#threads.turnCompleted(threadId, turn.id);
    else if (method === "thread/closed" || method === "thread/deleted") {
      this.#threads.closed(threadId);
      this.#answerers.closed(threadId);
      this.#early.take(threadId);
    } else if (method === "item/started" || method === "item/completed") {
      for (const child of agentThreads(params)) this.#adopt(threadId, child);
    }
  }

  /** Subscribes the followers of a thread to its sub-agents. */
  #adopt(parent: string, child: string): void {
    if (child === parent || !this.#threads.has(parent)) return;
    this.#threads.opened(child);
    this.#answerers.inherited(parent, child);
    for (const follower of this.#endpoint.thread(parent).subscribers) follower.subscribe(child);
    this.#catchUp(child);
  }

  async #asked(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    // The app-server asks every connection for the time. The gateway answers for its clients.
    if (method === "currentTime/read") return { currentTimeAt: Math.floor(Date.now() / 1000) };
    const threadId = threadOf(params);
    const channel = threadId === undefined ? this.#endpoint : this.#endpoint.thread(threadId);
    try {
      const { answeredBy } = serverRequestTraits(method);
      if (answeredBy === "one") return await this.#answerers.ask(method, params, signal);
      return await channel.request(method as never, params as never, { signal });
    } catch (error) {
      throw relayed(error, "client");
    }
  }

  #left(connection: ClientConnection): void {
    if (!this.#connections.delete(connection.id)) return;
    this.#options.onClients?.(this.#connections.size);
    this.#answerers.left(connection);
    for (const { method, params } of this.#ids.left(connection.id)) this.#tell(method, params);
    // The client's subscriptions are removed after its signal has aborted.
    queueMicrotask(() => this.#threads.releaseAll());
  }
}
