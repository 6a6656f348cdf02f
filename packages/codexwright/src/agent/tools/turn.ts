import { CodexError, InvalidArgumentError } from "../../rpc/errors.ts";
import { offAbort, onAbort } from "../../rpc/on-abort.ts";
import type { Clock } from "../clock.ts";
import type { Undo } from "../resources/undo.ts";
import type { Draft } from "../session/draft.ts";
import { Keys } from "./keys.ts";

/** To wait for a session or a resource could take for ever: the call that holds it may be waiting for this one. */
export class DeadlockError extends CodexError {
  readonly code = "deadlock";
}

/** What a call wants to hold: the objects, each with words for messages. */
export type Wanted = ReadonlyMap<object, string>;

/** How long a call waits for one that may be waiting for it. */
const MOST_WAIT_MS = 60_000;

const WAY_OUT = "a tool that starts a run and waits for it gives it the session of the tool's context";

const ENDED = "the call has ended: it can no longer get resources";

let ticks = 0;

/** A number that is higher than all before: it orders starts of runs and of calls. */
export function tick(): number {
  return ++ticks;
}

const keys = new Keys();

/** What is known of a call before it begins. */
export interface CallTurnPlan {
  /** The tool and the call, for messages. */
  readonly name: string;
  /** The session of its run. */
  readonly session: object;
  /** When its run was started. */
  readonly started: number;
  /** The call that started the run and that the run takes part in. */
  readonly caller: CallTurn | undefined;
  readonly clock: Clock;
  /** Hears of a wait that is long, and that may never end. */
  readonly warn: (message: string) => void;
}

/**
 * A call that is not readonly, and what it holds: its session, and the resources that take part in rollbacks. Calls that want
 * the same object run one after the other, in the order in which they asked. Two may go ahead:
 *
 * - A call of a run that takes part in the holder's: it is a part of what the holder does.
 * - For a session, a call of a run that was started while the holder was in progress. The holder may be waiting for that
 *   run, which cannot be known, and drafts keep the two apart.
 *
 * Otherwise a call waits as long as it takes only for calls that began after its own run was started (or, if it holds
 * something already, after itself), so no circle of waiting calls and of tools that wait for runs can close. For others it
 * waits with a limit, and not at all if the holder is known to wait for it. A tool that waits for a run that was started
 * before its own call can still close a circle: a long wait is reported.
 */
export class CallTurn {
  readonly name: string;
  readonly session: object;
  readonly started: number;
  readonly caller: CallTurn | undefined;
  /** Infinity until it holds something for the first time. */
  begun: number = Infinity;
  readonly held: Set<object> = new Set();
  wanted: Wanted = new Map();
  /** Calls of runs that take part in this one. */
  readonly inner: Set<CallTurn> = new Set();
  /** What the call has changed, for one that can be rolled back. */
  draft: Draft | undefined;
  undo: Undo | undefined;
  over: boolean = false;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  /** The runs that were told that they wait for this call for long. */
  readonly #toldRuns: Set<number> = new Set();
  #failure: { readonly reason: unknown } | undefined;
  /** Made when a run takes part in the call. */
  #failed: AbortController | undefined;
  readonly #ended: (() => void)[] = [];
  /** Settles its wait, while it waits. */
  #waiting: { readonly resolve: () => void; readonly reject: (reason: unknown) => void } | undefined;

  constructor({ name, session, started, caller, clock, warn }: CallTurnPlan) {
    this.name = name;
    this.session = session;
    this.started = started;
    this.caller = caller;
    this.#clock = clock;
    this.#warn = warn;
  }

  /** Aborts when the call has failed: runs that take part in it must stop. */
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

  /** A holder that began after this cannot be waiting for this call, whatever its tool does. */
  get since(): number {
    return this.begun === Infinity ? this.started : this.begun;
  }

  /** True for a call of a run that takes part in the other call, at whatever depth. */
  isWithin(other: CallTurn): boolean {
    for (let at = this.caller; at; at = at.caller) if (at === other) return true;
    return false;
  }

  /**
   * Waits until it holds all of these, and holds none of them before. Rejects with the signal's reason, or with a
   * `DeadlockError`.
   */
  async hold(wanted: Wanted, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.over) throw new InvalidArgumentError(ENDED);
    this.wanted = new Map([...wanted].filter(([key]) => !this.held.has(key)));
    if (this.wanted.size === 0) return;
    keys.queue(this);
    if (keys.isFree(this)) return this.grant();
    keys.onWait(this);
    if (this.wanted.size === 0) return; // it was its turn after all
    const refusal = this.#refusal();
    if (refusal) {
      keys.leave(this);
      throw refusal;
    }
    await this.#wait(signal);
  }

  /** Its wait is over: all that it wants is its own. */
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

  /** Passes resources on to an outer call that must be able to roll them back. */
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
          return this.#giveUp(this.#busy(`was not free within ${MOST_WAIT_MS} ms`, WAY_OUT));
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
   * A tool may wait for a run that was started before the tool's call: then neither ends. Nothing can tell that from a
   * tool that takes long, so the wait goes on. The run reports a warning, once for each call that it waits for.
   */
  #tell(key: object, holder: CallTurn): void {
    if (holder.#toldRuns.has(this.started)) return;
    holder.#toldRuns.add(this.started);
    const what = this.wanted.get(key) ?? "something";
    this.#warn(
      `${this.name} has waited ${MOST_WAIT_MS} ms for ${what}, which ${holder.name} holds: if the tool of that call waits for this run, neither can end`,
    );
  }

  /** Leaves its place at once: nothing may be given to a call that does not wait any more. */
  #giveUp(reason: unknown): void {
    if (this.wanted.size === 0) return;
    keys.leave(this);
    this.#waiting?.reject(reason);
  }

  #refusal(): DeadlockError | undefined {
    for (const { key, holder } of keys.holders(this)) {
      if (keys.waitsFor(holder, this))
        return this.#busy(`is held by ${holder.name}, which waits for this call`);
      // Runs that take part in the same call may well have been started one after the other by its tool.
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
    const what = (blocked && this.wanted.get(blocked.key)) ?? "something that this call wants";
    return new DeadlockError(`${what} ${why}${wayOut === undefined ? "" : `: ${wayOut}`}`);
  }
}
