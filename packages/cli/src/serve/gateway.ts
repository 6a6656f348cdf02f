import {
  AbortedError,
  CodexClient,
  ResponseError,
  type CloseReason,
  type protocol,
  type Transport,
  type TransportFactory,
} from "codexwright";
import { CODEX_VERSION, METHODS, REMOVED_METHODS, type MethodTable } from "codexwright/protocol";
import { Endpoint, type ClientConnection, type HandlerContext, type Handlers } from "codexwright/server";
import { OwnedIds } from "./owned-ids.ts";
import { Pacer } from "./pacer.ts";
import {
  agentThreads,
  audience,
  GREETINGS,
  openedThread,
  OPENERS,
  relayed,
  STARTERS,
  threadOf,
  TURN_STARTERS,
} from "./routing.ts";
import { UpstreamThreads } from "./upstream-threads.ts";

type Method = Exclude<keyof protocol.ClientRequests, "initialize">;
type Notification = keyof protocol.ServerNotifications;
type ServerRequest = keyof protocol.ServerRequests;

/** The app-server asks it of every connection; the answer is the same from us. */
const OWN_ANSWERS: ReadonlySet<string> = new Set(["currentTime/read"]);

export interface GatewayOptions {
  /** The one app-server. */
  readonly transport: TransportFactory;
  /** What no client is told of. */
  readonly onWarning?: (message: string) => void;
  /** What the app-server writes to stderr is not here: a transport has it. */
  readonly onClients?: (count: number) => void;
}

/**
 * Many clients in front of one app-server. Each has its own handshake, subscriptions and ids, and the first
 * answer to a question counts; the app-server sees one client.
 */
export class Gateway implements AsyncDisposable {
  /** Resolves when the app-server is gone, whoever ended it. */
  readonly ended: Promise<CloseReason>;
  readonly #client: CodexClient;
  readonly #pacer = new Pacer();
  readonly #ids = new OwnedIds();
  readonly #connections = new Map<number, ClientConnection>();
  readonly #greetings = new Map<string, { method: Notification; params: unknown }>();
  readonly #threads: UpstreamThreads;
  readonly #options: GatewayOptions;
  #endpoint!: Endpoint;
  #draining = false;
  /** There is no app-server to talk to any more. */
  #over = false;

