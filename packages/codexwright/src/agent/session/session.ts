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

/** Reads a session. */
export interface SessionReader {
  /** The state of a slice: deeply frozen, and the same object until an event changes it. */
  get<T>(slice: Slice<T>): T;
}

/** Reads and changes a session. */
export interface SessionAccess extends SessionReader {
  /** Applies an event. What a reducer throws is thrown here, and then nothing has changed. */
  dispatch(event: SessionEvent): void;
  /** Puts a value in place of a slice's state, as an event of its own. */
  set<T>(slice: Slice<T>, value: NoInfer<T>): void;
}

/** What makes a session. */
export interface SessionOptions {
  readonly slices: readonly Slice[];
  readonly clock?: Clock | undefined;
}

const SESSION: Table<SessionOptions> = { slices: needed(is.listOf(SLICE)), clock: CLOCK };

/** A moment of a session, to go back to. */
export interface SessionSnapshot {
  /** The last entry of the journal at that moment. */
  readonly seq: number;
}

interface Moment extends SessionSnapshot {
  readonly session: Session;
  readonly state: Values["state"];
}

type Begin = (store: Store, clock: Clock) => Origin;

/** The class's constructor, for this file. */
let open: (options: SessionOptions, begin: Begin) => Session;
let internals: (session: Session) => { readonly ground: Ground; readonly within: Within };

/** Reads the values of a draft in place of the committed ones, and changes that draft. */
type Within = (draft: Draft | undefined, tags: EntryTags) => SessionAccess;

/** Makes a session of these slices, and of the ones that runs keep their own notes in. */
export function createSession(options: SessionOptions): Session {
  return open(options, fresh);
}

/** Starts a draft of a session's next changes, on top of its committed values or of another draft. */
export function draftOf(session: Session, outer?: Draft): Draft {
  return new Draft(outer ?? internals(session).ground);
}

/** Reads and changes a draft; the session itself without one. */
export function within(session: Session, draft: Draft | undefined, tags: EntryTags): SessionAccess {
  return internals(session).within(draft, tags);
}

/**
 * State that is made of events.
 *
 * All reducers of an event are computed first and committed together. Every committed change is in the journal, so
 * replaying the journal gives the same state. A transactional tool call commits when it succeeds: until then its
 * changes are in a draft that the session's readers, observers, journal and JSON do not see. Snapshots copy nothing.
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

  /** Reads what `JSON.stringify(session)` wrote; `session_invalid` for anything that is not a session of these slices. */
  static parse(json: string, options: SessionOptions): Session {
    return new Session(options, (store, clock) => reopened(store, clock, readStored(json)));
  }

  /** The session that a journal tells of. */
  static replay(journal: readonly JournalEntry[], options: SessionOptions): Session {
    return new Session(options, (store) => replayed(store, journal));
  }

  /** Everything that happened, in order. */
  get journal(): readonly JournalEntry[] {
    return this.#journal;
  }

  /** What observers threw last: up to 100, the newest last. */
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

  /** The same session; what is changed through it says who did. */
  tagged(tags: EntryTags): SessionAccess {
    return this.#within(undefined, tags);
  }

  /** Calls a listener after each event of a kind. What it throws breaks nothing: see `observerFailures`. */
  on<P>(type: EventType<never, P>, listener: (payload: P) => void): Unsubscribe {
    return this.#observers.add(type.type, listener);
  }

  /** This moment. Costs the same whatever the session holds. */
  snapshot(): SessionSnapshot {
    const moment: Moment = { seq: this.#last, state: this.#values.state, session: this };
    return Object.freeze(moment);
  }

  /** Goes back to a moment of this session: `state` slices are what they were, `log` slices and the journal stay. */
  restore(snapshot: SessionSnapshot, tags: EntryTags = {}): void {
    const { seq, state, session } = snapshot as Moment;
    if (session !== this) throw new InvalidArgumentError("the snapshot is not one of this session");
    if (state === this.#values.state) return;
    this.#guard();
    const apply = (values: Values): Values => ({ ...values, state });
    const touches = { state: true, log: false };
    this.#commit([{ event: rolledBack(seq), tags, apply, touches }], apply(this.#values));
  }

  /** What `JSON.stringify` writes: versions, values and the journal. */
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
      // Nothing takes a change of logs back, so it need not wait for the end of the call.
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
      throw new InvalidArgumentError("dispatch() takes events that an event type made, as in AddStep({ … })");
    }
    const known = this.#store.eventType(event.type);
    if (known && known !== maker) {
      throw new InvalidArgumentError(`another kind of event has the type ${JSON.stringify(event.type)} here`);
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
      throw new InvalidArgumentError("a reducer must not change the session: let it return the next state");
    }
  }

  /** Commits all of them before any observer is called: an observer that dispatches must not get between them. */
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
