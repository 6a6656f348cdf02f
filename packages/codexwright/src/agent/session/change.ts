import type { SessionEvent } from "./event.ts";
import type { EntryTags } from "./journal.ts";
import type { Slice } from "./slice.ts";
import type { Values } from "./store.ts";

/**
 * One change of a session. If the values that it was applied to have changed, it can be applied again to the new
 * values.
 */
export interface Change {
  readonly event: SessionEvent;
  readonly tags: EntryTags;
  /** Pure. Rethrows errors of reducers. */
  readonly apply: (values: Values) => Values;
  /** Whether the change can affect `state` slices and `log` slices. */
  readonly touches: { readonly state: boolean; readonly log: boolean };
  /** The slice whose whole state the change replaces, if it was made by `set`. */
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
