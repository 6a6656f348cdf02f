import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { Session, SessionAccess } from "../session/session.ts";
import type { ToolEffects } from "../../tools/tool.ts";
import type { CallTurn } from "./turn.ts";

/** The tool call that a session belongs to. */
export interface SessionCall {
  readonly session: Session;
  readonly turn: CallTurn | undefined;
}

const calls = new WeakMap<SessionAccess, () => SessionCall>();

/** Returns the tool call that this session belongs to. Throws `invalid_argument` if the session must not be changed. */
export function callOf(access: SessionAccess): SessionCall | undefined {
  return calls.get(access)?.();
}

/** The session as one call sees it: read-only if the tool is readonly, and writable only until the call ends. */
export class CallSession {
  readonly access: SessionAccess;
  #over = false;

  constructor(inner: SessionAccess, effects: ToolEffects, call: SessionCall) {
    const check = (): void => {
      if (this.#over)
        throw new InvalidArgumentError(
          "the session can no longer be changed, because the tool call has ended",
        );
      if (effects !== "readonly") return;
      throw new InvalidArgumentError(
        'a readonly tool must not change the session: set effects to "transactional"',
      );
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

  /** Blocks all further changes, even if the tool keeps running. */
  end(): void {
    this.#over = true;
  }
}
