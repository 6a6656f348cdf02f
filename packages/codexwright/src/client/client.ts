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
 * Whatever happens to the server, nothing waits for ever: pending requests and turns reject, and later
 * calls reject at once. Requests of the server's are always answered, by a handler or by the documented default.
 */
export class CodexClient extends FlatClient implements AsyncDisposable {
  /** The checks of all options, for a client that takes more of them. */
  protected static readonly OPTIONS: Table<ClientOptions> = CLIENT_OPTIONS;
  /** Sends any method of the schema, as it is on the wire. */
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

  /** A connected client; disposing it ends the connection. */
  static async connect(options: ClientOptions): Promise<CodexClient> {
    const client = new CodexClient(options);
    await client.connect();
    return client;
  }

  // The connection

  /** What the server said of itself in the handshake. */
  get server(): ServerInfo {
    return this.#core.server;
  }

  /** The last 8,192 characters that a server of this client wrote to stderr; undefined if it wrote nothing. */
  override get stderrTail(): string | undefined {
    return this.#stderr.text;
  }

  /** Opens the connection and completes the handshake. A second call has the same outcome. */
  connect(): Promise<void> {
    return this.#core.connect();
  }

  /** Ends the connection and a server of ours with it. Pending work rejects. Safe to call twice. */
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

  /** Whether the connected server has this method, by its own list; true where it does not tell. */
  supports(method: string): boolean {
    return this.#core.supports(method);
  }

  /** Calls back for every notification of this name; returns how to stop. */
  override onNotification<M extends keyof ServerNotifications>(
    method: M,
    listener: NotificationListener<M>,
  ): () => void {
    return this.#core.onNotification(method, listener);
  }

  /** Answers the server's requests of this name in place of the built-in way; the newest handler counts. */
  onServerRequest<M extends keyof ServerRequests>(method: M, handler: ServerRequestHandler<M>): () => void {
    return this.#core.onServerRequest(method, handler);
  }

  /**
   * Whether approvals on the thread are accepted without `onApproval`: this client asked for policy `never`, and the
   * server reports no other.
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

  /** Starts a new thread with the history of another one. */
  async forkThread(id: string, options: ForkThreadOptions = {}, call: CallOptions = {}): Promise<Thread> {
    return this.#handle(await this.#internals.opener.fork(id, options, call));
  }

  /** A handle of a thread that this connection has started or resumed; nothing is sent. */
  override thread(id: string): Thread {
    return this.#handle(this.#internals.route(id));
  }

  /** Every stored thread that fits, once, page by page; `limit` is the size of a page. */
  threads(filter: Omit<ThreadListParams, "cursor"> = {}): AsyncGenerator<WireThread, undefined> {
    // The default sort, by creation, has cursors of whole seconds and skips what shares one with a page's end.
    const wanted = checkOptions("threads()", filter, tables.THREADS);
    const sorted = { sortKey: "updated_at", ...wanted } as const;
    return pages(
      "thread/list",
      (cursor) => this.#internals.request("thread/list", { ...sorted, cursor }),
      ({ id }) => id,
    );
  }

  // Models and services

  /** Every model, page by page. */
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

  /** Follows the changes of a file or folder on the server's machine. */
  watch(path: string, options: WatchOptions = {}): Watch {
    return this.#services.watch(path, options);
  }

  /** The account the server is logged in with. */
  async account(options: GetAccountParams & CallOptions = {}): Promise<GetAccountResponse> {
    return await this.#services.account(options);
  }

  async logout(call: CallOptions = {}): Promise<void> {
    await this.#services.logout(call);
  }

  async skills(options: SkillsOptions = {}): Promise<SkillsListEntry[]> {
    return await this.#services.skills(options);
  }

  /** Files below the roots whose names fit, best first. */
  async search(query: string, options: SearchOptions): Promise<FuzzyFileSearchResult[]> {
    return await this.#services.search(query, options);
  }

  /** A search whose query changes as somebody types. */
  async searchSession(options: SearchSessionOptions): Promise<SearchSession> {
    return await this.#services.searchSession(options);
  }

  /** Logging in: by API key, browser, device code, or tokens of the caller's. */
  get login(): Login {
    return this.#services.login;
  }

  /** The account's limits, kept up to date by what the server tells in pieces. */
  get rateLimits(): RateLimits {
    return this.#services.rateLimits;
  }

  get mcp(): Mcp {
    return this.#services.mcp;
  }

  get config(): Config {
    return this.#services.config;
  }

  /** The files of the machine the server runs on. */
  get fs(): CodexFs {
    return this.#services.fs;
  }

  // Events

  override emit<K extends keyof ClientEvents>(event: K, ...args: ClientEvents[K]): boolean {
    if (event === "stderr") this.#stderr.add((args as ClientEvents["stderr"])[0]);
    return super.emit(event, ...args);
  }

  protected override listenerThrew(cause: unknown, event: keyof ClientEvents): void {
    // A warning about a listener of warnings would only come back here.
    if (event !== "warning") this.#core.warn("listener_failed", `a listener of "${event}" threw`, cause);
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
