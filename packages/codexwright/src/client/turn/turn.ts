import type { ServerEvent, Turn as WireTurn } from "../../protocol/index.ts";
import { AbortedError, ConnectionClosedError, type CloseReason } from "../../rpc/errors.ts";
import { offAbort, onAbort } from "../../rpc/on-abort.ts";
import { EventQueue } from "../../rpc/queue.ts";
import { within } from "../../rpc/delay.ts";
import { deltaCoalescer } from "./deltas.ts";
import { TurnInterruptedError, TurnTimeoutError } from "../errors.ts";
import { toUserInput, type TurnInput } from "./options/input.ts";
import { liveEvent, type TurnEvent } from "./live-event.ts";
import { readBack } from "./reconcile.ts";
import { RestWatch } from "./end/rest-watch.ts";
import { NoActiveTurnError } from "../connection/server/server-errors.ts";
import { steerTurn } from "./steer.ts";
import { failureOf, isTerminal, lostTurn, madeTurn, terminalTurn } from "./end/terminal.ts";
import { TurnClock } from "./turn-clock.ts";
import { TurnFields } from "./turn-fields.ts";
import { resultOf, ToolWatch } from "./turn-fold.ts";
import type { HostedTurn, TurnHost } from "./turn-host.ts";
import type { Running, Starting, TurnPhase, Verdict } from "./turn-phase.ts";
import { turnIdOf } from "./turn-id.ts";
import type { TurnPlan } from "./turn-plan.ts";
import type { TurnResult } from "./end/turn-result.ts";

/** How long to wait for the end of a turn that was interrupted. */
const INTERRUPT_GRACE_MS = 5_000;
/**
 * How long to wait for the start of a turn that the server has acknowledged. After that, the turn is steered or
 * interrupted anyway.
 */
const START_MS = 1_000;

/**
 * A turn: iterate it for its events, await {@link completed} for its result, or both.
 *
 * The first iterator receives every event from the start of the turn; a later iterator receives only the events after
 * its own creation. Leaving the loop does not stop the turn; disposing the turn does. A turn always ends, exactly once.
 */
