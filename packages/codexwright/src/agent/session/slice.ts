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

/** What a rollback does to a slice: `state` goes back, `log` stays. */
export type SlicePolicy = "state" | "log";

/** A named part of a session's state, and how events change it. */
export interface Slice<out T = unknown> {
  readonly key: string;
  readonly policy: SlicePolicy;
  readonly version: number;
  /** For the session. */
  readonly "~slice": SliceInner & { readonly type?: T };
}

/** Known by what sessions use of it. */
export const SLICE: is.Check<Slice> = {
  expects: "what slice() or log() returns",
  fits: (value) =>
    is.object.fits(value) && is.object.fits((value as Readonly<Record<string, unknown>>)["~slice"]),
};

/** A slice as sessions use it. What they store need not be what readers get. */
export interface SliceInner {
  readonly initial: unknown;
  readonly reactions: readonly Reaction[];
  /** What readers get. */
  readonly read: (stored: unknown) => unknown;
  /** What is stored for a value that came from outside; throws `invalid_argument` where it is none of this slice. */
  readonly parse: (value: unknown) => unknown;
  readonly migrate?: ((value: unknown, version: number) => unknown) | undefined;
}

/** What one kind of event does to a slice. */
export interface Reaction {
  readonly event: EventType;
  readonly reduce: (state: never, payload: never) => unknown;
}

/** Pairs an event with a reducer: a pure function that returns the next state and leaves the given one alone. */
export type On<T> = <P>(event: EventType<never, P>, reduce: (state: T, payload: P) => T) => Reaction;

/** What `slice()` takes. */
export interface SliceOptions<S extends Schema> {
  readonly schema: S;
  readonly initial: InferInput<S>;
  readonly policy?: SlicePolicy | undefined;
  /** Of the state's shape, stored with it; 1 unless given. */
  readonly version?: number | undefined;
  /** Makes a state of this version out of a stored one of another. Without it, other versions are refused. */
  readonly migrate?: ((value: unknown, version: number) => unknown) | undefined;
  readonly on?: ((on: On<InferOutput<S>>) => readonly Reaction[]) | undefined;
}

const OPTIONS: Table<SliceOptions<Schema>> = {
  schema: needed(is.anything),
  // Validated by the schema.
  initial: is.anything,
  policy: is.oneOf("state", "log"),
  version: is.integer(0),
  migrate: is.func,
  on: is.func,
};

/**
 * Defines a slice. The key is what is stored: keep it over versions. States are JSON and deeply frozen.
 */
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

/** Refuses what cannot be the key of a slice. */
export function checkKey(key: string): void {
  if (typeof key === "string" && key !== "") return;
  throw new InvalidArgumentError("a slice needs a key: give a name that is stored with its state");
}

/** The value as its schema gives it, frozen; throws `invalid_argument`. */
export function parseValue(what: string, schema: Schema, value: unknown): unknown {
  const checked = validateNow(what, schema, value);
  if (checked.ok) return frozenCopy(what, checked.value);
  throw new InvalidArgumentError(`the value of ${what} is invalid:\n${issueLines(checked.issues)}`);
}
