import type { JsonValue, ServerNotifications, ThreadItem, Turn, TurnError } from "codexwright/protocol";
import { uuid7, unixSeconds } from "../ids.ts";
import { CallGate } from "./call-gate.ts";
import { windowLimits } from "./context-window.ts";
import { DiffTracker } from "./diff-tracker.ts";
import type { LoadedThread } from "../threads/loaded-thread.ts";
import type { RunningTurn, TurnInput } from "../threads/running-turn.ts";
import type { ThreadsHost } from "../threads/threads-host.ts";
import type { WireObject } from "../wire-object.ts";
import { bareTurn, finalMessage, type Settings, type TurnRecord } from "../records/record.ts";
import { tokenCount, turnContext, turnEnded, turnStarted } from "../records/to-rollout.ts";
import { turnError } from "./turn-errors.ts";
import { TurnItems } from "./turn-items.ts";

/** How a turn ended. */
export type TurnEnd =
  | { readonly status: "completed" | "interrupted" }
  | { readonly status: "failed"; readonly error: TurnError };

/** The work of a turn between its start and its end. */
export type TurnWork = (run: TurnRun) => Promise<TurnEnd>;

export interface TurnOptions {
  readonly kind: RunningTurn["kind"];
  readonly work: TurnWork;
  readonly rootTurnId?: string;
  readonly outputSchema?: JsonValue | undefined;
  /** Goes on with input that arrived when the work had just ended. */
  readonly more: TurnWork;
  /** If true, the work itself announces the start of the turn. */
  readonly quiet?: boolean;
}

/** A running turn. It is its thread's active turn from its construction until it ends. */
export class TurnRun implements RunningTurn {
  readonly id: string;
  readonly host: ThreadsHost;
  readonly thread: LoadedThread;
  readonly kind: TurnOptions["kind"];
  readonly outputSchema: JsonValue | undefined;
  readonly record: TurnRecord;
  /** The model of the turn. A change of the thread's settings is for its next turn. */
  readonly settings: Readonly<Pick<Settings, "model" | "modelProvider" | "effort" | "summary">>;
  readonly items: TurnItems;
  readonly diff: DiffTracker;
  /** Orders the tool calls of the turn. */
  readonly gate: CallGate = new CallGate();
  /** Input that arrived during the turn and that the model has not received yet. */
  readonly steered: TurnInput[] = [];
  /** Items that were added during a response of the model, and that the model has not received. */
  readonly injected: WireObject[] = [];
  /** How many requests the turn has made to the model. */
  requests = 0;
  /** Who decides on approvals from the next request on, if that differs from the settings of the thread. */
  reviewer: Settings["approvalsReviewer"] | undefined;
  /** Who decides on the actions of the current response. */
  stepReviewer: Settings["approvalsReviewer"] | undefined;
  /** The model response in progress. */
  sampling: { preempt(): void } | undefined;
  /** The id that `turn/interrupt` must name. For a nested review, this is the id of the inner turn. */
  activeId: string;
  /** Aborts when the turn is interrupted. */
  readonly signal: AbortSignal;
  /** Aborts when the turn has ended, which cancels its pending server requests. */
  readonly over: AbortSignal;
  /** Resolves after clients were notified of the turn's end. */
  readonly ended: Promise<void>;
  readonly #interruption = new AbortController();
  readonly #over = new AbortController();
  readonly #work: TurnWork;
  readonly #more: TurnWork;
  readonly #quiet: boolean;
  readonly #startedAtMs: number = Date.now();
  readonly #interrupts: (() => void)[] = [];
  /** How many interrupt requests are not answered yet. */
  #unanswered = 0;
  #abandoned = false;
  #ending = false;
  #failure: { readonly error: unknown } | undefined;
  #end: (() => void) | undefined;
  #stopped: (() => void) | undefined;

