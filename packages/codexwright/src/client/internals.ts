import type { DynamicToolCallParams, ServerEvent } from "../protocol/index.ts";
import { ConnectionClosedError, type CloseReason, type CodexError } from "../rpc/errors.ts";
import type { IncomingRequest } from "../rpc/incoming-request.ts";
import type { CoreHost } from "./connection/core-host.ts";
import { ClientCore } from "./connection/core.ts";
import type { ClientWarning, ConnectionEvents } from "./connection/events.ts";
import { checkedRequester, type Requester } from "./connection/requester.ts";
import { NoRolloutError } from "./connection/server/server-errors.ts";
import { NotConnectedError, type TurnRetryingError } from "./errors.ts";
import type * as late from "./late.ts";
import type { ClientOptions } from "./options.ts";
import { lazyAnswers } from "./requests/server-request-handler.ts";
import type { CompletedReview, StartReviewParams } from "./review/review-options.ts";
import type { StartedReview } from "./review/review.ts";
import type { ServiceHost } from "./services/service-host.ts";
import type { Services } from "./services/services.ts";
import { ApprovalPolicies } from "./thread/approval-policies.ts";
import type { ThreadOpener } from "./thread/thread-opener.ts";
import type { ThreadHost, ThreadRoute } from "./thread/thread-route.ts";
import { ThreadTable } from "./thread/thread-table.ts";

/** The modules that are loaded while the client connects. */
type Late = typeof late;

/** The emitter that users of the client listen to. */
interface Face {
  emit<E extends keyof ConnectionEvents>(event: E, ...args: ConnectionEvents[E]): unknown;
  readonly stderrTail: string | undefined;
}

/**
 * The assembled parts of one client: the connection, the threads, the services and the answers to server requests. The
 * public methods of a client use this class.
 */
export class ClientInternals implements CoreHost {
  readonly core: ClientCore;
  /** The requested and reported approval policies of each thread. */
  readonly policies: ApprovalPolicies = new ApprovalPolicies();
  /** Sends a request on behalf of a thread, a turn or a service. Converts known server errors to typed errors. */
  readonly request: Requester;
  readonly threadHost: ThreadHost;
  readonly #face: Face;
  readonly #options: ClientOptions;
  readonly #threads = new ThreadTable();
  readonly #serviceHost: ServiceHost;
  readonly #answers: ReturnType<typeof lazyAnswers>;
  #late: Late | undefined;
  #services: Services | undefined;
  #opener: ThreadOpener | undefined;
  /** True from just before the first thread is opened, because its first events may arrive together with the answer. */
  #followsAny = false;

  constructor(options: ClientOptions, face: Face) {
    this.#options = options;
    this.#face = face;
    this.core = new ClientCore(options, this);
    this.request = this.#named(this.core.request);
    this.#serviceHost = this.#makeServiceHost();
    this.threadHost = this.#makeThreadHost();
    this.#answers = this.#makeAnswers();
  }

