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

/** Thread code that is loaded while the client connects. */
interface LateParts {
  readonly strictOutput: typeof strictOutput;
  readonly repairPrompt: typeof repairPrompt;
  revertThread(host: ThreadHost, route: ThreadRoute, target: RevertTarget): Promise<void>;
}

/** The client, as seen by its threads. */
export interface ThreadHost extends TurnServer {
  /** The requested and reported approval policies, by thread. */
  readonly policies: ApprovalPolicies;
  readonly turnSilenceMs: number;
  /** Code that was loaded while the client connected. */
  late(): LateParts;
  /** Keeps the route alive while its thread runs or queues a turn, even if the program holds no handle. */
  keep(route: ThreadRoute, needed: boolean): void;
  /** Called when this client works on the thread: keeps the facts that a later call needs. */
  remember(route: ThreadRoute): void;
  /** Subscribes to the thread's events again. */
  resubscribe(route: ThreadRoute): Promise<void>;
  /** Creates a thread with the history of another one, without reading that history. */
  fork(threadId: string): Promise<ThreadRoute>;
  /** Starts a realtime conversation. Its code is loaded on first use. */
  realtime(route: ThreadRoute, options: RealtimeOptions): Promise<Realtime>;
  /** Called when the server no longer waits for the answer to this server request. */
  dismiss(requestId: RequestId): void;
  warn(
    code: "overrides_ignored" | "listener_failed" | "tool_failed" | "turn_retrying",
    message: string,
    cause?: unknown,
  ): void;
}

/** Limits the resumes while a turn waits for its thread, because a server might unload the thread each time. */
const RESUMES = 3;

/** Receives the new state after each event of a thread, including the events that the client adds itself. */
export type ThreadListener = (state: ThreadState, event: TurnEvent | LocalEvent) => void;

/** Everything that a client knows about one thread, shared by all of its handles. */
export class ThreadRoute implements TurnHost {
  readonly threadId: string;
  readonly server: TurnServer;
  readonly facts: ThreadFacts;
  readonly fold: ThreadFold;
  /** The realtime conversation that is running, or whose end the server has not reported yet. */
  realtime: Realtime | undefined;
  readonly #host: ThreadHost;
  readonly #trouble = new TurnTrouble();
  readonly #loading: ThreadLoading;
  readonly #listeners = new Set<ThreadListener>();
  readonly #queue: HostedTurn[] = [];
  readonly #waiting: (() => void)[] = [];
  /** Called when no turn runs on the server, even if one of our turns is about to start. */
  readonly #awaitingQuiet: (() => void)[] = [];
  /** Turns that were given up before they started, and that are interrupted when they start. */
  readonly #doomed = new Set<string>();
  #info: WireThread | undefined;
  #turn: HostedTurn | undefined;
  /** Events that arrived before the answer to the resume. */
  #held: ServerEvent[] | undefined;
  #livesOn: string | undefined;
  /** A turn that we gave up and whose end the server has not reported yet. */
  #lingering: string | undefined;

  constructor(threadId: string, host: ThreadHost, facts: ThreadFacts) {
    this.threadId = threadId;
    this.server = host;
    this.facts = facts;
    this.fold = new ThreadFold(threadId);
    this.#host = host;
    this.#loading = new ThreadLoading(threadId, facts, () => host.resubscribe(this));
  }

  /** The thread as last described by the server. */
  get info(): WireThread | undefined {
    return this.#info;
  }

  /** The handle of the running turn. */
  get turn(): HostedTurn | undefined {
    return this.#turn;
  }

  /** Whether a turn runs, including turns that this client did not start. */
  get busy(): boolean {
    return this.#turn !== undefined || this.fold.activeTurnId !== undefined;
  }

  /** The last error that made the server retry during the running turn. Never an error of a turn that was given up. */
  get retrying(): TurnRetryingError | undefined {
    const { last } = this.#trouble;
    return last && this.#mayRun(last.turnId) ? last : undefined;
  }

  /** Merges the server's description of the thread. Omitted fields keep their values. */
  describe(thread: Partial<WireThread>): void {
    const model = thread.model ?? this.#info?.model ?? null;
    this.#info = { ...this.#info, ...thread, model } as WireThread;
  }

  /** Adds the history from a resume, a fork or a read. */
  seed(thread: WireThread): void {
    this.fold.seed(thread);
    this.#keep();
  }

