import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { Session, SessionAccess } from "../session/session.ts";
import type { ToolEffects } from "../../tools/tool.ts";
import type { CallTurn } from "./turn.ts";

/** The call whose tool was given a session. */
export interface SessionCall {
  readonly session: Session;
  readonly turn: CallTurn | undefined;
}

const calls = new WeakMap<SessionAccess, () => SessionCall>();

/** The call that a session of a tool's context belongs to; throws `invalid_argument` if that must not be changed. */
export function callOf(access: SessionAccess): SessionCall | undefined {
  return calls.get(access)?.();
}

/** A session as one call has it: to read only if the tool is readonly, and to change until the call has ended. */
export class CallSession {
  readonly access: SessionAccess;
  #over = false;

  constructor(inner: SessionAccess, effects: ToolEffects, call: SessionCall) {
    const check = (): void => {
      if (this.#over)
        throw new InvalidArgumentError("the call has ended: its session can no longer be changed");
      if (effects !== "readonly") return;
      throw new InvalidArgumentError("a readonly tool must not change the session: make it transactional");
    };
    this.access = {
      get: (slice) => inner.get(slice),
      dispatch: (event) => {
        check();
        inner.dispatch(event);
      },
      set: (slice, value) => {
        check();
        inner.set(slice, value);
      },
    };
    calls.set(this.access, () => {
      check();
      return call;
    });
  }

  /** A tool that goes on after the end of its call changes nothing any more. */
  end(): void {
    this.#over = true;
  }
}