  /** The modules that are loaded while the client connects. */
  late(): Late {
    if (!this.#late) throw new NotConnectedError("before");
    return this.#late;
  }

  get services(): Services {
    const { Services: Made } = this.late();
    return (this.#services ??= new Made(this.#serviceHost));
  }

  get opener(): ThreadOpener {
    this.#followsAny = true;
    return (this.#opener ??= this.#openerOn(this.threadHost));
  }

  /** Returns the state of a thread, and creates it if needed. */
  route(threadId: string): ThreadRoute {
    this.#followsAny = true;
    return this.#threads.open(threadId, this.threadHost);
  }

  startReview(params: StartReviewParams): Promise<StartedReview> {
    return this.late().startReview(this.threadHost, (id) => this.route(id), params);
  }

  runReview(params: StartReviewParams): Promise<CompletedReview> {
    return this.late().runReview(this.threadHost, (id) => this.route(id), params);
  }

  // Callbacks of the connection

  emit<E extends keyof ConnectionEvents>(event: E, ...args: ConnectionEvents[E]): void {
    this.#face.emit(event, ...args);
  }

  stderrTail(): string | undefined {
    return this.#face.stderrTail;
  }

  sending(method: string, params: unknown): ((result: unknown) => void) | undefined {
    return this.policies.sent(method, params);
  }

  received(method: string, params: unknown): void {
    this.policies.notified(method, params);
  }

  notified(event: ServerEvent, threadId: string | undefined): void {
    if (event.method === "serverRequest/resolved") this.core.dismiss(event.params.requestId);
    if (threadId !== undefined) this.#threads.follow(threadId, event);
    const route = threadId === undefined ? this.#onlyBusy(event) : this.#routeOf(event, threadId);
    route?.deliver(event);
  }

  follows(threadId?: string): boolean {
    return threadId === undefined ? this.#followsAny : this.#threads.get(threadId) !== undefined;
  }

  async prepare(): Promise<void> {
    this.#late ??= await import("./late.ts");
  }

  async answer(method: string, params: unknown, request: IncomingRequest): Promise<unknown> {
    if (method !== "item/tool/call") return await this.#answers(method, params, request);
    const call = (params ?? {}) as DynamicToolCallParams;
    return await this.opener.callTool(this.#threads.recall(call.threadId, this.threadHost), call, request);
  }

  answering(method: string, params: unknown, { id }: IncomingRequest): () => void {
    const { threadId, conversationId } = (params ?? {}) as { threadId?: string; conversationId?: string };
    const route = this.#threads.get(threadId ?? conversationId ?? "");
    return route?.asked(id, method, params) ?? (() => {});
  }

  closed(reason: CloseReason): void {
    for (const route of this.#threads.live()) route.disconnected(reason);
  }

  lost(): void {
    this.#threads.unsubscribeAll();
    for (const route of this.#threads.live()) route.lost();
  }

  async restore(reason: CloseReason, signal: AbortSignal): Promise<void> {
    // These requests are part of the recovery, so they must not wait for it.
    const request: Requester = this.#named(this.core.send);
    await this.#services?.restore(request, signal);
    const opener = this.#openerOn({ ...this.threadHost, request });
    const known = this.#threads.live().filter(({ info }) => info !== undefined);
    await Promise.all(known.map((route) => this.#bringBack(opener, route, reason)));
  }

  async #bringBack(opener: ThreadOpener, route: ThreadRoute, reason: CloseReason): Promise<void> {
    route.returning();
    try {
      // A dead server cannot have ended a turn in the meantime.
      await opener.resubscribe(route, reason.exitCode === undefined && reason.exitSignal === undefined);
      route.recovered();
    } catch (error) {
      // If the connection is lost again, the recovery handles it. If a thread cannot be resumed, only that thread
      // fails.
      if (error instanceof ConnectionClosedError) throw error;
      if (error instanceof NoRolloutError) {
        route.facts.fate = "lost";
        this.#threads.remember(route);
      }
      route.disconnected(reason);
    }
  }

  #makeAnswers(): ReturnType<typeof lazyAnswers> {
    return lazyAnswers(this.#options, {
      acceptsUnasked: (threadId) => this.policies.acceptsUnasked(threadId),
      warn: (code, message, cause) => this.core.warn(code, message, cause),
      failTurn: (threadId, turnId, error) => this.#failTurn(threadId, turnId, error),
      itemOf: (threadId, turnId, itemId) => this.#threads.get(threadId)?.fold.item(turnId, itemId),
      renewed: (tokens) => this.#services?.renew(tokens),
    });
  }

  #named(request: Requester): Requester {
    const troubleOf = (id: string): TurnRetryingError | undefined => this.#threads.get(id)?.retrying;
    return checkedRequester(request, () => this.core.support, troubleOf);
  }

  #makeServiceHost(): ServiceHost {
    const { core, request } = this;
    return {
      request,
      onNotification: (method, listener) => core.onNotification(method, listener),
      onClosed: (listener) => core.onClosed(listener),
      serverVersion: () => core.server.version,
      warn: (code, message, cause) => core.warn(code as ClientWarning["code"], message, cause),
    };
  }

  #makeThreadHost(): ThreadHost {
    const { core, policies, request } = this;
    return {
      policies,
      request,
      serverVersion: () => core.server.version,
      turnSilenceMs: this.#options.turnSilenceMs ?? 300_000,
      late: () => this.late(),
      keep: (route, busy) => this.#threads.keep(route, busy),
      remember: (route) => this.#threads.remember(route),
      resubscribe: (route) => this.opener.resubscribe(route),
      fork: (id) => this.opener.copy(id),
      realtime: async (route, options) => {
        const { openRealtime } = await import("./services/realtime/index.ts");
        return await openRealtime(this.#serviceHost, route, options);
      },
      dismiss: (requestId) => core.dismiss(requestId),
      warn: (code, message, cause) => core.warn(code, message, cause),
    };
  }

  #openerOn(host: ThreadHost): ThreadOpener {
    const { ThreadOpener: Opener } = this.late();
    return new Opener(this.#options, host, (id) => this.route(id));
  }

  /**
   * Threads that this client did not open, such as those of sub-agents, are followed from the first turn that the
   * server reports. A client that has opened no thread itself, and only sends raw requests, follows no thread.
   */
  #routeOf({ method }: ServerEvent, threadId: string): ThreadRoute | undefined {
    const known = this.#threads.get(threadId);
    return known ?? (method === "turn/started" && this.#followsAny ? this.route(threadId) : undefined);
  }

  /**
   * Some servers omit the thread id when a turn ends. The event then belongs to the only running turn, if there is
   * just one.
   */
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
