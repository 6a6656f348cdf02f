import type {
  FuzzyFileSearchResult,
  GetAccountParams,
  GetAccountResponse,
  Model,
  ModelListParams,
  ServerNotifications,
  ServerRequests,
  SkillsListEntry,
  Thread as WireThread,
  ThreadListParams,
} from "../protocol/index.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";
import type { ClientCore } from "./connection/core.ts";
import type { ServerInfo } from "./connection/handshake.ts";
import type { NotificationListener, ServerRequestHandler } from "./connection/listeners.ts";
import type { CallOptions, Requester } from "./connection/requester.ts";
import { StderrTail } from "./connection/stderr-tail.ts";
import { ClientInternals } from "./internals.ts";
import { CLIENT_OPTIONS, type ClientOptions } from "./options.ts";
import type { Login, RateLimits } from "./services/account/index.ts";
import type { ExecHandle, ExecOptions } from "./services/commands/index.ts";
import type { Config, SkillsOptions } from "./services/config/index.ts";
import type { CodexFs, Watch, WatchOptions } from "./services/files/index.ts";
import type { Mcp } from "./services/mcp/index.ts";
import { pages } from "./services/paging.ts";
import type { SearchOptions, SearchSession, SearchSessionOptions } from "./services/search/index.ts";
import type { Services } from "./services/services.ts";
import type { ClientEvents } from "./spec-002/events.ts";
import { FlatClient } from "./spec-002/flat-client.ts";
import type { ForkThreadOptions, ResumeThreadOptions, StartThreadOptions } from "./thread/thread-options.ts";
import type { ThreadRoute } from "./thread/thread-route.ts";
import * as tables from "./thread/thread-tables.ts";
import { Thread } from "./thread/thread.ts";

/**
 * A connection to one app-server.
 *
 * If the server fails, nothing waits forever: pending requests and turns reject, and later calls reject immediately.
 * Server requests are always answered, by a handler or by the documented default.
 */
export class CodexClient extends FlatClient implements AsyncDisposable {
  /** The checks of all client options, for subclasses that add options. */
  protected static readonly OPTIONS: Table<ClientOptions> = CLIENT_OPTIONS;
  /** Sends any method of the schema, exactly as it is on the wire. */
  readonly request: Requester;
  readonly #internals: ClientInternals;
  readonly #core: ClientCore;
  readonly #stderr = new StderrTail();

  constructor(options: ClientOptions) {
    checkOptions("CodexClient", options, CLIENT_OPTIONS);
    let internals!: ClientInternals;
    super((client) => (internals = new ClientInternals(options, client)));
    this.#internals = internals;
    this.#core = this.#internals.core;
    this.request = this.#core.request;
  }

  /** Creates a client and connects it. Disposing the client ends the connection. */
  static async connect(options: ClientOptions): Promise<CodexClient> {
    const client = new CodexClient(options);
    await client.connect();
    return client;
  }

  // Connection

  /** The server's description of itself from the handshake. */
  get server(): ServerInfo {
    return this.#core.server;
  }

  /**
   * The process id of the server that this client started; `undefined` while none runs, and for a server behind a
   * socket. The server leads a process group with this id.
   */
  get serverPid(): number | undefined {
    return this.#core.serverPid;
  }

  /**
   * The last 8,192 characters of stderr output of the server that this client started; undefined if there is none.
   */
  override get stderrTail(): string | undefined {
    return this.#stderr.text;
  }

  /** Opens the connection and completes the handshake. A second call returns the same outcome. */
  connect(): Promise<void> {
    return this.#core.connect();
  }

  /** Ends the connection, and the server if this client started it. Pending work rejects. Safe to call twice. */
  disconnect(): Promise<void> {
    return this.#core.disconnect();
  }

  /** The same as `disconnect`. */
  close(): Promise<void> {
    return this.disconnect();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disconnect();
  }

  /**
   * Whether the connected server has this method, according to the server's own list. Returns true if the server does
   * not report one.
   */
  supports(method: string): boolean {
    return this.#core.supports(method);
  }

  /** Calls back for every notification of this method. Returns an unsubscribe function. */
  override onNotification<M extends keyof ServerNotifications>(
    method: M,
    listener: NotificationListener<M>,
  ): () => void {
    return this.#core.onNotification(method, listener);
  }

  /**
   * Registers a handler that answers the server's requests of this method, in place of the built-in answer. If there
   * are several handlers, the newest one is used. Returns a function that removes the handler.
   */
  onServerRequest<M extends keyof ServerRequests>(method: M, handler: ServerRequestHandler<M>): () => void {
    return this.#core.onServerRequest(method, handler);
  }