  /** Called when a turn starts on the thread. */
  occupy(turn: HostedTurn): void {
    this.#host.remember(this);
    this.#turn = turn;
    this.#keep();
  }

  /** Called when one of our turns has ended. */
  vacate(turn: HostedTurn): void {
    if (this.#turn !== turn) return;
    this.#turn = undefined;
    this.#next();
  }

  /** Queues a turn, before or after the turns that already wait. The turn starts as soon as the thread is free. */
  enqueue(turn: HostedTurn, place: "first" | "last"): void {
    this.#host.remember(this);
    if (place === "first") this.#queue.unshift(turn);
    else this.#queue.push(turn);
    this.#keep();
    this.#next();
  }

  /** Resolves when no turn is running. */
  rest(): Promise<void> {
    return this.busy ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }

  /** Whether a new turn can start: we are subscribed, and no turn runs on the server that would take over the input. */
  get isQuiet(): boolean {
    return this.facts.subscribed && this.fold.activeTurnId === undefined && this.#lingering === undefined;
  }

  /** Resumes the thread if it was unsubscribed or unloaded, so that a turn runs and its end is reported. */
  async load(): Promise<void> {
    await this.#loading.ensure();
  }

  /** Resolves when the thread is quiet. A turn that we gave up may still be running, even on a new connection. */
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

  /** Called when the server has reported the end of a turn, or that no turn is running. */
  #left(turnId: string | undefined): void {
    if (turnId === undefined || turnId === this.#lingering) this.#lingering = undefined;
    this.#tellQuiet();
  }

  /** Called when a turn was given up before the server reported its end. */
  abandon(turnId: string, interrupted: boolean): void {
    this.#lingering = turnId;
    if (!interrupted) this.stop(turnId);
  }

  interrupt(turnId: string): Promise<void> {
    return interruptTurn(this.#host, this.fold, this.threadId, turnId);
  }

  /** Interrupts a turn that was given up, immediately or as soon as it starts. */
  stop(turnId: string): void {
    if (this.fold.activeTurnId !== turnId) this.#doomed.add(turnId);
    else this.interrupt(turnId).catch(() => {});
  }

  /** Ends a turn in the state if no server event has, and dismisses its pending requests. */
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

  /** Handles a notification about this thread. */
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

  /** Called after a revert, because the server does not report which turns were removed. */
  reverted(beforeTurnId: string | undefined): void {
    const { threadId } = this;
    const params = { threadId, ...(beforeTurnId !== undefined && { beforeTurnId }) };
    this.#applyLocal({ method: "thread/reverted", params });
  }

  /** Called when the server sends a request about this thread; returns a callback to call when it is answered. */
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

  /** Called when the server process or the connection is gone. */
  disconnected(reason: CloseReason): void {
    this.#held = undefined;
    // Queued turns first, because the end of the running turn would start the next one.
    for (const turn of this.#queue.splice(0)) turn.disconnected(reason);
    this.#turn?.disconnected(reason);
    // A lost server runs no turn and waits for no answer.
    this.#applyLocal({ method: "thread/closed", params: { threadId: this.threadId } });
    this.#next();
    this.#left(undefined);
  }

  /** Called when the server is gone and will be replaced. A running turn has stopped; queued turns keep waiting. */
  lost(): void {
    this.facts.subscribed = false;
    this.#applyLocal({ method: "thread/closed", params: { threadId: this.threadId } });
    this.#left(undefined);
  }

  /** Called before the thread is resumed. Its events are held until the history before them is known. */
  returning(): void {
    this.#held = [];
  }

  /** Called when the thread was resumed and its history is known. */
  recovered(): void {
    // If only the connection was lost, the turn may still be running, but its earlier handle has ended.
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

  /** Warns about the first retried error of a turn: if the model is unreachable, the server retries forever. */
  #retries(params: ServerNotifications["error"]): void {
    // Late errors of a turn that has ended or was given up must not replace those of the next turn.
    const first = this.#mayRun(params.turnId) ? this.#trouble.note(params) : undefined;
    if (!first) return;
    const place = `turn ${first.turnId} of thread ${this.threadId}`;
    this.#host.warn("turn_retrying", `${place}: the server retries after an error: ${first.message}`, first);
  }

  /** Whether this turn may be running: no other turn is active, and this one has neither ended nor been given up. */
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
