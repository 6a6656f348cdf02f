import type {
  ServerEvent,
  ServerNotifications,
  ThreadItem,
  Turn as WireTurn,
  TurnStartParams,
} from "../protocol/index.ts";
import { AbortedError, ConnectionClosedError, type CloseReason } from "../rpc/errors.ts";
import { EventQueue } from "../rpc/queue.ts";
import { NoActiveTurnError, TurnFailedError, TurnInterruptedError, TurnTimeoutError } from "./errors.ts";
import { deltaCoalescer } from "./deltas.ts";
import type { Requester, ThreadRoute } from "./routes.ts";
import { TurnClock } from "./turn-clock.ts";
import { TurnRecord, type TurnResult } from "./turn-record.ts";

/** Limits of one turn. */
export interface TurnLimits {
  readonly signal?: AbortSignal | undefined;
  /** Of the whole turn; 0 = none. */
  readonly timeoutMs: number;
  /** Without a sign of life of the turn; 0 = none. */
  readonly silenceMs: number;
}

/** How long a turn that is to end may take to say so. */
const INTERRUPT_GRACE_MS = 5_000;

/** Items that stand for work outside the model: while one runs, silence is not a sign of trouble. */
const TOOL_ITEMS: ReadonlySet<ThreadItem["type"]> = new Set<ThreadItem["type"]>([
  "commandExecution",
  "mcpToolCall",
  "dynamicToolCall",
  "collabAgentToolCall",
  "webSearch",
  "imageGeneration",
  "sleep",
]);

/**
 * A running turn: iterate it for its events, await {@link completed} for its result, or both.
 *
 * The first iterator gets every event from the start, a later one those from its own start on. Leaving the
 * loop does not stop the turn; disposing the turn does. It ends exactly once, whatever the server does.
 */
export class Turn implements AsyncIterable<ServerEvent>, AsyncDisposable {
  readonly threadId: string;
  /** Resolves when the server has given the turn its id. */
  readonly started: Promise<void>;
  /** The result, or the error that iteration ends with too. */
  readonly completed: Promise<TurnResult>;
  readonly #request: Requester;
  readonly #route: ThreadRoute;
  readonly #record: TurnRecord;
  readonly #clock: TurnClock;
  readonly #signal: AbortSignal | undefined;
  readonly #openTools = new Set<string>();
  readonly #running: Promise<void>;
  /** Queues of the iterators; the first one is filled from the start, whether or not anybody takes it. */
  #queues: EventQueue<ServerEvent>[] = [];
  #untaken: EventQueue<ServerEvent> | undefined;
  /** Events that came before the answer that tells our id. */
  #early: ServerEvent[] | undefined = [];
  #id: string | undefined;
  #verdict: Error | undefined;
  #settled = false;
  #grace: ReturnType<typeof setTimeout> | undefined;
  #interruption: Promise<void> | undefined;
  #markStarted!: (error?: unknown) => void;
  #markRunning!: () => void;
  #resolve!: (result: TurnResult) => void;
  #reject!: (error: unknown) => void;

  constructor(
    request: Requester,
    route: ThreadRoute,
    params: Omit<TurnStartParams, "threadId">,
    limits: TurnLimits,
    observed: boolean,
  ) {
    this.threadId = route.threadId;
    this.#request = request;
    this.#route = route;
    this.#record = new TurnRecord(route.usage);
    this.#signal = limits.signal;
    this.started = new Promise((resolve, reject) => {
      this.#markStarted = (error) => (error === undefined ? resolve() : reject(error));
    });
    this.#running = new Promise((resolve) => (this.#markRunning = resolve));
    this.completed = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Whoever does not look at one of the two learns of a failure by the other.
    this.started.catch(() => {});
    this.completed.catch(() => {});
    if (observed) {
      this.#untaken = new EventQueue(deltaCoalescer);
      this.#queues.push(this.#untaken);
    }
    this.#clock = new TurnClock(limits, (limit, ms) => this.#giveUp(new TurnTimeoutError(limit, ms)));
    // Registered before the request is written: events can overtake the answer.
    route.turn = this;
    this.#start(params);
  }

  /** Known once {@link started} has resolved. */
  get id(): string {
    if (this.#id === undefined) {
      throw new NoActiveTurnError("the turn has no id yet: await turn.started first");
    }
    return this.#id;
  }