export class Turn<T = undefined>
  extends TurnFields
  implements HostedTurn, AsyncIterable<TurnEvent>, AsyncDisposable
{
  /** Resolves when the server has assigned an id to the turn. */
  readonly started: Promise<void>;
  /** Resolves with the result, or rejects with the same error that ends the iteration. */
  readonly completed: Promise<TurnResult<T>>;
  readonly #host: TurnHost;
  readonly #plan: TurnPlan<T>;
  readonly #clock: TurnClock;
  readonly #tools: ToolWatch;
  readonly #rest: RestWatch = new RestWatch(() => this.#reconcile());
  readonly #running: Promise<void>;
  readonly #over: Promise<void>;
  /** Queues of the iterators. The first queue receives events from the start, even before an iterator takes it. */
  #queues: EventQueue<TurnEvent>[] = [];
  #untaken: EventQueue<TurnEvent> | undefined;
  #phase: TurnPhase = { name: "waiting" };
  #interruption: Promise<void> | undefined;
  #markStarted!: (error?: unknown) => void;
  #markRunning!: () => void;
  #markOver!: () => void;
  #resolve!: (result: TurnResult<T>) => void;
  #reject!: (error: unknown) => void;

  constructor(host: TurnHost, plan: TurnPlan<T>) {
    super(host);
    this.#host = host;
    this.#plan = plan;
    this.#clock = new TurnClock(plan, (limit, ms) => void this.#expired(limit, ms));
    this.#tools = new ToolWatch(this.#clock);
    this.started = new Promise((resolve, reject) => {
      this.#markStarted = (error) => (error === undefined ? resolve() : reject(error));
    });
    this.#running = new Promise((resolve) => (this.#markRunning = resolve));
    this.#over = new Promise((resolve) => (this.#markOver = resolve));
    this.completed = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Both promises report a failure, so a promise that the caller does not use must not cause an unhandled rejection.
    this.started.catch(() => {});
    this.completed.catch(() => {});
    if (plan.observed) this.#queues.push((this.#untaken = new EventQueue<TurnEvent>(deltaCoalescer)));
    if (plan.signal?.aborted) this.#fail(new AbortedError("the turn", "notSent", plan.signal.reason));
    else onAbort(plan.signal, this.#onAbort);
  }

  protected override get knownId(): string | undefined {
    return "id" in this.#phase ? this.#phase.id : undefined;
  }

  /** Whether the silence of the server does not count now, because a tool runs or a request waits for its answer. */
  get isHeld(): boolean {
    return this.#clock.isHeld;
  }

  [Symbol.asyncIterator](): AsyncIterator<TurnEvent> {
    const first = this.#untaken;
    if (first) {
      this.#untaken = undefined;
      return first;
    }
    const queue = new EventQueue<TurnEvent>(deltaCoalescer);
    const phase = this.#phase;
    if (phase.name !== "settled") this.#queues.push(queue);
    else if (phase.error === undefined) queue.end();
    else queue.fail(phase.error);
    return queue;
  }

  /**
   * Adds input to the running turn. Rejects with `no_active_turn` if the turn has ended, or with `turn_not_steerable`
   * if it does not accept input.
   */
  async steer(input: TurnInput): Promise<void> {
    const items = toUserInput(input);
    await this.started;
    await within(START_MS, this.#running, this.#over);
    if (this.#isOver) throw new NoActiveTurnError(`turn ${this.id} has ended`);
    await steerTurn(this.#host.server, { threadId: this.threadId, expectedTurnId: this.id, input: items });
  }

  /**
   * Asks the server to stop the turn; `completed` then rejects with `turn_interrupted`. Resolves when the server has
   * accepted the interrupt, or when the turn has ended. The request is sent once, after the turn has started: a server
   * rejects an earlier request and continues the turn.
   */
  interrupt(): Promise<void> {
    this.#interruption ??= this.#interrupt().catch((error: unknown) => {
      // The caller may retry.
      this.#interruption = undefined;
      throw error;
    });
    return this.#interruption;
  }

  /** Interrupts the turn if it is still running, and waits for its end. */
  async close(): Promise<void> {
    this.giveUp(new AbortedError("the turn", "unknown", "its handle was disposed"));
    await this.#over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Occupies the thread and starts the turn. Does nothing if the turn was given up while it waited. */
  launch(): void {
    if (this.#phase.name !== "waiting") return;
    this.#phase = {
      name: "starting",
      early: [],
      activeBefore: undefined,
      lost: undefined,
      verdict: undefined,
    };
    // Occupy the thread before the request is written, because events can arrive before the answer.
    this.#host.occupy(this);
    this.#clock.start();
    this.#plan.begin(this.#onSending).then(
      (id) => this.#identify(id),
      (error: unknown) => this.#fail(this.#verdict?.error ?? error),
    );
  }

  /** Handles an event of this turn's thread. */
  deliver(event: ServerEvent): void {
    const phase = this.#phase;
    if (phase.name === "starting") return void phase.early.push(event);
    if (phase.name !== "running") return;
    const of = turnIdOf(event);
    if (of === undefined ? isTerminal(event.method) : this.#owns(of, event.method)) this.#take(event, phase);
  }

  /** Handles a text delta of the streaming item. These are the most frequent events, so this must be cheap. */
  append(event: ServerEvent): void {
    const phase = this.#phase;
    if (phase.name === "starting") phase.early.push(event);
    else if (this.#owns((event.params as { turnId: string }).turnId, event.method)) {
      this.#clock.heard();
      this.#publish(event);
    }
  }

  /** Pauses the silence count while this client answers a server request about the turn. */
  hold(): () => void {
    return this.#clock.hold();
  }

  /** Called when the thread is idle. If no terminal event follows soon, the outcome must be queried. */
  threadRests(): void {
    this.#rest.rests();
  }

  threadActive(): void {
    this.#rest.active();
  }

  /**
   * Ends the turn with `error`. First interrupts the turn on the server, so that it does not continue there, but waits
   * for its end no longer than the grace period.
   */
  giveUp(error: Error): void {
    const phase = this.#phase;
    if (phase.name === "settled" || this.#verdict) return;
    if (phase.name === "waiting" || phase.name === "finishing") return this.#fail(error);
    phase.verdict = { error, timer: setTimeout(() => this.#fail(error), INTERRUPT_GRACE_MS) };
    void this.interrupt().catch(() => {});
  }

  /** Called when the connection is gone and all earlier events were delivered. */
  disconnected(reason: CloseReason): void {
    const phase = this.#phase;
    if (phase.name === "waiting") this.#fail(new ConnectionClosedError(reason, "notSent"));
    else if (phase.name === "starting") phase.lost = reason;
    else if (phase.name === "running") {
      this.#fail(phase.verdict?.error ?? new ConnectionClosedError(reason, "unknown"));
    }
  }

  /**
   * Called when the connection was lost during the turn and the thread was resumed, on a new server or the same one.
   */
  recovered(): void {
    const phase = this.#phase;
    if (phase.name !== "running") return;
    const turn = lostTurn(phase.id, this.#host.fold);
    this.#fail(phase.verdict?.error ?? new TurnInterruptedError(turn, true));
  }

  get #verdict(): Verdict | undefined {
    return "verdict" in this.#phase ? this.#phase.verdict : undefined;
  }

  /**
   * Whether an event with this turn id belongs to this running turn. A review has two turn ids. The server reports its
   * end under its own id, not under the id of the reviewer.
   */
  #owns(turnId: string, method: string): boolean {
    if (this.#phase.name !== "running") return false;
    const { id } = this.#phase;
    return turnId === id || (!isTerminal(method) && this.#host.fold.turn(turnId)?.id === id);
  }

  get #isOver(): boolean {
    return this.#phase.name === "finishing" || this.#phase.name === "settled";
  }

  readonly #onSending = (): void => {
    const phase = this.#phase;
    if (phase.name !== "starting") throw new AbortedError("the turn", "notSent", "it was given up");
    phase.activeBefore = this.#host.fold.activeTurnId;
  };

  #identify(id: string): void {
    const starting = this.#phase;
    // The turn was given up while it was starting, so it must not continue on the server.
    if (starting.name !== "starting") return this.#host.stop(id);
    this.#run(starting, id);
    for (const event of starting.early) this.deliver(event);
    if (this.#plan.adopted) this.#endIfOver();
    if (starting.lost) return this.disconnected(starting.lost);
    // The thread may have become idle before the id of this turn was known.
    if (!this.#isOver) this.#rest.open();
  }

  #run({ activeBefore, verdict }: Starting, id: string): void {
    // If another turn was running, servers up to 0.145 add the input to that turn, but answer with an id that has no
    // events. Newer servers answer with the id of the running turn.
    const merged = activeBefore !== undefined && this.#host.fold.turn(activeBefore)?.status === "inProgress";
    const own = merged ? activeBefore : id;
    this.#phase = { name: "running", id: own, seen: merged, interrupted: false, verdict };
    if (merged) this.#markRunning();
    this.#markStarted();
  }

  /** Ends an adopted turn that had already ended before this handle existed. */
  #endIfOver(): void {
    const known = this.#host.fold.turn(this.id);
    if (this.#isOver || !known || known.status === "inProgress") return;
    const { id, status, error = null, startedAt = null, completedAt = null, durationMs = null } = known;
    this.#end({ ...madeTurn(id, status, error), startedAt, completedAt, durationMs }, "server");
  }

  #take(event: ServerEvent, phase: Running): void {
    phase.seen = true;
    // If the server cannot reach the model, it repeats `willRetry` errors forever. They do not count as activity.
    if (event.method !== "error" || !event.params.willRetry) this.#clock.heard();
    if (event.method === "turn/started") this.#markRunning();
    this.#tools.note(event);
    this.#publish(event);
    if (isTerminal(event.method)) this.#end(terminalTurn(event, phase.id), "server");
  }

  #publish(event: ServerEvent): void {
    if (this.#queues.length === 0) return;
    const live = liveEvent(event, this.#host.fold);
    for (const queue of this.#queues) queue.push(live);
  }

  #end(turn: WireTurn, source: TurnResult["source"]): void {
    const verdict = this.#verdict;
    this.#phase = { name: "finishing", id: this.id, verdict };
    this.#rest.stop();
    this.#host.end(turn.id, turn);
    this.endAs(turn);
    const failure = verdict?.error ?? failureOf(turn);
    if (failure) return this.#fail(failure);
    const result = resultOf(turn, this.#host.fold.turn(turn.id), this.#clock.elapsedMs, source);
    try {
      const finished = this.#plan.finish(result);
      if (!(finished instanceof Promise)) return this.#succeed(finished);
      finished.then(
        (value) => this.#succeed(value),
        (error: unknown) => this.#fail(error),
      );
    } catch (error) {
      this.#fail(error);
    }
  }

  readonly #onAbort = (): void => {
    const delivery = this.#phase.name === "waiting" ? "notSent" : "unknown";
    this.giveUp(new AbortedError("the turn", delivery, this.#plan.signal?.reason));
  };

  async #expired(limit: "timeoutMs" | "silenceMs", ms: number): Promise<void> {
    // The turn may have ended, and only its last event was lost.
    if (limit === "silenceMs" && (await this.#reconcile())) return;
    const { retrying } = this.#host;
    this.giveUp(new TurnTimeoutError(limit, ms, retrying?.turnId === this.knownId ? retrying : undefined));
  }

  /** Queries the outcome of the turn. Returns true if the turn has ended. */
  async #reconcile(): Promise<boolean> {
    const phase = this.#phase;
    if (phase.name !== "running") return phase.name === "settled";
    const turn = await readBack(this.#host, phase.id, phase.seen);
    if (turn && !this.#isOver) this.#end(turn, "reconciled");
    return this.#isOver;
  }

  async #interrupt(): Promise<void> {
    await Promise.race([this.started.catch(() => {}), this.#over]);
    await within(START_MS, this.#running, this.#over);
    const phase = this.#phase;
    if (phase.name !== "running") return;
    try {
      phase.interrupted = true;
      await Promise.race([this.#host.interrupt(phase.id), this.#over]);
    } catch (error) {
      phase.interrupted = false;
      if (!(error instanceof NoActiveTurnError)) throw error;
      // The server has no such active turn: its end was not reported to us, or it has not started yet.
      this.#host.stop(phase.id);
      this.threadRests();
    }
  }

  #succeed(result: TurnResult<T>): void {
    this.#settle(() => this.#resolve(result), undefined);
  }

  #fail(error: unknown): void {
    this.#settle(() => this.#reject(error), error);
    this.#markStarted(error);
  }

  /** Every turn ends here, once. */
  #settle(outcome: () => void, error: unknown): void {
    const before = this.#phase;
    if (before.name === "settled") return;
    const { knownId: id } = this;
    clearTimeout(this.#verdict?.timer);
    this.#phase = { name: "settled", id, error };
    this.endAs({ status: id === undefined ? "failed" : "interrupted", error: null });
    this.#clock.stop();
    this.#rest.stop();
    offAbort(this.#plan.signal, this.#onAbort);
    if (id !== undefined) {
      if (before.name === "running" && before.verdict) this.#host.abandon(id, before.interrupted);
      this.#host.end(id);
    }
    outcome();
    for (const queue of this.#queues) {
      if (error === undefined) queue.end();
      else queue.fail(error);
    }
    this.#queues = [];
    this.#markOver();
    this.#host.vacate(this);
  }
}