  private constructor(options: GatewayOptions) {
    this.#options = options;
    this.#client = new CodexClient({
      transport: this.#pacer.wrap(options.transport),
      clientName: "codexwright-serve",
      // How long a client waits is its own business.
      requestTimeoutMs: 0,
    });
    this.#client.on("warning", ({ message }) => options.onWarning?.(message));
    this.#client.on("error", () => {}); // `ended` tells.
    this.ended = new Promise((resolve) => this.#client.on("exit", resolve));
    this.#client.on("exit", () => {
      this.#over = true;
      this.#threads.end();
    });
    this.#threads = new UpstreamThreads({
      followers: (threadId) => this.#endpoint.thread(threadId).subscribers.length,
      unsubscribe: (threadId) => this.#tell("thread/unsubscribe", { threadId }),
      hold: (work) => this.#endpoint.hold(work),
    });
    for (const method of namesOf("serverNotifications") as Notification[]) {
      this.#client.onNotification(method, (params) => this.#notified(method, params));
    }
    for (const method of namesOf("serverRequests") as ServerRequest[]) {
      if (OWN_ANSWERS.has(method)) continue;
      this.#client.onServerRequest(method, (params, { signal }) => this.#asked(method, params, signal));
    }
  }

  /** Starts the app-server and waits for its handshake. */
  static async open(options: GatewayOptions): Promise<Gateway> {
    const gateway = new Gateway(options);
    const client = gateway.#client;
    // The first notifications come with the handshake and must find somebody.
    gateway.#endpoint = gateway.#endpointFor(undefined, []);
    await client.connect();
    const methods = namesOf("clientRequests").filter(
      (method) => method !== "initialize" && client.supports(method),
    ) as Method[];
    gateway.#endpoint = gateway.#endpointFor(client.server, methods);
    return gateway;
  }

  /** The Codex version of the app-server. */
  get version(): string {
    return this.#client.server.version;
  }

  /** Serves one more client. */
  accept(transport: Transport): void {
    const connection = this.#endpoint.accept(transport);
    this.#connections.set(connection.id, connection);
    this.#options.onClients?.(this.#connections.size);
    const gone = (): void => this.#left(connection);
    if (connection.signal.aborted) gone();
    else connection.signal.addEventListener("abort", gone, { once: true });
  }

  /**
   * Starts nothing new, waits for the turns that run, then ends the clients and the app-server. Aborting the
   * signal ends the wait.
   */
  async shutdown(signal?: AbortSignal): Promise<void> {
    this.#draining = true;
    await this.#endpoint.shutdown({ signal });
    this.#over = true;
    await this.#client.disconnect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shutdown(AbortSignal.abort());
  }

  #endpointFor(server: CodexClient["server"] | undefined, methods: readonly Method[]): Endpoint {
    const forwarders = methods.map((method) => [
      method,
      (params: unknown, context: HandlerContext) => this.#forward(method, params, context),
    ]);
    const { version = CODEX_VERSION, codexHome, platformFamily, platformOs } = server ?? {};
    return new Endpoint({
      handlers: Object.fromEntries(forwarders) as Handlers,
      version,
      // What another version refuses only that version knows.
      validate: version === CODEX_VERSION,
      info: {
        ...(codexHome !== undefined && { codexHome }),
        ...(platformFamily !== undefined && { platformFamily }),
        ...(platformOs !== undefined && { platformOs }),
      },
      onInitialized: (connection) => {
        for (const { method, params } of this.#greetings.values()) connection.notify(method, params as never);
      },
      onError: (error, method) => {
        // A client that has gone is nobody to warn of.
        if (error instanceof AbortedError) return;
        this.#options.onWarning?.(
          `${method} failed: ${error instanceof Error ? error.message : String(error)}`,
        );
      },
    });
  }

  async #forward(method: Method, params: unknown, context: HandlerContext): Promise<never> {
    if (this.#draining && STARTERS.has(method)) {
      throw new ResponseError(-32603, "the server is shutting down");
    }
    if (method === "thread/unsubscribe") return (await this.#unsubscribe(params, context)) as never;
    const work = this.#pass(method, params, context);
    // Between the answer and `turn/started` there is nothing else to wait for.
    if (TURN_STARTERS.has(method)) this.#endpoint.hold(work);
    return (await work) as never;
  }

  async #pass(method: Method, params: unknown, context: HandlerContext): Promise<unknown> {
    const { connection } = context;
    const owned = this.#ids.toServer(connection.id, method, params);
    const threadId = threadOf(params);
    const opening = OPENERS.has(method) ? this.#threads.opening(threadId ?? "") : undefined;
    // What has effects here is waited for even when its client is gone.
    const signal = opening || TURN_STARTERS.has(method) ? undefined : context.signal;
    const ask = (): Promise<unknown> => this.#request(method, owned, signal);
    let isError = true;
    try {
      const result = await (opening ? this.#pacer.during(ask) : ask());
      isError = false;
      if (opening) this.#follow(openedThread(method, params, result), context);
      const { turn } = result as { turn?: { id?: unknown } };
      if (TURN_STARTERS.has(method) && threadId !== undefined && typeof turn?.id === "string") {
        this.#threads.turnAccepted(threadId, turn.id);
      }
      return result;
    } catch (error) {
      throw relayed(error);
    } finally {
      opening?.();
      this.#ids.answered(connection.id, method, params, isError);
    }
  }

  #follow(threadId: string | undefined, { subscribe }: HandlerContext): void {
    if (threadId === undefined) return;
    this.#threads.opened(threadId);
    subscribe(threadId);
  }

  /** The app-server hears of it when nobody is left. */
  async #unsubscribe(params: unknown, { connection, signal }: HandlerContext): Promise<unknown> {
    const threadId = threadOf(params) ?? "";
    if (!connection.unsubscribe(threadId)) {
      const others = this.#endpoint.thread(threadId).subscribers.length > 0;
      if (others) return { status: "notSubscribed" };
      return await this.#request("thread/unsubscribe", params, signal).catch((error: unknown) => {
        throw relayed(error);
      });
    }
    this.#threads.release(threadId);
    return { status: "unsubscribed" };
  }

  #request(method: Method, params: unknown, signal?: AbortSignal): Promise<unknown> {
    return this.#client.request(method, params as never, { signal });
  }

  /** Asks for what nobody waits for. */
  #tell(method: Method, params: unknown): void {
    if (this.#over) return;
    this.#request(method, params).catch((error: unknown) => {
      if (!this.#over) this.#options.onWarning?.(`${method} failed: ${(error as Error).message}`);
    });
  }

  #notified(method: Notification, params: unknown): void {
    // The endpoint says itself when a request is resolved: its ids are its own.
    if (method === "serverRequest/resolved") return;
    if (GREETINGS.has(method)) this.#greetings.set(greetingKey(method, params), { method, params });
    const owner = this.#ids.toClient(method, params);
    if (owner) return this.#connections.get(owner.connection)?.notify(method, owner.params as never);
    const threadId = audience(method, params);
    if (threadId === undefined) this.#endpoint.broadcast(method, params as never);
    else this.#endpoint.thread(threadId).notify(method, params as never);
    this.#noted(method, params);
  }

  /** What a notification means for the threads we follow. It was passed on before. */
  #noted(method: Notification, params: unknown): void {
    const threadId = threadOf(params);
    if (threadId === undefined) return;
    const { turn } = params as { turn?: { id: string } };
    if (method === "turn/started" && turn) this.#threads.turnStarted(threadId, turn.id);
    else if (method === "turn/completed" && turn) this.#threads.turnCompleted(threadId, turn.id);
    else if (method === "thread/closed" || method === "thread/deleted") this.#threads.closed(threadId);
    else if (method === "item/started" || method === "item/completed") {
      for (const child of agentThreads(params)) this.#adopt(threadId, child);
    }
  }

  /** Whoever follows a thread follows the agents that work for it. */
  #adopt(parent: string, child: string): void {
    if (child === parent) return;
    this.#threads.opened(child);
    for (const follower of this.#endpoint.thread(parent).subscribers) follower.subscribe(child);
  }

  async #asked<M extends ServerRequest>(
    method: M,
    params: protocol.ServerRequests[M]["params"],
    signal: AbortSignal,
  ): Promise<protocol.ServerRequests[M]["result"]> {
    const threadId = threadOf(params);
    const channel = threadId === undefined ? this.#endpoint : this.#endpoint.thread(threadId);
    try {
      return await channel.request(method, params, { signal });
    } catch (error) {
      throw relayed(error);
    }
  }

  #left(connection: ClientConnection): void {
    if (!this.#connections.delete(connection.id)) return;
    this.#options.onClients?.(this.#connections.size);
    for (const { method, params } of this.#ids.left(connection.id)) this.#tell(method as Method, params);
    // It is taken out of the subscriptions after its signal has aborted.
    queueMicrotask(() => this.#threads.releaseAll());
  }
}

/** Also those that are gone: the app-server may be one that has them. */
function namesOf(direction: keyof MethodTable): readonly string[] {
  return [...Object.keys(METHODS[direction]), ...Object.keys(REMOVED_METHODS[direction])];
}

/** Of a warning all are kept, of a status the last. */
function greetingKey(method: string, params: unknown): string {
  return method === "configWarning" ? `${method} ${JSON.stringify(params)}` : method;
}
