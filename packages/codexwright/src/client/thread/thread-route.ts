import type {
  ServerEvent,
  ServerNotifications,
  Thread as WireThread,
  ThreadStatus,
  Turn as WireTurn,
} from "../../protocol/index.ts";
import type { CloseReason } from "../../rpc/errors.ts";
import type { TurnRetryingError } from "../errors.ts";
import type { RequestId } from "../../rpc/message.ts";
import type { ApprovalPolicies } from "./approval-policies.ts";
import { checkListener } from "../connection/listeners.ts";
import { liveEvent, type TurnEvent } from "../turn/live-event.ts";
import type { Realtime, RealtimeOptions } from "../services/realtime/index.ts";
import { NoActiveTurnError, ThreadNotFoundError } from "../connection/server/server-errors.ts";
import { ThreadFold, type LocalEvent, type PendingRequest, type ThreadState } from "../state/index.ts";
import { isTerminal, madeTurn } from "../turn/end/terminal.ts";
import type { repairPrompt, strictOutput } from "../../schema/output.ts";
import type { ThreadFacts } from "./thread-facts.ts";
import { ThreadLoading } from "./thread-loading.ts";
import type { RevertTarget } from "./thread-options.ts";
import { TurnTrouble } from "../turn/end/turn-trouble.ts";
import { interruptTurn } from "../turn/interrupt.ts";
import type { HostedTurn, TurnHost, TurnServer } from "../turn/turn-host.ts";
import { turnIdOf } from "../turn/turn-id.ts";

/** Code of threads that is loaded while the client connects. */
interface LateParts {
  readonly strictOutput: typeof strictOutput;
  readonly repairPrompt: typeof repairPrompt;
  revertThread(host: ThreadHost, route: ThreadRoute, target: RevertTarget): Promise<void>;
}

/** What threads need of their client. */
export interface ThreadHost extends TurnServer {
  /** What was asked for and reported of approvals, for each thread. */
  readonly policies: ApprovalPolicies;
  readonly turnSilenceMs: number;
  /** What is loaded while the client connects. */
  late(): LateParts;
  /** Holds the route while something runs or waits on its thread, though nobody may hold a handle. */
  keep(route: ThreadRoute, needed: boolean): void;
  /** This client works on the thread: what a later call needs to know of it is kept. */
  remember(route: ThreadRoute): void;
  /** Makes the server send us the thread's events again. */
  resubscribe(route: ThreadRoute): Promise<void>;
  /** Makes a thread with the history of another one, without reading that history. */
  fork(threadId: string): Promise<ThreadRoute>;
  /** Starts a realtime conversation; loaded when one is first asked for. */
  realtime(route: ThreadRoute, options: RealtimeOptions): Promise<Realtime>;
  /** The server no longer waits for our answer to this request of its. */
  dismiss(requestId: RequestId): void;
  warn(
    code: "overrides_ignored" | "listener_failed" | "tool_failed" | "turn_retrying",
    message: string,
    cause?: unknown,
  ): void;
}

/** A server that unloads a thread more often than this while a turn waits for it would keep us resuming for ever. */
const RESUMES = 3;

/** Gets each event of a thread, the server's and what the client knows beyond them, with the state it led to. */
export type ThreadListener = (state: ThreadState, event: TurnEvent | LocalEvent) => void;

/** All that a client knows of one thread, shared by every handle of it. */
export class ThreadRoute implements TurnHost {
  readonly threadId: string;
  readonly server: TurnServer;
  readonly facts: ThreadFacts;
  readonly fold: ThreadFold;
  /** The realtime conversation that runs, or of which the server has yet to say that it has ended. */
  realtime: Realtime | undefined;
  readonly #host: ThreadHost;
  readonly #trouble = new TurnTrouble();
  readonly #loading: ThreadLoading;
  readonly #listeners = new Set<ThreadListener>();
  readonly #queue: HostedTurn[] = [];
  readonly #waiting: (() => void)[] = [];
  /** Woken when no turn runs at the server, whatever of ours is about to. */
  readonly #awaitingQuiet: (() => void)[] = [];
  /** Turns that were given up before they ran: to be interrupted when they do. */
  readonly #doomed = new Set<string>();
  #info: WireThread | undefined;
  #turn: HostedTurn | undefined;
  /** Events that overtook the answer that brings the thread back. */
  #held: ServerEvent[] | undefined;
  #livesOn: string | undefined;
  /** A turn that we gave up, and of which the server has not said that it has ended. */
  #lingering: string | undefined;

  constructor(threadId: string, host: ThreadHost, facts: ThreadFacts) {
    this.threadId = threadId;
    this.server = host;
    this.facts = facts;
    this.fold = new ThreadFold(threadId);
    this.#host = host;
    this.#loading = new ThreadLoading(threadId, facts, () => host.resubscribe(this));
  }

  /** The thread as the server described it last. */
  get info(): WireThread | undefined {
    return this.#info;
  }

  /** The handle of the turn that runs. */
  get turn(): HostedTurn | undefined {
    return this.#turn;
  }

