import { InvalidArgumentError } from "../../rpc/errors.ts";
import { CLOCK, systemClock, type Clock } from "../clock.ts";
import { BUILT_IN } from "./built-in.ts";
import type { Change } from "./change.ts";
import { Draft, type Ground } from "./draft.ts";
import { makerOf, type EventType, type SessionEvent } from "./event.ts";
import type { EntryTags, JournalEntry } from "./journal.ts";
import { Observers, type ObserverFailure, type Unsubscribe } from "./observers.ts";
import { fresh, reopened, replayed, type Origin } from "./origin.ts";
import { SLICE, type Slice } from "./slice.ts";
import { Store, withValues, type Values } from "./store.ts";
import { readStored, type StoredSession } from "./stored.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../rpc/options/table.ts";

/** Read access to a session. */
export interface SessionReader {
  /** Returns the state of a slice. The state is deeply frozen, and stays the same object until an event changes it. */
  get<T>(slice: Slice<T>): T;
}

/** Read and write access to a session. */
export interface SessionAccess extends SessionReader {
  /** Applies an event. If a reducer throws, this throws the same error and nothing changes. */
  dispatch(event: SessionEvent): void;
  /** Replaces the state of a slice. The journal records it as an event. */
  set<T>(slice: Slice<T>, value: NoInfer<T>): void;
}

/** Options of a session. */
export interface SessionOptions {
  readonly slices: readonly Slice[];
  readonly clock?: Clock | undefined;
}

const SESSION: Table<SessionOptions> = { slices: needed(is.listOf(SLICE)), clock: CLOCK };

/** A point in the history of a session that it can return to. */
export interface SessionSnapshot {
  /** The last journal entry at that point. */
  readonly seq: number;
}

interface Moment extends SessionSnapshot {
  readonly session: Session;
  readonly state: Values["state"];
}

type Begin = (store: Store, clock: Clock) => Origin;

/** Access to the private constructor, for functions in this file. */
let open: (options: SessionOptions, begin: Begin) => Session;
let internals: (session: Session) => { readonly ground: Ground; readonly within: Within };

/** Access to a draft, or to the committed values if there is none. */
type Within = (draft: Draft | undefined, tags: EntryTags) => SessionAccess;

/** Creates a session with these slices and the built-in slices of runs. */
export function createSession(options: SessionOptions): Session {
  return open(options, fresh);
}

/** Starts a draft on top of the committed values of a session, or of another draft. */
export function draftOf(session: Session, outer?: Draft): Draft {
  return new Draft(outer ?? internals(session).ground);
}

/** Returns access to a draft. If there is no draft, returns access to the session itself. */
export function within(session: Session, draft: Draft | undefined, tags: EntryTags): SessionAccess {
  return internals(session).within(draft, tags);
}

/**
 * Event-sourced state.
 *
 * For each event, the session first runs all reducers, then commits their results together. Every committed change is
 * in the journal, so replaying the journal produces the same state. A transactional tool call commits when it succeeds.
 * Until then its changes are in a draft: readers and observers of the session do not see them, and its journal and JSON
 * do not contain them. Snapshots copy nothing.
 */
export class Session implements SessionAccess {
  readonly id: string;
  readonly #clock: Clock;
  readonly #store: Store;
  readonly #journal: JournalEntry[];
  readonly #observers = new Observers();
  readonly #ground: Ground;
  #values: Values;
  #reducing = false;

