import { CodexError, InvalidArgumentError } from "../../rpc/errors.ts";
import { logsOf, type Change } from "./change.ts";
import type { Slice } from "./slice.ts";
import type { Values } from "./store.ts";

/**
 * A tool call replaced the state of a slice, and another change of that slice was committed before the call ended.
 * The call fails, because committing it would lose the other change.
 */
export class SessionConflictError extends CodexError {
  readonly code = "session_conflict";
  /** The key of the slice. */
  readonly slice: string;

  constructor(slice: string) {
    super(
      `the slice ${JSON.stringify(slice)} changed after this call had set it: dispatch an event instead, or try again`,
    );
    this.slice = slice;
  }
}

/** The values that a draft builds on: the committed values of a session, or the draft of an outer call. */
export interface Ground {
  readonly values: Values;
  /** Applies changes atomically. `values` is the result of applying them to the current values. */
  take(changes: readonly Change[], values: Values): void;
}

/**
 * The uncommitted changes of one call. The call sees the committed values with its own changes on top, even if other
 * calls commit in the meantime. Other calls do not see its changes until they are committed.
 */
export class Draft implements Ground {
  readonly #ground: Ground;
  #changes: Change[] = [];
  /** For each slice that this draft replaced: the value that the slice had in the ground at that time. */
  #replaced = new Map<Slice, unknown>();
  #from: Values;
  #values: Values;
  #computing = false;
  /** How the draft ended. The draft of an inner call may still use this draft afterwards. */
  #end: "committed" | "rolledBack" | undefined;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#from = ground.values;
    this.#values = ground.values;
  }

  get values(): Values {
    const from = this.#ground.values;
    if (from === this.#from || this.#computing) return this.#values;
    this.#computing = true;
    try {
      this.#values = applied(from, this.#changes);
      this.#from = from;
    } finally {
      this.#computing = false;
    }
    return this.#values;
  }

  add(change: Change): void {
    this.take([change], change.apply(this.values));
  }

  take(changes: readonly Change[], values: Values): void {
    if (this.#end === "rolledBack" && !changes.every(({ logsOnly }) => logsOnly)) {
      throw new InvalidArgumentError(
        "the outer tool call of this call has failed, and its changes were rolled back",
      );
    }
    if (this.#end) return this.#ground.take(changes, values);
    for (const change of changes) {
      const { replaces } = change;
      if (replaces) this.#replaced.set(replaces, this.#below(replaces));
      this.#changes.push(change);
    }
    this.#values = values;
  }

  /** Passes all changes to the ground. If this throws, no change was passed on, and the draft must be rolled back. */
  commit(): void {
    for (const [slice, seen] of this.#replaced) {
      if (!same(this.#below(slice), seen)) throw new SessionConflictError(slice.key);
    }
    const { values } = this;
    const changes = this.#clear("committed");
    if (changes.length > 0) this.#ground.take(changes, values);
  }

  /** Drops the changes, and passes only their effects on `log` slices to the ground. */
  rollback(): void {
    const logs = this.#clear("rolledBack")
      .filter(({ touches }) => touches.log)
      .map(logsOf);
    for (const change of logs) {
      let values: Values;
      try {
        values = change.apply(this.#ground.values);
      } catch {
        continue; // the reducer rejects the event now, so there is nothing to add to the log
      }
      this.#ground.take([change], values);
    }
  }

  #clear(end: "committed" | "rolledBack"): readonly Change[] {
    const changes = this.#changes;
    this.#end = end;
    this.#changes = [];
    this.#replaced = new Map();
    this.#from = this.#ground.values;
    this.#values = this.#from;
    return changes;
  }

  #below(slice: Slice): unknown {
    return this.#ground.values[slice.policy].get(slice.key);
  }
}

function applied(values: Values, changes: readonly Change[]): Values {
  let next = values;
  for (const { apply } of changes) next = apply(next);
  return next;
}

/** Compares by value, because an underlying draft creates new objects when it computes its values again. */
function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