  /**
   * Whether the client accepts approvals on the thread if `onApproval` is not set: true if this client requested the
   * policy `never` and the server does not report another one.
   */
  acceptsUnasked(threadId: string): boolean {
    return this.#internals.policies.acceptsUnasked(threadId);
  }

  // Threads

  /** Starts a new thread and subscribes to it. */
  async startThread(options: StartThreadOptions = {}, call: CallOptions = {}): Promise<Thread> {
    return this.#handle(await this.#internals.opener.start(options, call));
  }

  /** Loads a stored thread and subscribes to it. */
  async resumeThread(id: string, options: ResumeThreadOptions = {}, call: CallOptions = {}): Promise<Thread> {
    return this.#handle(await this.#internals.opener.resume(id, options, call));
  }

  /** Starts a new thread with the history of another thread. */
  async forkThread(id: string, options: ForkThreadOptions = {}, call: CallOptions = {}): Promise<Thread> {
    return this.#handle(await this.#internals.opener.fork(id, options, call));
  }

  /** Returns a handle for a thread that this connection has started or resumed. Sends nothing. */
  override thread(id: string): Thread {
    return this.#handle(this.#internals.route(id));
  }

  /**
   * Yields the stored threads that match the filter, each exactly once. Requests the list page by page; `limit` is the
   * page size.
   */
  threads(filter: Omit<ThreadListParams, "cursor"> = {}): AsyncGenerator<WireThread, undefined> {
    // By default the server sorts by creation time, with cursors in whole seconds. It would then skip threads that were
    // created in the same second as the last thread of a page.
    const wanted = checkOptions("threads()", filter, tables.THREADS);
    const sorted = { sortKey: "updated_at", ...wanted } as const;
    return pages(
      "thread/list",
      (cursor) => this.#internals.request("thread/list", { ...sorted, cursor }),
      ({ id }) => id,
    );
  }

  // Models and services

  /** Yields every model, page by page. */
  models(filter: Omit<ModelListParams, "cursor"> = {}): AsyncGenerator<Model, undefined> {
    checkOptions("models()", filter, tables.MODELS);
    return pages(
      "model/list",
      (cursor) => this.#internals.request("model/list", { ...filter, cursor }),
      ({ id }) => id,
    );
  }

  /** Starts a command in the server's sandbox, without a thread. */
  exec(argv: readonly string[], options: ExecOptions = {}): ExecHandle {
    return this.#services.exec(argv, options);
  }

  /** Watches a file or folder on the server's machine for changes. */
  watch(path: string, options: WatchOptions = {}): Watch {
    return this.#services.watch(path, options);
  }

  /** Returns the account that the server is logged in with. */
  async account(options: GetAccountParams & CallOptions = {}): Promise<GetAccountResponse> {
    return await this.#services.account(options);
  }

  async logout(call: CallOptions = {}): Promise<void> {
    await this.#services.logout(call);
  }

  async skills(options: SkillsOptions = {}): Promise<SkillsListEntry[]> {
    return await this.#services.skills(options);
  }

  /** Searches the folders in `roots`. Returns the files whose paths match the query, best match first. */
  async search(query: string, options: SearchOptions): Promise<FuzzyFileSearchResult[]> {
    return await this.#services.search(query, options);
  }

  /** Opens a search whose query can change, for search-as-you-type. */
  async searchSession(options: SearchSessionOptions): Promise<SearchSession> {
    return await this.#services.searchSession(options);
  }

  /** Logs in by API key, browser, device code, or tokens that the caller manages. */
  get login(): Login {
    return this.#services.login;
  }

  /** The account's rate limits, kept up to date with the server's partial updates. */
  get rateLimits(): RateLimits {
    return this.#services.rateLimits;
  }

  get mcp(): Mcp {
    return this.#services.mcp;
  }

  get config(): Config {
    return this.#services.config;
  }

  /** Reads and writes files on the machine that the server runs on. */
  get fs(): CodexFs {
    return this.#services.fs;
  }

  // Events

  override emit<K extends keyof ClientEvents>(event: K, ...args: ClientEvents[K]): boolean {
    if (event === "stderr") this.#stderr.add((args as ClientEvents["stderr"])[0]);
    return super.emit(event, ...args);
  }

  protected override listenerThrew(cause: unknown, event: keyof ClientEvents): void {
    // A warning about a failed warning listener would call that listener again.
    if (event !== "warning") this.#core.warn("listener_failed", `a listener for "${event}" threw`, cause);
  }

  get #services(): Services {
    return this.#internals.services;
  }

  #handle(route: ThreadRoute): Thread {
    return new Thread(this.#internals.threadHost, route, (options) =>
      this.forkThread(route.threadId, options),
    );
  }
}
