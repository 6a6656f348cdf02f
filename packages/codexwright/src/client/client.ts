import type {
  DynamicToolCallParams,
  FuzzyFileSearchResult,
  GetAccountParams,
  GetAccountResponse,
  Model,
  ModelListParams,
  ServerEvent,
  SkillsListEntry,
  ThreadListParams,
} from "../protocol/index.ts";
import type { RequestContext } from "../rpc/serving.ts";
import { ConnectionClosedError, type CloseReason, type CodexError } from "../rpc/errors.ts";
import type { Login, RateLimits } from "./services/account/index.ts";
import type { ExecHandle, ExecOptions } from "./services/commands/index.ts";
import type { Config, SkillsOptions } from "./services/config/index.ts";
import { ClientCore } from "./connection/core.ts";
import { NotConnectedError, type TurnRetryingError } from "./errors.ts";
import type { ClientWarning } from "./connection/events.ts";
import type { CodexFs, Watch, WatchOptions } from "./services/files/index.ts";
import { joinInputs } from "./turn/input.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";
import type { Mcp } from "./services/mcp/index.ts";
import { CLIENT_OPTIONS, type ClientOptions } from "./connection/options.ts";
import { pages } from "./services/paging.ts";
import { checkedRequester, type CallOptions, type Requester } from "./connection/requester.ts";
import { lazyAnswers } from "./requests/server-request-handler.ts";
import type { SearchOptions, SearchSession, SearchSessionOptions } from "./services/search/index.ts";
import { NoRolloutError } from "./connection/server-errors.ts";
import type { ServiceHost } from "./services/service-host.ts";
import type { ServicesModule } from "./services/services-module.ts";
import type { Services } from "./services/services.ts";
import type * as spec from "./spec-002/spec-types.ts";
import * as tables from "./thread/thread-tables.ts";
import { steerTurn } from "./turn/steer.ts";
import type { ThreadOpener } from "./thread/thread-opener.ts";
import type { ForkThreadOptions, ResumeThreadOptions, StartThreadOptions } from "./thread/thread-options.ts";
import type { ThreadHost, ThreadRoute } from "./thread/thread-route.ts";
import { ThreadTable } from "./thread/thread-table.ts";
import { Thread } from "./thread/thread.ts";
import { ownItems } from "./turn/turn-result.ts";
import type { Turn } from "./turn/turn.ts";

/**
 * A connection to one app-server.
 *
 * Whatever happens to the server, nothing waits for ever: pending requests and turns reject, and later
 * calls reject at once. Requests of the server's are always answered, by a handler or by the documented default.
 */
export class CodexClient extends ClientCore {
  /** The checks of all options, for a client that takes more of them. */
  protected static readonly OPTIONS: Table<ClientOptions> = CLIENT_OPTIONS;
  readonly #threads = new ThreadTable();
  #loaded: ServicesModule | undefined;
  #made: Services | undefined;
  #opener: ThreadOpener | undefined;
  /** Whether a thread was ever opened, or is about to be: its first events may come with the answer. */
  #followsAny = false;

  /** A connected client; disposing it ends the connection. */
  static async connect(options: ClientOptions): Promise<CodexClient> {
    const client = new CodexClient(options);
    await client.connect();
    return client;
  }

  // Threads

  /** Starts a new thread and subscribes to it. */
  async startThread(options: StartThreadOptions = {}, call: CallOptions = {}): Promise<Thread> {
    return this.#handle(await this.#opening().start(options, call));
  }

  /** Loads a stored thread and subscribes to it. */
  async resumeThread(id: string, options: ResumeThreadOptions = {}, call: CallOptions = {}): Promise<Thread> {
    return this.#handle(await this.#opening().resume(id, options, call));
  }

  /** Starts a new thread with the history of another one. */
  async forkThread(id: string, options: ForkThreadOptions = {}, call: CallOptions = {}): Promise<Thread> {
    return this.#handle(await this.#opening().fork(id, options, call));
  }

  /** A handle of a thread that this connection has started or resumed; nothing is sent. */
  thread(id: string): Thread {
    return this.#handle(this.#route(id));
  }

  /** Every stored thread that fits, once, page by page; `limit` is the size of a page. */
  threads(filter: Omit<ThreadListParams, "cursor"> = {}): AsyncGenerator<spec.ThreadSummary, undefined> {
    // The default sort, by creation, has cursors of whole seconds and skips what shares one with a page's end.
    const wanted = checkOptions("threads()", filter, tables.THREADS);
    const sorted = { sortKey: "updated_at", ...wanted } as const;
    return pages(
      "thread/list",
      (cursor) => this.listThreads({ ...sorted, cursor }),
      ({ id }) => id,
    );
  }

  async readThread(id: string, includeTurns = false): Promise<spec.ThreadSummary> {
    return await this.thread(id).read(includeTurns);
  }

