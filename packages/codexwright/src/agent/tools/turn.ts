import { CodexError, InvalidArgumentError } from "../../rpc/errors.ts";
import { offAbort, onAbort } from "../../rpc/on-abort.ts";
import type { Clock } from "../clock.ts";
import type { Undo } from "../resources/undo.ts";
import type { Draft } from "../session/draft.ts";
import { Keys } from "./keys.ts";

/**
 * A call cannot wait for a session or resource, because the call that holds it may be waiting for this call. The wait
 * could take forever.
 */
export class DeadlockError extends CodexError {
  readonly code = "deadlock";
}

/** The objects that a call wants to hold, each with a description for messages. */
export type Wanted = ReadonlyMap<object, string>;

/** How long a call waits for another call that may itself be waiting for this call. */
const MOST_WAIT_MS = 60_000;

const WAY_OUT = "a tool that starts a run and waits for it must pass the session of its context to that run";

const ENDED = "the tool call has ended and can no longer get resources";

let ticks = 0;

/** Returns a number greater than all numbers that it returned before. It orders the starts of runs and calls. */
export function tick(): number {
  return ++ticks;
}

const keys = new Keys();

/** The known facts about a call before it starts. */
export interface CallTurnPlan {
  /** The tool and the call, for messages. */
  readonly name: string;
  /** The session of the call's run. */
  readonly session: object;
  /** The tick at which the call's run was started. */
  readonly started: number;
  /** The call that started the run, if the run is part of that call. */
  readonly caller: CallTurn | undefined;
  readonly clock: Clock;
  /** Called for a long wait that may never end. */
  readonly warn: (message: string) => void;
}

/**
 * A call that is not readonly, and the objects it holds: its session, and the resources that support rollback. Calls
 * that want the same object run one after another, in the order of their requests. There are two exceptions:
 *
 * - A call in a run that is part of the holder's call does not wait, because it belongs to the holder's work.
 * - A call in a run that was started while the holder was in progress does not wait for the session. The holder may be
 *   waiting for that run, and we cannot know whether it is. Drafts keep the changes of the two apart.
 *
 * How long a call waits for another call that holds an object:
 *
 * - Not at all, if the holder is known to wait for this call, or was in progress when this run was started on the same
 *   session.
 * - Without a limit, if the holder began after the run of this call was started (or, if this call already holds
 *   something, after this call began). Such a holder cannot be waiting for this call, unless its tool waits for a run
 *   that was started before the holder. That is why a long wait is reported.
 * - With a time limit in all other cases.
 */
export class CallTurn {
  readonly name: string;
  readonly session: object;
  readonly started: number;
  readonly caller: CallTurn | undefined;
  /** The tick at which the call first held an object; Infinity before that. */
  begun: number = Infinity;
  readonly held: Set<object> = new Set();
  wanted: Wanted = new Map();
  /** Calls of runs that are part of this call. */
  readonly inner: Set<CallTurn> = new Set();
  /** The changes of the call, if it can be rolled back. */
  draft: Draft | undefined;
  undo: Undo | undefined;
  over: boolean = false;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  /** The runs that were already warned about a long wait for this call. */
  readonly #toldRuns: Set<number> = new Set();
  #failure: { readonly reason: unknown } | undefined;
  /** Created when a run becomes part of the call. */
  #failed: AbortController | undefined;
  readonly #ended: (() => void)[] = [];
  /** Settles the current wait. */
  #waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void } | undefined;

  constructor({ name, session, started, caller, clock, warn }: CallTurnPlan) {
    this.name = name;
    this.session = session;
    this.started = started;
    this.caller = caller;
    this.#clock = clock;
    this.#warn = warn;
  }

