import type { SessionEvent } from "./event.ts";
import type { EntryTags } from "./journal.ts";
import type { Slice } from "./slice.ts";
import type { Values } from "./store.ts";

/** One change of a session. It can be applied again when the values that it starts from have changed. */
export interface Change {
  readonly event: SessionEvent;
  readonly tags: EntryTags;
  /** Pure. Rethrows errors of reducers. */
  readonly apply: (values: Values) => Values;
  /** Whether it can change `state` slices and `log` slices. */
  readonly touches: { readonly state: boolean; readonly log: boolean };
  /** The slice whose whole state it replaces, for `set`. */
  readonly replaces?: Slice | undefined;
  /** True if the change was rolled back: only its effect on `log` slices remains. */
  readonly logsOnly?: true;
}

/** The part of a change that survives a rollback: its effect on `log` slices. */
export function logsOf(change: Change): Change {
  return {
    ...change,
    apply: (values) => ({ state: values.state, log: change.apply(values).log }),
    logsOnly: true,
  };
}
