import { InvalidArgumentError } from "../../rpc/errors.ts";
import { frozen } from "../json.ts";
import type { EventType, SessionEvent } from "./event.ts";
import type { OwnEvent } from "./journal.ts";
import type { Slice, SlicePolicy } from "./slice.ts";

/** The stored values by slice: one immutable map per policy. */
export type Values = Readonly<Record<SlicePolicy, ReadonlyMap<string, unknown>>>;

/** Computes the values after an event. Pure: results share all unchanged parts. */
export class Store {
  readonly slices: ReadonlyMap<string, Slice>;
  readonly #reactions = new Map<
    string,
    { slice: Slice; reduce: (state: unknown, payload: unknown) => unknown }[]
  >();
  readonly #events = new Map<string, EventType>();

  constructor(slices: readonly Slice[]) {
    this.slices = new Map(slices.map((slice) => [slice.key, slice]));
    if (this.slices.size < slices.length) {
      const keys = slices.map(({ key }) => key);
      const twice = keys.find((key, index) => keys.indexOf(key) < index);
      throw new InvalidArgumentError(`slice keys must be unique: ${JSON.stringify(twice)} is used twice`);
    }
    for (const slice of slices) this.#register(slice);
  }

  /** The event type with this name, if a slice reacts to it. */
  eventType(type: string): EventType | undefined {
    return this.#events.get(type);
  }

  /** Which kinds of slices (`state`, `log`) an event can change. If no slice reacts to the event, returns `state`. */
  touches(type: string): Readonly<Record<SlicePolicy, boolean>> {
    const policies = new Set((this.#reactions.get(type) ?? []).map(({ slice }) => slice.policy));
    return { state: policies.size === 0 || policies.has("state"), log: policies.has("log") };
  }

  /** Throws `invalid_argument` unless this slice is registered. Another slice with the same key does not count. */
  check(slice: Slice): void {
    if (this.slices.get(slice.key) === slice) return;
    throw new InvalidArgumentError(
      `slice ${JSON.stringify(slice.key)} is not part of this session: pass it to createSession({ slices })`,
    );
  }

  /** Applies an event. If a reducer throws, the given values are unchanged. */
  after(values: Values, { type, payload }: SessionEvent): Values {
    const reactions = this.#reactions.get(type);
    if (!reactions) return values;
    const changed: [Slice, unknown][] = [];
    for (const { slice, reduce } of reactions) {
      const before = values[slice.policy].get(slice.key);
      const next = reduce(before, payload);
      if (next !== before)
        changed.push([slice, frozen(`the state of slice ${JSON.stringify(slice.key)} after ${type}`, next)]);
    }
    return withValues(values, changed);
  }

  /** Applies an internal event, except rollbacks, which need earlier values. */
  afterOwn(values: Values, event: Exclude<OwnEvent, { type: "session/rolledBack" }>): Values {
    const given =
      event.type === "session/created"
        ? Object.entries(event.payload.slices)
        : [[event.payload.slice, event.payload.value] as const];
    return withValues(
      values,
      given.flatMap(([key, value]): [Slice, unknown][] => {
        const slice = this.slices.get(key);
        return slice ? [[slice, slice["~slice"].parse(value)]] : [];
      }),
    );
  }

  #register(slice: Slice): void {
    for (const { event, reduce } of slice["~slice"].reactions) {
      const known = this.#events.get(event.type);
      if (known && known !== event) {
        throw new InvalidArgumentError(
          `the event type ${JSON.stringify(event.type)} is used by two event() definitions`,
        );
      }
      this.#events.set(event.type, event);
      const reactions = this.#reactions.get(event.type) ?? [];
      this.#reactions.set(event.type, reactions);
      if (reactions.some((other) => other.slice === slice)) {
        throw new InvalidArgumentError(
          `slice ${JSON.stringify(slice.key)} must have one reducer for ${JSON.stringify(event.type)}, but has two`,
        );
      }
      reactions.push({ slice, reduce: reduce as (state: unknown, payload: unknown) => unknown });
    }
  }
}

/** Empty values, before `session/created`. */
export const NO_VALUES: Values = { state: new Map(), log: new Map() };

/** Replaces some values. A map without changes stays the same object. */
export function withValues(values: Values, changed: readonly (readonly [Slice, unknown])[]): Values {
  let { state, log } = values;
  for (const policy of ["state", "log"] as const) {
    const own = changed.filter(([slice]) => slice.policy === policy);
    if (own.length === 0) continue;
    const next = new Map(values[policy]);
    for (const [slice, value] of own) next.set(slice.key, value);
    if (policy === "state") state = next;
    else log = next;
  }
  return state === values.state && log === values.log ? values : { state, log };
}
