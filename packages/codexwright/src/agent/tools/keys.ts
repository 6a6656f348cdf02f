import type { CallTurn } from "./turn.ts";

/** A session or a resource that calls hold or wait for. */
interface Key {
  readonly holders: Set<CallTurn>;
  /** In the order in which they came. */
  readonly waiting: Set<CallTurn>;
}

/** Who holds what, and who waits for it. */
export class Keys {
  readonly #keys = new Map<object, Key>();
  /** Calls that hold something, the oldest first. */
  readonly #active = new Set<CallTurn>();
  /** What calls have given up to wait for since the others were last looked at. */
  readonly #left = new Set<object>();

  queue(turn: CallTurn): void {
    for (const key of turn.wanted.keys()) this.#key(key).waiting.add(turn);
  }

  /** It has given up, or has what it wanted. Those behind it may be free now. */
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
    // No other call waits for a call that begins now.
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
    // Calls that are a part of the outer one may hold them now.
    this.#next(passed);
  }

  release(turn: CallTurn): void {
    const held = [...turn.held];
    turn.held.clear();
    this.#active.delete(turn);
    for (const key of held) this.#keys.get(key)?.holders.delete(turn);
    this.#next(held);
  }

  /** The calls that keep it from what it wants. */
  holders(turn: CallTurn): { readonly key: object; readonly holder: CallTurn }[] {
    return [...turn.wanted.keys()].flatMap((key) =>
      Array.from(this.#keys.get(key)?.holders ?? [])
        .filter((holder) => conflict(turn, holder, key))
        .map((holder) => ({ key, holder })),
    );
  }

  /** True if nothing that it wants is held by another call, or was asked for earlier by one that must go first. */
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

  /** True if a call waits, as far as is known, for another one or for one that the other is a part of. */
  waitsFor(turn: CallTurn, other: CallTurn, seen: Set<CallTurn> = new Set()): boolean {
    if (turn === other || other.isWithin(turn)) return true;
    if (seen.has(turn)) return false;
    seen.add(turn);
    const holders = this.holders(turn).map(({ holder }) => holder);
    return [...holders, ...this.#ahead(turn), ...turn.inner].some((one) => this.waitsFor(one, other, seen));
  }

  /** A call that holds something begins to wait: those that were to go after one that waits for it may go now. */
  onWait(turn: CallTurn): void {
    this.#overtake([...turn.held]);
  }

  /** The calls that asked earlier for something that it wants. */
  #ahead(turn: CallTurn): CallTurn[] {
    return [...turn.wanted.keys()].flatMap((key) => {
      const waiting = [...this.#key(key).waiting];
      return waiting.slice(0, waiting.indexOf(turn)).filter((first) => !turn.isWithin(first));
    });
  }

  /** A call must not wait its turn behind one that itself waits, or may be waiting, for that call. */
  #isStuck(turn: CallTurn, other: CallTurn, seen: Set<CallTurn> = new Set()): boolean {
    const [oldest] = this.#active;
    if (!oldest || oldest.begun > other.since || seen.has(turn)) return false;
    seen.add(turn);
    for (const { holder } of this.holders(turn)) {
      // A run that was started during a call may be one that the call waits for.
      if (holder.begun <= other.since || this.waitsFor(holder, other)) return true;
    }
    return this.#ahead(turn).some((first) => this.#isStuck(first, other, seen));
  }

  /** Calls behind those that wait for these may have to go ahead of them now. */
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

  /** All calls of a run may give up at once: to look at all that wait after each of them would cost the square. */
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
        // It began last, so no other call can hold the key beside it.
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
