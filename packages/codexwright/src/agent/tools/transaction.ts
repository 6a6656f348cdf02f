import type { Resources } from "../resources/resources.ts";
import type { EntryTags } from "../session/journal.ts";
import type { Session } from "../session/session.ts";

/** What one call may have to take back. */
export interface Transaction {
  /** Session and resources are what they were at the start; may be called again for what a straggler did. */
  rollback(): Promise<void>;
  end(): void;
}

/** Starts a transaction. Only one may be open at a time: a rollback takes back whatever was changed since. */
export async function begin(session: Session, resources: Resources, tags: EntryTags): Promise<Transaction> {
  const snapshot = session.snapshot();
  const opened = await resources.begin();
  let restored = false;
  return {
    rollback: async () => {
      // Once: after the call's end it cannot have changed the session, but others can.
      if (!restored) session.restore(snapshot, tags);
      restored = true;
      await opened.rollback();
    },
    end: () => opened.end(),
  };
}

/** For calls that promise no rollback. */
export const NO_TRANSACTION: Transaction = {
  rollback: async () => Promise.resolve(),
  end: () => {},
};