  /** Aborts when the call fails, because the runs that are part of the call must then stop. */
  get failed(): AbortSignal {
    if (!this.#failed) {
      this.#failed = new AbortController();
      if (this.#failure) this.#failed.abort(this.#failure.reason);
    }
    return this.#failed.signal;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** A holder that began after this tick cannot be waiting for this call. */
  get since(): number {
    return this.begun === Infinity ? this.started : this.begun;
  }

  /** True if this is a call in a run that is part of the other call, at any depth. */
  isWithin(other: CallTurn): boolean {
    for (let at = this.caller; at; at = at.caller) if (at === other) return true;
    return false;
  }

  /**
   * Waits until the call can hold all of these objects at the same time. Rejects with the reason of the signal, or with
   * a `DeadlockError`.
   */
  async hold(wanted: Wanted, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.over) throw new InvalidArgumentError(ENDED);
    this.wanted = new Map([...wanted].filter(([key]) => !this.held.has(key)));
    if (this.wanted.size === 0) return;
    keys.queue(this);
    if (keys.isFree(this)) return this.grant();
    keys.onWait(this);
    if (this.wanted.size === 0) return; // `onWait` granted it
    const refusal = this.#refusal();
    if (refusal) {
      keys.leave(this);
      throw refusal;
    }
    await this.#wait(signal);
  }

  /** Ends the wait: the call now holds everything it wants. */
  grant(): void {
    if (this.begun === Infinity) {
      this.begun = tick();
      this.caller?.inner.add(this);
    }
    keys.give(this);
    this.#waiting?.resolve();
  }

  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#failed?.abort(reason);
  }

  /** Passes resources to an outer call, so that the outer call can roll them back. */
  passOn(to: CallTurn, passed: readonly object[]): void {
    keys.pass(this, to, passed);
  }

  end(): void {
    if (this.over) return;
    this.over = true;
    if (this.wanted.size > 0) this.#giveUp(new InvalidArgumentError(ENDED));
    this.caller?.inner.delete(this);
    keys.release(this);
    for (const tell of this.#ended) tell();
  }

  async ended(): Promise<void> {
    if (!this.over) await new Promise<void>((resolve) => void this.#ended.push(resolve));
  }

  async #wait(signal: AbortSignal): Promise<void> {
    let cancel = (): void => {};
    const abort = (): void => this.#giveUp(signal.reason);
    const watch = (): void => {
      cancel = this.#clock.after(MOST_WAIT_MS, () => {
        const holders = keys.holders(this);
        if (holders.some(({ holder }) => holder.begun < this.since)) {
          return this.#giveUp(this.#busy(`was not released within ${MOST_WAIT_MS} ms`, WAY_OUT));
        }
        for (const { key, holder } of holders) this.#tell(key, holder);
        watch();
      });
    };
    try {
      await new Promise<void>((resolve, reject) => {
        this.#waiting = { resolve, reject };
        onAbort(signal, abort);
        watch();
      });
    } finally {
      this.#waiting = undefined;
      cancel();
      offAbort(signal, abort);
    }
  }

  /**
   * A tool may wait for a run that was started before the tool's call. If that run waits for the tool's call, neither
   * ends. We cannot distinguish this deadlock from a slow tool, so the wait continues. The run emits a warning, once
   * for each call that it waits for.
   */
  #tell(key: object, holder: CallTurn): void {
    if (holder.#toldRuns.has(this.started)) return;
    holder.#toldRuns.add(this.started);
    const what = this.wanted.get(key) ?? "something";
    this.#warn(
      `${this.name} has waited ${MOST_WAIT_MS} ms for ${what}, held by ${holder.name}: if the tool of that call waits for this run, neither can end`,
    );
  }

  /** Leaves the queue immediately: a call that no longer waits must not be granted anything. */
  #giveUp(reason: unknown): void {
    if (this.wanted.size === 0) return;
    keys.leave(this);
    this.#waiting?.reject(reason);
  }

  #refusal(): DeadlockError | undefined {
    for (const { key, holder } of keys.holders(this)) {
      if (keys.waitsFor(holder, this))
        return this.#busy(`is held by ${holder.name}, which waits for this call`);
      // The tool of the shared outer call may have started its runs one after another, so this is not a deadlock.
      const siblings = this.caller !== undefined && holder.isWithin(this.caller);
      const during = this.started > holder.begun && holder.held.has(this.session);
      if (key !== this.session && during && !siblings) {
        const since = "which was in progress when this run was started on the same session";
        return this.#busy(`is held by ${holder.name}, ${since}`, WAY_OUT);
      }
    }
    return undefined;
  }

  #busy(why: string, wayOut?: string): DeadlockError {
    const [blocked] = keys.holders(this);
    const what = (blocked && this.wanted.get(blocked.key)) ?? "an object that this call needs";
    return new DeadlockError(`${what} ${why}${wayOut === undefined ? "" : `: ${wayOut}`}`);
  }
}