  /** One page of the stored threads. */
  async listThreads(params: spec.ListThreadsParams = {}): Promise<spec.ThreadListResult> {
    return await this.#request("thread/list", checkOptions("listThreads()", params, tables.LIST_THREADS));
  }

  async archiveThread(id: string): Promise<void> {
    await this.thread(id).archive();
  }

  async compactThread(id: string): Promise<void> {
    await this.thread(id).compact();
  }

  // Turns

  /** Starts a turn; resolves with its handle once the server has given it an id: `status` is "inProgress" then. */
  async startTurn(params: spec.StartTurnParams): Promise<Turn> {
    const { threadId, input, ...options } = checkOptions("startTurn()", params, tables.START_TURN);
    const turn = this.thread(threadId).turn(joinInputs(input), options);
    await turn.started;
    return turn;
  }

  /** Runs a turn to its end. */
  async runTurn(params: spec.StartTurnParams): Promise<spec.CompletedTurn> {
    const { threadId, input, ...options } = checkOptions("runTurn()", params, tables.START_TURN);
    return ownItems(await this.thread(threadId).run(joinInputs(input), options));
  }

  /** Gives input to a running turn; resolves with its id. */
  async steerTurn(params: spec.SteerTurnParams): Promise<string> {
    const { input, ...rest } = checkOptions("steerTurn()", params, tables.STEER_TURN);
    return await steerTurn(this.#host, { ...rest, input: joinInputs(input) });
  }

  async interruptTurn(threadId: string, turnId: string): Promise<void> {
    const { turn } = this.#route(threadId);
    if (turn?.mayBe(turnId)) await turn.interrupt();
    else await this.#request("turn/interrupt", { threadId, turnId });
  }

  // Review, models, commands

  /** Starts a review; resolves when the server has, with the thread on which it runs. */
  async startReview(params: spec.StartReviewParams): Promise<spec.ReviewResult> {
    const { startReview } = this.#host.services();
    const { wire, reviewThreadId } = await startReview(this.#host, (id) => this.#route(id), params);
    return { turn: wire, reviewThreadId };
  }

  /** Runs a review to its end. */
  async runReview(params: spec.StartReviewParams): Promise<spec.CompletedReview> {
    return await this.#host.services().runReview(this.#host, (id) => this.#route(id), params);
  }

  async listModels(params: spec.ListModelsParams = {}): Promise<spec.ModelListResult> {
    return await this.#request("model/list", checkOptions("listModels()", params, tables.LIST_MODELS));
  }

  /** Every model, page by page. */
  models(filter: Omit<ModelListParams, "cursor"> = {}): AsyncGenerator<Model, undefined> {
    checkOptions("models()", filter, tables.MODELS);
    return pages(
      "model/list",
      (cursor) => this.listModels({ ...filter, cursor }),
      ({ id }) => id,
    );
  }

  /** Starts a command in the server's sandbox, without a thread. */
  exec(argv: readonly string[], options: ExecOptions = {}): ExecHandle {
    return this.#services.exec(argv, options);
  }

  /** Runs a command in the server's sandbox to its end. */
  async execCommand(params: spec.ExecCommandParams): Promise<spec.ExecCommandResult> {
    return await this.#services.execCommand(params);
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

  // What the connection brings

  protected override async prepare(): Promise<void> {
    this.#loaded ??= await import("./services/services.ts");
  }

  protected override notified(event: ServerEvent, threadId: string | undefined): void {
    if (event.method === "serverRequest/resolved") this.dismiss(event.params.requestId);
    if (threadId !== undefined) this.#threads.follow(threadId, event);
    const route = threadId === undefined ? this.#onlyBusy(event) : this.#routeOf(event, threadId);
    route?.deliver(event);
  }

  protected override follows(threadId?: string): boolean {
    return threadId === undefined ? this.#followsAny : this.#threads.get(threadId) !== undefined;
  }

  protected override async answer(
    method: string,
    params: unknown,
    context: RequestContext,
  ): Promise<unknown> {
    if (method !== "item/tool/call") return await this.#answers(method, params, context);
    const call = (params ?? {}) as DynamicToolCallParams;
    return await this.#opening().callTool(this.#threads.recall(call.threadId, this.#host), call, context);
  }

  protected override answering(method: string, params: unknown, { id }: RequestContext): () => void {
    const { threadId, conversationId } = (params ?? {}) as { threadId?: string; conversationId?: string };
    const route = this.#threads.get(threadId ?? conversationId ?? "");
    return route?.asked(id, method, params) ?? (() => {});
  }

  protected override closed(reason: CloseReason): void {
    for (const route of this.#threads.live()) route.disconnected(reason);
  }

  protected override lost(): void {
    this.#threads.unsubscribeAll();
    for (const route of this.#threads.live()) route.lost();
  }

  protected override async restore(reason: CloseReason, signal: AbortSignal): Promise<void> {
    // Its requests must not wait for the recovery that they are part of.
    const request: Requester = this.#named(this.send);
    await this.#made?.restore(request, signal);
    const opener = this.#openerOn({ ...this.#host, request });
    const known = this.#threads.live().filter(({ info }) => info !== undefined);
    await Promise.all(known.map((route) => this.#bringBack(opener, route, reason)));
  }

  async #bringBack(opener: ThreadOpener, route: ThreadRoute, reason: CloseReason): Promise<void> {
    route.returning();
    try {
      // A server that is dead has ended no turn in the meantime.
      await opener.resubscribe(route, reason.exitCode === undefined && reason.exitSignal === undefined);
      route.recovered();
    } catch (error) {
      // Another loss is the recovery's to deal with; a thread that cannot be had is its own users'.
      if (error instanceof ConnectionClosedError) throw error;
      if (error instanceof NoRolloutError) {
        route.facts.fate = "lost";
        this.#threads.remember(route);
      }
      route.disconnected(reason);
    }
  }

  readonly #answers = lazyAnswers(this.options, {
    acceptsUnasked: (threadId) => this.acceptsUnasked(threadId),
    warn: (code, message, cause) => this.warn(code, message, cause),
    failTurn: (threadId, turnId, error) => this.#failTurn(threadId, turnId, error),
    itemOf: (threadId, turnId, itemId) => this.#threads.get(threadId)?.fold.item(turnId, itemId),
    renewed: (tokens) => this.#made?.renew(tokens),
  });

  /** Requests of ours: refusals have the code their text stands for. */
  readonly #request: Requester = this.#named(this.request);

  readonly #serviceHost: ServiceHost = {
    request: this.#request,
    onNotification: (method, listener) => this.onNotification(method, listener),
    onClosed: (listener) => this.onClosed(listener),
    serverVersion: () => this.server.version,
    warn: (code, message, cause) => this.warn(code as ClientWarning["code"], message, cause),
  };

  get #services(): Services {
    if (!this.#loaded) throw new NotConnectedError("before");
    this.#made ??= new this.#loaded.Services(this.#serviceHost);
    return this.#made;
  }

  #named(request: Requester): Requester {
    const troubleOf = (id: string): TurnRetryingError | undefined => this.#threads.get(id)?.trouble.last;
    return checkedRequester(request, () => this.gate, troubleOf);
  }

  readonly #host: ThreadHost = {
    policies: this.policies,
    request: this.#request,
    serverVersion: () => this.server.version,
    turnSilenceMs: this.options.turnSilenceMs ?? 300_000,
    services: () => {
      if (!this.#loaded) throw new NotConnectedError("before");
      return this.#loaded;
    },
    keep: (route, busy) => this.#threads.keep(route, busy),
    remember: (route) => this.#threads.remember(route),
    resubscribe: (route) => this.#opening().resubscribe(route),
    fork: (id) => this.#opening().copy(id),
    realtime: async (route, options) => {
      const { openRealtime } = await import("./services/realtime/index.ts");
      return await openRealtime(this.#serviceHost, route, options);
    },
    dismiss: (requestId) => this.dismiss(requestId),
    warn: (code, message, cause) => this.warn(code, message, cause),
  };

  #opening(): ThreadOpener {
    this.#followsAny = true;
    return (this.#opener ??= this.#openerOn(this.#host));
  }

  #openerOn(host: ThreadHost): ThreadOpener {
    const { ThreadOpener: Opener } = host.services();
    return new Opener(this.options, host, (id) => this.#route(id));
  }

  #route(threadId: string): ThreadRoute {
    this.#followsAny = true;
    return this.#threads.open(threadId, this.#host);
  }

  #handle(route: ThreadRoute): Thread {
    return new Thread(this.#host, route, (options) => this.forkThread(route.threadId, options));
  }

  /**
   * Threads that nobody here opened, of sub-agents say, are followed from the first turn we hear of. A client
   * that drives its threads by requests alone follows none.
   */
  #routeOf({ method }: ServerEvent, threadId: string): ThreadRoute | undefined {
    const known = this.#threads.get(threadId);
    return known ?? (method === "turn/started" && this.#followsAny ? this.#route(threadId) : undefined);
  }

  /** Another server may end a turn without saying which: then it is the only one that runs. */
  #onlyBusy({ method }: ServerEvent): ThreadRoute | undefined {
    if (!/^turn\/(completed|failed|cancelled)$/.test(method)) return undefined;
    const [only, ...others] = this.#threads.busy();
    return others.length === 0 ? only : undefined;
  }

  #failTurn(threadId: string, turnId: string | undefined, error: CodexError): void {
    const turn = this.#threads.get(threadId)?.turn;
    if (turn && (turnId === undefined || turn.mayBe(turnId))) turn.giveUp(error);
  }
}
