import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { EntryTags } from "../session/journal.ts";
import type { Session, SessionAccess } from "../session/session.ts";
import type { ToolEffects } from "../../client/tools/tool.ts";

/** A session as one call has it: to read only, where the tool is, and until the call has ended. */
export class CallSession {
  readonly access: SessionAccess;
  #over = false;

  constructor(session: Session, effects: ToolEffects, tags: EntryTags) {
    const inner = session.tagged(tags);
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
  }

  /** A tool that goes on though nobody waits for it changes nothing any more. */
  end(): void {
    this.#over = true;
  }
}