  static {
    open = (options, begin) => new Session(options, begin);
    internals = (session) => ({ ground: session.#ground, within: session.#within });
  }

  private constructor(options: SessionOptions, begin: Begin) {
    checkOptions("createSession()", options, SESSION);
    const { slices, clock = systemClock } = options;
    this.#clock = clock;
    this.#store = new Store([...BUILT_IN, ...slices]);
    const { id, values, journal } = begin(this.#store, clock);
    this.id = id;
    this.#values = values;
    this.#journal = [...journal];
    const present = (): Values => this.#values;
    this.#ground = {
      get values() {
        return present();
      },
      take: (changes, next) => this.#commit(changes, next),
    };
  }

  /**
   * Parses the output of `JSON.stringify(session)`. Throws `session_invalid` if it is not a session with these
   * slices.
   */
  static parse(json: string, options: SessionOptions): Session {
    return new Session(options, (store, clock) => reopened(store, clock, readStored(json)));
  }

  /** Builds a session by replaying a journal. */
  static replay(journal: readonly JournalEntry[], options: SessionOptions): Session {
    return new Session(options, (store) => replayed(store, journal));
  }

  /** All events, in order. */
  get journal(): readonly JournalEntry[] {
    return this.#journal;
  }

  /** The most recent errors of observers, at most 100, newest last. */
  get observerFailures(): readonly ObserverFailure[] {
    return this.#observers.failures;
  }

  get<T>(slice: Slice<T>): T {
    return this.#read(slice, this.#values);
  }

  dispatch(event: SessionEvent): void {
    this.tagged({}).dispatch(event);
  }

  set<T>(slice: Slice<T>, value: NoInfer<T>): void {
    this.tagged({}).set(slice, value);
  }

  /** The same session, with tags added to all changes made through it. */
  tagged(tags: EntryTags): SessionAccess {
    return this.#within(undefined, tags);
  }

  /**
   * Calls a listener after each event of this type. If the listener throws, the error is added to `observerFailures`.
   */
  on<P>(type: EventType<never, P>, listener: (payload: P) => void): Unsubscribe {
    return this.#observers.add(type.type, listener);
  }

  /** Takes a snapshot in constant time. */
  snapshot(): SessionSnapshot {
    const moment: Moment = { seq: this.#last, state: this.#values.state, session: this };
    return Object.freeze(moment);
  }

  /**
   * Restores a snapshot of this session. `state` slices return to their earlier values. `log` slices and the journal
   * keep their entries.
   */
  restore(snapshot: SessionSnapshot, tags: EntryTags = {}): void {
    const { seq, state, session } = snapshot as Moment;
    if (session !== this) throw new InvalidArgumentError("the snapshot must come from this session");
    if (state === this.#values.state) return;
    this.#guard();
    const apply = (values: Values): Values => ({ ...values, state });
    const touches = { state: true, log: false };
    this.#commit([{ event: rolledBack(seq), tags, apply, touches }], apply(this.#values));
  }

  /** The value that `JSON.stringify` writes: versions, values and the journal. */
  toJSON(): StoredSession {
    const slices = [...this.#store.slices.values()].map(
      (slice) => [slice.key, { version: slice.version, value: this.get(slice) }] as const,
    );
    return { version: 1, id: this.id, slices: Object.fromEntries(slices), journal: this.#journal };
  }

  get #last(): number {
    return this.#journal.at(-1)?.seq ?? -1;
  }

  readonly #within: Within = (draft, tags) => {
    const make = (change: Change): void => {
      // Rollbacks do not affect logs, so a change that affects only logs is committed immediately.
      if (draft && change.touches.state) draft.add(change);
      else this.#commit([change], change.apply(this.#values));
    };
    return {
      get: (slice) => this.#read(slice, draft ? draft.values : this.#values),
      dispatch: (event) => make(this.#event(event, tags)),
      set: (slice, value) => make(this.#replacement(slice, value, tags)),
    };
  };

  #read<T>(slice: Slice<T>, values: Values): T {
    this.#store.check(slice);
    return slice["~slice"].read(values[slice.policy].get(slice.key)) as T;
  }

  #event(event: SessionEvent, tags: EntryTags): Change {
    const maker = makerOf(event);
    if (!maker) {
      throw new InvalidArgumentError(
        "dispatch() expects an event that an event type created, for example AddStep({ … })",
      );
    }
    const known = this.#store.eventType(event.type);
    if (known && known !== maker) {
      throw new InvalidArgumentError(
        `the event type ${JSON.stringify(event.type)} is already used by another event() definition in this session`,
      );
    }
    this.#guard();
    const apply = (values: Values): Values => {
      this.#reducing = true;
      try {
        return this.#store.after(values, event);
      } finally {
        this.#reducing = false;
      }
    };
    return { event, tags, apply, touches: this.#store.touches(event.type) };
  }

  #replacement(slice: Slice, value: unknown, tags: EntryTags): Change {
    this.#store.check(slice);
    this.#guard();
    const stored = slice["~slice"].parse(value);
    const payload = Object.freeze({ slice: slice.key, value: slice["~slice"].read(stored) });
    const log = slice.policy === "log";
    return {
      event: { type: "session/set", payload },
      tags,
      apply: (values) => withValues(values, [[slice, stored]]),
      touches: { log, state: !log },
      replaces: slice,
    };
  }

  #guard(): void {
    if (this.#reducing) {
      throw new InvalidArgumentError("a reducer must return the next state and must not change the session");
    }
  }

  /**
   * Commits all changes before it notifies observers. If an observer dispatches an event, that event is then applied
   * after all of these changes.
   */
  #commit(changes: readonly Change[], values: Values): void {
    const first = this.#journal.length;
    this.#values = values;
    for (const { event, tags, logsOnly } of changes) {
      const to = this.#last;
      this.#journal.push(this.#entry(event, tags));
      if (logsOnly) this.#journal.push(this.#entry(rolledBack(to), tags));
    }
    this.#observers.notify(this.#journal.slice(first));
  }

  #entry(event: SessionEvent, { runId, callId }: EntryTags): JournalEntry {
    return Object.freeze({
      seq: this.#last + 1,
      at: this.#clock.now(),
      event: Object.freeze(event),
      ...(runId !== undefined && { runId }),
      ...(callId !== undefined && { callId }),
    });
  }
}

function rolledBack(to: number): SessionEvent {
  return { type: "session/rolledBack", payload: Object.freeze({ to }) };
}