  [Symbol.asyncIterator](): AsyncIterator<ServerEvent> {
    const first = this.#untaken;
    if (first) {
      this.#untaken = undefined;
      return first;
    }
    const queue = new EventQueue<ServerEvent>(deltaCoalescer);
    if (this.#settled) queue.end();
    else this.#queues.push(queue);
    return queue;
  }

  /**
   * Asks the server to stop the turn; `completed` then rejects `turn_interrupted`. Resolves once the
   * server has agreed or the turn has ended anyway. Sent once, and not before the turn runs: a server
   * refuses earlier ones and goes on.
   */
  interrupt(): Promise<void> {
    this.#interruption ??= this.#interrupt();
    return this.#interruption;
  }

  /** Interrupts the turn if it still runs, and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#settled) this.#giveUp(new AbortedError("the turn", "unknown", "its handle was disposed"));
    await this.completed.catch(() => {});
  }

  /** An event of this turn's thread. */
  deliver(event: ServerEvent): void {
    const { turnId, turn } = event.params as { turnId?: string | null; turn?: { id?: string } };
    const of = turnId ?? turn?.id;
    if (of === undefined) return;
    if (this.#early) this.#early.push(event);
    else if (of === this.#id) this.#take(event);
  }

  /** A request of the server's about this turn is being answered by us. */
  hold(): void {
    this.#clock.hold();
  }

  release(): void {
    this.#clock.release();
  }

  /** The connection is gone, and every event that came before has been delivered. */
  disconnected(reason: CloseReason): void {
    this.#fail(this.#verdict ?? new ConnectionClosedError(reason, "unknown"));
  }

  #start(params: Omit<TurnStartParams, "threadId">): void {
    if (this.#signal?.aborted) {
      this.#fail(new AbortedError("the turn", "notSent", this.#signal.reason));
      return;
    }
    this.#signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.#request("turn/start", { ...params, threadId: this.threadId }).then(
      ({ turn }) => this.#identify(turn.id),
      (error: unknown) => this.#fail(this.#verdict ?? error),
    );
  }

  #identify(id: string): void {
    if (this.#settled) return;
    this.#id = id;
    this.#markStarted();
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const event of early) this.deliver(event);
  }

  #take(event: ServerEvent): void {
    if (this.#settled) return;
    // The server repeats "will retry" for ever when it cannot reach the model: that is no sign of life.
    if (event.method !== "error" || !event.params.willRetry) this.#clock.heard();
    this.#note(event);
    for (const queue of this.#queues) queue.push(event);
    if (event.method === "turn/completed") this.#end(event.params);
  }

  #note(event: ServerEvent): void {
    switch (event.method) {
      case "turn/started":
        return this.#markRunning();
      case "item/started":
        return this.#toolStarted(event.params.item);
      case "item/completed":
        if (this.#openTools.delete(event.params.item.id)) this.#clock.release();
        return this.#record.itemCompleted(event.params);
      case "turn/diff/updated":
        return this.#record.diffUpdated(event.params);
      case "turn/plan/updated":
        return this.#record.planUpdated(event.params);
      case "thread/tokenUsage/updated":
        return this.#record.usageUpdated(event.params);
      default:
        return undefined;
    }
  }

  #toolStarted(item: ThreadItem): void {
    if (!TOOL_ITEMS.has(item.type) || this.#openTools.has(item.id)) return;
    this.#openTools.add(item.id);
    this.#clock.hold();
  }

  #end({ turn }: ServerNotifications["turn/completed"]): void {
    const failure = this.#verdict ?? failureOf(turn);
    if (failure) this.#fail(failure);
    else this.#settle(() => this.#resolve(this.#record.result(turn)), undefined);
  }

  readonly #onAbort = (): void => {
    this.#giveUp(new AbortedError("the turn", "unknown", this.#signal?.reason));
  };

  /** Ends the turn with `error`: at the server first, so that it does not run on, but not later than the grace. */
  #giveUp(error: Error): void {
    if (this.#settled || this.#verdict) return;
    this.#verdict = error;
    this.#grace = setTimeout(() => this.#fail(error), INTERRUPT_GRACE_MS);
    void this.interrupt().catch(() => {});
  }

  async #interrupt(): Promise<void> {
    await Promise.race([this.#running, this.completed.catch(() => {})]);
    if (this.#settled) return;
    const turnId = this.id;
    const sent = this.#request("turn/interrupt", { threadId: this.threadId, turnId });
    await Promise.race([sent, this.completed.catch(() => {})]);
  }

  #fail(error: unknown): void {
    this.#settle(() => this.#reject(error), error);
    this.#markStarted(error);
  }

  /** The one exit. */
  #settle(outcome: () => void, error: unknown): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#clock.stop();
    clearTimeout(this.#grace);
    this.#signal?.removeEventListener("abort", this.#onAbort);
    if (this.#route.turn === this) this.#route.turn = undefined;
    outcome();
    for (const queue of this.#queues) {
      if (error === undefined) queue.end();
      else queue.fail(error);
    }
    this.#queues = [];
  }
}

function failureOf(turn: WireTurn): Error | undefined {
  if (turn.status === "failed") return new TurnFailedError(turn, turn.error ?? undefined);
  if (turn.status === "interrupted") return new TurnInterruptedError(turn);
  return undefined;
}
