import type { CallTurn } from "./turn.ts";

/** A session or resource that calls hold or wait for. */
interface Key {
  readonly holders: Set<CallTurn>;
  /** In order of arrival. */
  readonly waiting: Set<CallTurn>;
}

/** Tracks which calls hold which objects (sessions and resources), and which calls wait for those objects. */
export class Keys {
  readonly #keys = new Map<object, Key>();
  /** Calls that hold an object, oldest first. */
  readonly #active = new Set<CallTurn>();
  /**
   * Objects that a call has stopped waiting for. The other calls that wait for these objects have not been checked
   * since.
   */
  readonly #left = new Set<object>();

  queue(turn: CallTurn): void {
    for (const key of turn.wanted.keys()) this.#key(key).waiting.add(turn);
  }

  /** Removes a call that gave up from the queues. Calls behind it may be able to start now. */
  leave(turn: CallTurn): void {
    const wanted = [...turn.wanted.keys()];
    turn.wanted = new Map();
    for (const key of wanted) this.#keys.get(key)?.waiting.delete(turn);
    this.#later(wanted);
  }

  give(turn: CallTurn): void {
    const wanted = [...turn.wanted.keys()];
    turn.wanted = new Map();
    const hadSome = this.#active.has(turn);
    this.#active.add(turn);
    for (const key of wanted) {
      turn.held.add(key);
      const { holders, waiting } = this.#key(key);
      waiting.delete(turn);
      holders.add(turn);
    }
    // Not needed if the call held nothing before: it only begins now and waits for no other call, so the calls that
    // wait for it cannot get stuck.
    if (hadSome) this.#overtake(wanted);
  }

  pass(from: CallTurn, to: CallTurn, passed: readonly object[]): void {
    for (const key of passed) {
      from.held.delete(key);
      to.held.add(key);
      const { holders } = this.#key(key);
      holders.delete(from);
      holders.add(to);
    }
    this.#overtake(passed);
    // Calls that are part of the outer call may now hold these objects too.
    this.#next(passed);
  }

  release(turn: CallTurn): void {
    const held = [...turn.held];
    turn.held.clear();
    this.#active.delete(turn);
    for (const key of held) this.#keys.get(key)?.holders.delete(turn);
    this.#next(held);
  }

  /** The calls that hold objects this call wants. */
  holders(turn: CallTurn): { readonly key: object; readonly holder: CallTurn }[] {
    return [...turn.wanted.keys()].flatMap((key) =>
      Array.from(this.#keys.get(key)?.holders ?? [])
        .filter((holder) => conflict(turn, holder, key))
        .map((holder) => ({ key, holder })),
    );
  }

  /** True if all wanted objects are free, and no call that has waited longer must go first. */
  isFree(turn: CallTurn): boolean {
    for (const key of turn.wanted.keys()) {
      const { holders, waiting } = this.#key(key);
      for (const holder of holders) if (conflict(turn, holder, key)) return false;
      for (const first of waiting) {
        if (first === turn) break;
        if (!turn.isWithin(first) && !this.#isStuck(first, turn)) return false;
      }
    }
    return true;
  }

  /** True if `turn` is known to wait for `other`, or for a call that `other` is part of. */
  waitsFor(turn: CallTurn, other: CallTurn, seen: Set<CallTurn> = new Set()): boolean {
    if (turn === other || other.isWithin(turn)) return true;
    if (seen.has(turn)) return false;
    seen.add(turn);
    const holders = this.holders(turn).map(({ holder }) => holder);
    return [...holders, ...this.#ahead(turn), ...turn.inner].some((one) => this.waitsFor(one, other, seen));
  }

  /**
   * Called when a call that holds an object starts to wait. Other calls that want this object may now have to let the
   * calls behind them in the queue go first.
   */
  onWait(turn: CallTurn): void {
    this.#overtake([...turn.held]);
  }

  /** The calls that asked earlier for an object that this call wants, and still wait for it. */
  #ahead(turn: CallTurn): CallTurn[] {
    return [...turn.wanted.keys()].flatMap((key) => {
      const waiting = [...this.#key(key).waiting];
      return waiting.slice(0, waiting.indexOf(turn)).filter((first) => !turn.isWithin(first));
    });
  }

  /** True if `turn` waits, or may wait, for `other`. Then `other` must not queue behind `turn`. */
  #isStuck(turn: CallTurn, other: CallTurn, seen: Set<CallTurn> = new Set()): boolean {
    const [oldest] = this.#active;
    if (!oldest || oldest.begun > other.since || seen.has(turn)) return false;
    seen.add(turn);
    for (const { holder } of this.holders(turn)) {
      // The holder may wait for the run of `other`, if that run was started while the holder was in progress.
      if (holder.begun <= other.since || this.waitsFor(holder, other)) return true;
    }
    return this.#ahead(turn).some((first) => this.#isStuck(first, other, seen));
  }

  /**
   * Checks queues again: a call that waits for one of these objects may now be stuck. If that call also waits for other
   * objects, the calls behind it in the queues of those objects must go first.
   */
  #overtake(taken: readonly object[]): void {
    const others = new Set<object>();
    for (const key of taken) {
      for (const { wanted } of this.#keys.get(key)?.waiting ?? []) {
        if (wanted.size > 1) for (const other of wanted.keys()) others.add(other);
      }
    }
    for (const key of taken) others.delete(key);
    this.#next(others);
  }

  /**
   * Batches the check: all calls of a run may give up at the same time, and checking all waiters after each one would
   * take quadratic time.
   */
  #later(freed: readonly object[]): void {
    if (this.#left.size === 0) {
      queueMicrotask(() => {
        const left = [...this.#left];
        this.#left.clear();
        this.#next(left);
      });
    }
    for (const key of freed) this.#left.add(key);
  }

  #next(freed: Iterable<object>): void {
    for (const key of freed) {
      const known = this.#keys.get(key);
      if (!known) continue;
      for (const turn of known.waiting) {
        if (!this.isFree(turn)) continue;
        turn.grant();
        // No other call is part of this call, so none can share the object with it.
        if (turn.inner.size === 0) break;
      }
      if (known.holders.size === 0 && known.waiting.size === 0) this.#keys.delete(key);
    }
  }

  #key(key: object): Key {
    const known = this.#keys.get(key) ?? { holders: new Set(), waiting: new Set() };
    this.#keys.set(key, known);
    return known;
  }
}

function conflict(turn: CallTurn, holder: CallTurn, key: object): boolean {
  if (turn === holder || turn.isWithin(holder)) return false;
  return key !== turn.session || turn.started < holder.begun;
}