  constructor(host: ThreadsHost, thread: LoadedThread, options: TurnOptions) {
    this.host = host;
    this.id = thread.host.dialect.turnId(thread.record) ?? uuid7();
    this.activeId = this.id;
    this.thread = thread;
    this.kind = options.kind;
    this.settings = { ...thread.settings };
    this.outputSchema = options.outputSchema;
    this.#work = options.work;
    this.#more = options.more;
    this.#quiet = options.quiet ?? false;
    this.signal = this.#interruption.signal;
    this.over = this.#over.signal;
    this.record = {
      id: this.id,
      rootTurnId: options.rootTurnId ?? this.id,
      ordinal: 0,
      items: [],
      usage: null,
      status: "inProgress",
      error: null,
      startedAt: null,
      completedAt: null,
      durationMs: null,
    };
    this.items = new TurnItems(thread, this.record);
    this.diff = new DiffTracker(thread.settings.cwd, thread.host.platform);
    this.ended = new Promise((resolve) => (this.#end = resolve));
    thread.turn = this;
  }

  get ending(): boolean {
    return this.#ending;
  }

  get threadId(): string {
    return this.thread.id;
  }

  get cwd(): string {
    return this.thread.settings.cwd;
  }

  /** Whether the model of the turn takes images. */
  get takesImages(): boolean {
    return this.host.provider.takesImages?.(this.settings.model) ?? true;
  }

  notify<M extends keyof ServerNotifications>(
    method: M,
    params: Omit<ServerNotifications[M], "threadId" | "turnId">,
  ): void {
    const whole = { ...params, threadId: this.thread.id, turnId: this.id };
    this.thread.notify(method, whole as unknown as ServerNotifications[M]);
  }

  /** The answer to the request that starts a turn. */
  acknowledged(): Turn {
    return { ...bareTurn(this.record), startedAt: null };
  }

  /** Runs the turn. An error of a port or of the engine fails it, so a turn that has begun always ends. */
  async run(): Promise<void> {
    const { thread, record } = this;
    record.startedAt = unixSeconds(this.#startedAtMs);
    thread.record.turns.push(record);
    thread.record.materialized = true;
    record.ordinal = thread.note(turnStarted(record, windowLimits(thread, this.settings.model).usable));
    thread.note(turnContext(this.id, thread.settings));
    if (this.#isRead()) {
      thread.record.readState ??= { firstUnread: null, revision: `initial:${thread.id}` };
    }
    if (!this.#quiet) this.begun(this.id);
    // The model is asked meanwhile. The turn's end waits for all records.
    thread.flush(true).catch((error: unknown) => this.fail(error));
    let end: TurnEnd;
    let work = this.#work;
    for (;;) {
      end = await this.#endOf(work);
      await thread.host.pace.step();
      if (this.#abandoned) return this.#left();
      // Input that arrived after the work had looked for it the last time was accepted, so it is answered.
      if (end.status !== "completed" || this.steered.length === 0 || this.signal.aborted) break;
      work = this.#more;
    }
    this.#interruptionsAnswered(() => {
      this.#finish(end).catch((error: unknown) => thread.host.failed(error));
    });
    await this.ended;
  }

  /** Does the work. Never rejects. */
  async #endOf(work: TurnWork): Promise<TurnEnd> {
    let end: TurnEnd;
    try {
      if (work === this.#work && !this.#quiet) await this.breathe();
      end = await work(this);
    } catch (error) {
      end = this.signal.aborted && !this.#failure ? { status: "interrupted" } : this.#broken(error);
    }
    return this.#failure ? this.#broken(this.#failure.error) : end;
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#interruption.abort();
  }

  /** Announces the start of the turn under this id. */
  begun(id: string): void {
    this.activeId = id;
    this.thread.tellStatus();
    this.thread.notify("turn/started", { threadId: this.thread.id, turn: { ...this.#wire(), id } });
  }

  /**
   * Interrupts the turn. Resolves when its work has stopped, with a function to call after the interrupt request is
   * answered. Clients are notified of the turn's end only after that call.
   */
  interrupt(): Promise<() => void> {
    if (this.#ending) return this.ended.then(() => () => {});
    this.#unanswered++;
    // The work has stopped already, and the end waits for the answers to other interrupt requests.
    if (this.#stopped) return Promise.resolve(this.#stopped);
    return new Promise((resolve) => {
      this.#interrupts.push(() => resolve(() => this.#stopped?.()));
      this.#interruption.abort();
    });
  }

  /** Interrupts the turn when there is no interrupt request to answer. Resolves when the turn has ended. */
  async interruptForGood(): Promise<void> {
    const answered = await this.interrupt();
    answered();
    await this.ended;
  }

  /** Stops the turn when the server closes, without notifying clients of its end. */
  abandon(): void {
    this.#abandoned = true;
    this.record.status = "interrupted";
    this.#interruption.abort();
    this.#over.abort();
  }

  /** Lets clients read and answer before the turn continues. Rejects if the turn was interrupted meanwhile. */
  async breathe(): Promise<void> {
    await this.thread.host.pace.step();
    this.signal.throwIfAborted();
  }

  steer(input: TurnInput): void {
    this.steered.push(input);
    this.sampling?.preempt();
  }

  inject(item: WireObject): void {
    if (this.kind !== "turn" || this.ending || this.over.aborted) this.thread.remember(item);
    else this.injected.push(item);
  }

  /** Lets requests go on that wait for the end of an abandoned turn. */
  #left(): void {
    this.#stopped = () => {};
    for (const answer of this.#interrupts) answer();
    this.#end?.();
  }

  #interruptionsAnswered(then: () => void): void {
    if (this.#unanswered === 0) return then();
    this.#stopped = () => {
      if (--this.#unanswered === 0) then();
    };
    for (const answer of this.#interrupts) answer();
  }

  async #finish(end: TurnEnd): Promise<void> {
    const { thread, record } = this;
    this.#ending = true;
    // Input that arrived after the last request is for the next turn.
    for (const item of this.injected.splice(0)) thread.remember(item);
    const now = Date.now();
    record.completedAt = unixSeconds(now);
    record.durationMs = now - this.#startedAtMs;
    record.usage = thread.record.usage;
    const final = finalMessage(record.items.map(({ item }) => item));
    const kept = await this.#kept(end, final);
    // Clients are notified of the end only when it is stored.
    if (final && kept.status !== "failed") this.#tellUnread();
    thread.settle(this, kept.status);
    this.#tellEnd(kept, final);
  }

  /** Stores the end of the turn. Returns a failure if the store fails. */
  async #kept(end: TurnEnd, final: ThreadItem | undefined): Promise<TurnEnd> {
    const { thread, record } = this;
    const answer = final?.type === "agentMessage" ? final.text : null;
    const note = ({ status, error }: TurnEnd & { readonly error?: TurnError }): void => {
      record.status = status;
      record.error = error ?? null;
      if (final || status === "failed") this.#markUnread();
      thread.note(turnEnded(record, answer, thread.record.readState));
    };
    thread.note(tokenCount(thread.record.usage));
    note(end);
    thread.record.updatedAtMs = Date.now();
    try {
      await thread.flush(true);
      return end;
    } catch (error) {
      const failed = end.status === "failed" ? end : this.#broken(error);
      note(failed);
      return failed;
    }
  }

  #tellEnd(end: TurnEnd, final: ThreadItem | undefined): void {
    const { thread } = this;
    if (end.status === "failed") {
      this.notify("error", { error: end.error, willRetry: false });
      this.#tellUnread();
    }
    const items = final && end.status === "completed" ? [final] : [];
    const turn: Turn = { ...this.#wire(), items, itemsView: items.length > 0 ? "summary" : "notLoaded" };
    thread.notify("turn/completed", { threadId: thread.id, turn });
    this.#over.abort();
    this.#end?.();
  }

  #broken(error: unknown): Extract<TurnEnd, { status: "failed" }> {
    this.thread.host.failed(error);
    const message = error instanceof Error ? error.message : String(error);
    return { status: "failed", error: turnError(`the server failed: ${message}`, "internalServerError") };
  }

  /** Whether the thread is one that users read. */
  #isRead(): boolean {
    const { ephemeral, parentThreadId } = this.thread.record;
    return !ephemeral && parentThreadId === null;
  }

  #markUnread(): void {
    if (!this.#isRead()) return;
    const { record } = this.thread;
    record.readState = {
      firstUnread: record.readState?.firstUnread ?? { type: "turn", turnId: this.id },
      revision: uuid7(),
    };
  }

  #tellUnread(): void {
    const { id, readState } = this.thread.record;
    if (!this.#isRead() || readState === null) return;
    this.thread.notify("thread/readState/changed", { threadId: id, readState });
  }

  #wire(): Turn {
    return bareTurn(this.record);
  }
}