  /** Whether a turn runs, ours or one that nobody here asked for. */
  get busy(): boolean {
    return this.#turn !== undefined || this.fold.activeTurnId !== undefined;
  }

  /** The last error of the running turn after which the server retries; never that of a turn that was given up. */
  get retrying(): TurnRetryingError | undefined {
    const { last } = this.#trouble;
    return last && this.#mayRun(last.turnId) ? last : undefined;
  }

  /** Takes what the server says of the thread; what it leaves out stays known. */
  describe(thread: Partial<WireThread>): void {
    const model = thread.model ?? this.#info?.model ?? null;
    this.#info = { ...this.#info, ...thread, model } as WireThread;
  }

  /** Takes the history that a resume, a fork or a read brought. */
  seed(thread: WireThread): void {
    this.fold.seed(thread);
    this.#keep();
  }

  /** A turn takes the thread. */
  occupy(turn: HostedTurn): void {
    this.#host.remember(this);
    this.#turn = turn;
    this.#keep();
  }

  /** A turn of ours has ended. */
  vacate(turn: HostedTurn): void {
    if (this.#turn !== turn) return;
    this.#turn = undefined;
    this.#next();
  }

  /** Runs the turn as soon as the thread is free, behind those that wait already or before them. */
  enqueue(turn: HostedTurn, place: "first" | "last"): void {
    this.#host.remember(this);
    if (place === "first") this.#queue.unshift(turn);
    else this.#queue.push(turn);
    this.#keep();
    this.#next();
  }

  /** Resolves when no turn runs. */
  rest(): Promise<void> {
    return this.busy ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }

  /** Whether we hear of the thread and the server runs no turn on it: it would give that one the input of a new one. */
  get isQuiet(): boolean {
    return this.facts.subscribed && this.fold.activeTurnId === undefined && this.#lingering === undefined;
  }

  /** Resumes the thread if it was unsubscribed from or unloaded: a turn would not run, or its end not be heard. */
  async load(): Promise<void> {
    await this.#loading.ensure();
  }

  /** Resolves when the thread is quiet. A turn that we gave up may have outlived our interest, and the connection. */
  async quieten(): Promise<void> {
    for (let resumes = 0; !this.isQuiet;) {
      if (this.facts.subscribed) await this.#quieter();
      else if (resumes++ < RESUMES) await this.load();
      else throw new ThreadNotFoundError(`the server unloads thread ${this.threadId} whenever it is resumed`);
    }
  }

  async #quieter(): Promise<void> {
    const quiet = new Promise<void>((resolve) => this.#awaitingQuiet.push(resolve));
    const turnId = this.#lingering;
    try {
      if (turnId !== undefined) await this.interrupt(turnId);
      await quiet;
    } catch (error) {
      if (!(error instanceof NoActiveTurnError)) throw error;
      this.#left(turnId);
    }
  }

  /** The server has said that a turn has ended, or that none runs. */
  #left(turnId: string | undefined): void {
    if (turnId === undefined || turnId === this.#lingering) this.#lingering = undefined;
    this.#tellQuiet();
  }

  /** A turn was given up, and the server has not said that it has ended. */
  abandon(turnId: string, interrupted: boolean): void {
    this.#lingering = turnId;
    if (!interrupted) this.stop(turnId);
  }

  interrupt(turnId: string): Promise<void> {
    return interruptTurn(this.#host, this.fold, this.threadId, turnId);
  }

  /** A turn that was given up must not run on: it is interrupted now, or as soon as it runs. */
  stop(turnId: string): void {
    if (this.fold.activeTurnId !== turnId) this.#doomed.add(turnId);
    else this.interrupt(turnId).catch(() => {});
  }

  /** Ends a turn in the state where no event of the server's has, and the wait for what it asked. */
  end(turnId: string, turn: WireTurn = madeTurn(turnId, "interrupted", null)): void {
    if (turnId === this.#livesOn) return;
    this.#dismissRequestsOf(turnId);
    if (this.fold.turn(turnId)?.status !== "inProgress") return;
    this.fold.apply({ method: "turn/completed", params: { threadId: this.threadId, turn } });
    this.#next();
  }

  subscribe(listener: ThreadListener): () => void {
    checkListener(listener);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes a notification about this thread. */
  deliver(event: ServerEvent): void {
    if (this.#held) return void this.#held.push(event);
    if (this.fold.append(event)) {
      this.#turn?.append(event);
      if (this.#listeners.size > 0) this.#tellAll(liveEvent(event, this.fold));
      return;
    }
    const before = this.fold.activeTurnId;
    if (isTerminal(event.method)) {
      this.#dismissRequestsOf(turnIdOf(event));
      this.#left(turnIdOf(event));
    }
    this.fold.apply(event);
    this.#turn?.deliver(event);
    this.#follow(event);
    if (this.#listeners.size > 0) this.#tellAll(liveEvent(event, this.fold));
    if (this.fold.activeTurnId === before) return;
    this.#keep();
    this.#next();
    this.#tellQuiet();
  }

  /** Turns were taken back; the server does not say which. */
  reverted(beforeTurnId: string | undefined): void {
    const { threadId } = this;
    const params = { threadId, ...(beforeTurnId !== undefined && { beforeTurnId }) };
    this.#applyLocal({ method: "thread/reverted", params });
  }

  /** The server asks us something about this thread; returns how to say that it has its answer. */
  asked(requestId: RequestId, method: string, params: unknown): () => void {
    const resume = this.#turn?.hold();
    const { threadId } = this;
    const request = { threadId, requestId, method, params } as PendingRequest & { threadId: string };
    this.#applyLocal({ method: "serverRequest/opened", params: request });
    return () => {
      resume?.();
      this.#applyLocal({ method: "serverRequest/answered", params: { requestId, threadId } });
    };
  }

  /** The server's process or the connection is gone. */
  disconnected(reason: CloseReason): void {
    this.#held = undefined;
    // Those that wait first: a turn that ends lets the next one start.
    for (const turn of this.#queue.splice(0)) turn.disconnected(reason);
    this.#turn?.disconnected(reason);
    // Nothing runs on a server that is gone, and nobody waits for an answer.
    this.#applyLocal({ method: "thread/closed", params: { threadId: this.threadId } });
    this.#next();
    this.#left(undefined);
  }

  /** The server is gone and will be replaced: what ran does not, what waits goes on waiting. */
  lost(): void {
    this.facts.subscribed = false;
    this.#applyLocal({ method: "thread/closed", params: { threadId: this.threadId } });
    this.#left(undefined);
  }

  /** The thread is about to come back: its events must wait for the history that they go on from. */
  returning(): void {
    this.#held = [];
  }

  /** The thread is back, and its history is known. */
  recovered(): void {
    // Where only the connection was lost a turn may run on, without the handle that it had.
    this.#livesOn = this.fold.activeTurnId;
    this.#turn?.recovered();
    this.#livesOn = undefined;
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.deliver(event);
    const active = this.fold.activeTurnId;
    if (active !== undefined && this.#doomed.delete(active)) this.stop(active);
    this.#next();
  }

  #tellQuiet(): void {
    if (this.fold.activeTurnId !== undefined || this.#lingering !== undefined) return;
    for (const wake of this.#awaitingQuiet.splice(0)) wake();
  }

  #follow(event: ServerEvent): void {
    this.#trouble.follow(event.method, turnIdOf(event));
    const active = this.fold.activeTurnId;
    switch (event.method) {
      case "turn/started":
        if (active !== undefined && this.#doomed.delete(active)) this.stop(active);
        return;
      case "thread/status/changed":
        return this.#status(event.params.status);
      case "thread/closed":
        this.#left(undefined);
        return this.#turn?.threadRests();
      case "thread/name/updated":
        return this.describe({ name: event.params.threadName ?? null });
      case "thread/started":
        return this.describe(event.params.thread);
      case "error":
        return this.#retries(event.params);
      default:
        return undefined;
    }
  }

  /** A server that cannot reach the model retries for ever: the first error of a turn must not stay unheard. */
  #retries(params: ServerNotifications["error"]): void {
    // Late errors of a turn that ended or was given up explain nothing, and must not replace those of the next turn.
    const first = this.#mayRun(params.turnId) ? this.#trouble.note(params) : undefined;
    if (!first) return;
    const place = `turn ${first.turnId} of thread ${this.threadId}`;
    this.#host.warn("turn_retrying", `${place}: the server retries after an error: ${first.message}`, first);
  }

  /** Whether this may be the turn that runs: no other one is active, and it has neither ended nor been given up. */
  #mayRun(turnId: string): boolean {
    if (turnId === this.#lingering || this.#doomed.has(turnId)) return false;
    const { activeTurnId = turnId } = this.fold;
    return activeTurnId === turnId && (this.fold.turn(turnId)?.status ?? "inProgress") === "inProgress";
  }

  #status(status: ThreadStatus | undefined): void {
    if (!status) return;
    this.describe({ status });
    if (status.type === "active") return this.#turn?.threadActive();
    this.#left(undefined);
    this.#turn?.threadRests();
  }

  #dismissRequestsOf(turnId: string | undefined): void {
    for (const { requestId, params } of this.fold.pendingRequests) {
      const { turnId: asking } = (params ?? {}) as { turnId?: string };
      if (asking === turnId || (asking && this.fold.turn(asking)?.id === turnId))
        this.#host.dismiss(requestId);
    }
  }

  #applyLocal(event: LocalEvent | ServerEvent): void {
    this.fold.apply(event);
    if (this.#listeners.size > 0) this.#tellAll(event);
  }

  #tellAll(event: TurnEvent | LocalEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(this.fold.state, event);
      } catch (cause) {
        this.#host.warn("listener_failed", `a subscriber of thread ${this.threadId} threw`, cause);
      }
    }
  }

  #keep(): void {
    this.#host.keep(this, this.busy || this.#queue.length > 0);
  }

  #next(): void {
    if (this.busy) return;
    for (const wake of this.#waiting.splice(0)) wake();
    while (!this.busy) {
      const turn = this.#queue.shift();
      if (!turn) break;
      turn.launch();
    }
    this.#keep();
  }
}
