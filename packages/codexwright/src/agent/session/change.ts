import type { SessionEvent } from "./event.ts";
import type { EntryTags } from "./journal.ts";
import type { Slice } from "./slice.ts";
import type { Values } from "./store.ts";

/** One change of a session that can be applied again when the values below it have changed. */
export interface Change {
  readonly event: SessionEvent;
  readonly tags: EntryTags;
  /** Pure. Throws what a reducer throws. */
  readonly apply: (values: Values) => Values;
  /** The kinds of slices that it can change. */
  readonly touches: { readonly state: boolean; readonly log: boolean };
  /** The slice whose whole state it replaces, for `set`. */
  readonly replaces?: Slice | undefined;
  /** True for a change that was rolled back: its effect on `log` slices stays. */
  readonly logsOnly?: true;
}

/** The part of a change that a rollback leaves: the effect on `log` slices. */
export function logsOf(change: Change): Change {
  return {
    ...change,
    apply: (values) => ({ state: values.state, log: change.apply(values).log }),
    logsOnly: true,
  };
}
