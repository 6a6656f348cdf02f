import {
  issueLines,
  schemaProblem,
  validateNow,
  type InferInput,
  type InferOutput,
  type Schema,
} from "../../schema/schema.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { frozenCopy } from "../json.ts";
import type { EventType } from "./event.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, needed, type Table } from "../../rpc/options/table.ts";

/** The effect of a rollback on a slice: a `state` slice is restored, a `log` slice stays unchanged. */
export type SlicePolicy = "state" | "log";

/** A named part of a session's state, with its reducers. */
export interface Slice<out T = unknown> {
  readonly key: string;
  readonly policy: SlicePolicy;
  readonly version: number;
  /** Internal. */
  readonly "~slice": SliceInner & { readonly type?: T };
}

/** Recognises a slice by its `~slice` member. */
export const SLICE: is.Check<Slice> = {
  expects: "a slice created with slice() or log()",
  fits: (value) =>
    is.object.fits(value) && is.object.fits((value as Readonly<Record<string, unknown>>)["~slice"]),
};

/** The internals of a slice. The stored form may differ from the value that readers get. */
export interface SliceInner {
  readonly initial: unknown;
  readonly reactions: readonly Reaction[];
  /** Converts the stored form into the value for readers. */
  readonly read: (stored: unknown) => unknown;
  /** Converts an external value into the stored form. Throws `invalid_argument` if it does not match the slice. */
  readonly parse: (value: unknown) => unknown;
  readonly migrate?: ((value: unknown, version: number) => unknown) | undefined;
}

/** The reducer of a slice for one type of event. */
export interface Reaction {
  readonly event: EventType;
  readonly reduce: (state: never, payload: never) => unknown;
}

/** Pairs an event type with a reducer: a pure function that returns the next state without changing the given one. */
export type On<T> = <P>(event: EventType<never, P>, reduce: (state: T, payload: P) => T) => Reaction;

/** Options of `slice()`. */
export interface SliceOptions<S extends Schema> {
  readonly schema: S;
  readonly initial: InferInput<S>;
  readonly policy?: SlicePolicy | undefined;
  /** Version of the state's shape, stored with it. Default 1. */
  readonly version?: number | undefined;
  /** Converts a stored state of another version. If it is not set, reading another version throws `session_invalid`. */
  readonly migrate?: ((value: unknown, version: number) => unknown) | undefined;
  readonly on?: ((on: On<InferOutput<S>>) => readonly Reaction[]) | undefined;
}

const OPTIONS: Table<SliceOptions<Schema>> = {
  schema: needed(is.anything),
  // The schema validates the initial value.
  initial: is.anything,
  policy: is.oneOf("state", "log"),
  version: is.integer(0),
  migrate: is.func,
  on: is.func,
};

/** Defines a slice. The key is stored, so do not change it between versions. States are JSON and deeply frozen. */
export function slice<S extends Schema>(key: string, options: SliceOptions<S>): Slice<InferOutput<S>> {
  checkOptions("slice()", options as object as SliceOptions<Schema>, OPTIONS);
  const { schema, version = 1, policy = "state", migrate } = options;
  checkKey(key);
  const problem = schemaProblem(`the schema of slice ${JSON.stringify(key)}`, schema);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  const parse = (value: unknown): unknown => parseValue(`slice ${JSON.stringify(key)}`, schema, value);
  const on: On<InferOutput<S>> = (event, reduce) => ({ event, reduce });
  return Object.freeze({
    key,
    policy,
    version,
    "~slice": {
      initial: parse(options.initial),
      reactions: options.on?.(on) ?? [],
      read: (stored: unknown) => stored,
      parse,
      ...(migrate && { migrate }),
    },
  });
}

/** Throws unless the key is a non-empty string. */
export function checkKey(key: string): void {
  if (typeof key === "string" && key !== "") return;
  throw new InvalidArgumentError(
    "the key of a slice must be a non-empty string, because it is stored with the state",
  );
}

/** Validates a value with its schema and freezes the result. Throws `invalid_argument`. */
export function parseValue(what: string, schema: Schema, value: unknown): unknown {
  const checked = validateNow(what, schema, value);
  if (checked.ok) return frozenCopy(what, checked.value);
  throw new InvalidArgumentError(`the value of ${what} is invalid:\n${issueLines(checked.issues)}`);
}
