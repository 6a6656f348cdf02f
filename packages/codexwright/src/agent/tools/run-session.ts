import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { Draft } from "../session/draft.ts";
import type { EntryTags } from "../session/journal.ts";
import { Session, within, type SessionAccess } from "../session/session.ts";
import type { Slice } from "../session/slice.ts";
import type { StoredSession } from "../session/stored.ts";
import { callOf } from "./call-session.ts";
import { tick, type CallTurn } from "./turn.ts";

/**
 * The session of a run. If the run is part of a tool call, the session includes the uncommitted changes of that call
 * until the call ends.
 */
export class RunSession {
  readonly session: Session;
  /** The tool call that the run is part of. */
  readonly caller: CallTurn | undefined;
  readonly started: number = tick();

  private constructor(session: Session, caller: CallTurn | undefined) {
    this.session = session;
    this.caller = caller;
  }

  /**
   * Accepts a `Session`, or the `session` of a tool's context. Throws `invalid_argument` for any other value, and if
   * the tool call has already ended.
   */
  static of(given: Session | SessionAccess): RunSession {
    if (given instanceof Session) return new RunSession(given, undefined);
    const call = callOf(given);
    if (!call) {
      throw new InvalidArgumentError("session must be a Session or the session of a tool's context");
    }
    return new RunSession(call.session, call.turn);
  }

  /** The uncommitted changes that the run can see. */
  get draft(): Draft | undefined {
    for (let at = this.caller; at; at = at.caller) {
      if (!at.over && at.session === this.session && at.draft) return at.draft;
    }
    return undefined;
  }

  get<T>(slice: Slice<T>): T {
    return within(this.session, this.draft, {}).get(slice);
  }

  tagged(tags: EntryTags): SessionAccess {
    const now = (): SessionAccess => within(this.session, this.draft, tags);
    return {
      get: (slice) => now().get(slice),
      dispatch: (event) => now().dispatch(event),
      set: (slice, value) => now().set(slice, value),
    };
  }

  toJSON(): StoredSession {
    return this.session.toJSON();
  }
}
