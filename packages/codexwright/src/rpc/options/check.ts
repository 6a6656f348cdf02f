import { InvalidArgumentError } from "../errors.ts";
import { LONGEST_MS } from "../limits.ts";
import { kindOf, shortened, shown } from "./shown.ts";

/**
 * Checks the value of one option at run time, for callers without the compiler's help.
 *
 * `V` says which values it accepts at the least. A table asks for a check that accepts every value of the option's type,
 * so a check that is narrower than the type does not compile.
 */
export interface Check<in V> {
  /** Completes "… must be". */
  readonly expects: string;
  readonly fits: (value: unknown) => boolean;
  /** Throws for something wrong inside a value that fits. */
  readonly inside?: ((value: never, place: Place) => void) | undefined;
  /** Strings that do not fit are quoted in the message. Never set it for an option that can hold a secret. */
  readonly quotes?: boolean;
  readonly required?: false;
  /** Exists for the compiler only. */
  readonly accepts?: (value: V) => void;
}

/** Where a value was given. */
export interface Place {
  /** As in `thread.run()`. */
  readonly call: string;
  /** As in `retry.attempts`. */
  readonly path: string;
}

type AnyFunction = (...args: never[]) => unknown;

/** Throws `invalid_argument` for a value that does not fit. `undefined` counts as left out. */
export function checkValue(check: Check<never>, value: unknown, place: Place): void {
  if (value === undefined) return;
  if (!check.fits(value)) throw misfit(check, value, place.path);
  check.inside?.(value as never, place);
}

/** Checks an argument that is not part of an options object. `undefined` does not fit. */
export function checkArgument<V>(call: string, path: string, value: V, check: Check<V>): void {
  if (value === undefined) throw misfit(check, value, path);
  try {
    checkValue(check, value, { call, path });
  } catch (error) {
    throw refusal(error, path);
  }
}

/** The error of a check. What a getter or a proxy of the caller throws is its cause. */
export function refusal(error: unknown, what: string): InvalidArgumentError {
  if (error instanceof InvalidArgumentError) return error;
  return new InvalidArgumentError(`${what} cannot be read`, { cause: error });
}

/** The error for a value that is not what a check expects. */
export function misfit(
  { expects, quotes = false }: Pick<Check<never>, "expects" | "quotes">,
  value: unknown,
  path: string,
): InvalidArgumentError {
  return new InvalidArgumentError(`${path} must be ${expects} (got ${shown(value, quotes)})`);
}

function leaf<V>(expects: string, fits: (value: unknown) => boolean, quotes = false): Check<V> {
  return { expects, fits, quotes };
}

/** Any value: for fields that the server validates, and for those that are checked elsewhere. */
export const anything: Check<unknown> = leaf("given", () => true);

export const text: Check<string> = leaf("a string", (value) => typeof value === "string");

export const nonEmptyText: Check<string> = leaf(
  "a string that is not empty",
  (value) => typeof value === "string" && value !== "",
);

export const flag: Check<boolean> = leaf("a boolean", (value) => typeof value === "boolean", true);

export const func: Check<AnyFunction> = leaf("a function", (value) => typeof value === "function");

export const object: Check<object> = leaf(
  "an object",
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

/** An object with these methods, of whatever class. */
export function methods<V extends object>(...names: readonly (keyof V & string)[]): Check<V> {
  return leaf(
    `an object with ${names.map((name) => `${name}()`).join(" and ")}`,
    (value) =>
      object.fits(value) &&
      names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "function"),
  );
}

export const bytes: Check<Uint8Array> = leaf("a Uint8Array", (value) => value instanceof Uint8Array);

/** An instance of a class of the language, also one of another realm. */
export function instance<V extends object>(kind: string): Check<V> {
  return leaf(`a ${kind}`, (value) => typeof value === "object" && value !== null && kindOf(value) === kind);
}

export const regExp: Check<RegExp> = instance("RegExp");

/** Known by its methods and not by its class: some runtimes and polyfills have their own. */
export const signal: Check<AbortSignal> = leaf("an AbortSignal", (value) => {
  const { addEventListener, removeEventListener, aborted } = (value ?? {}) as Partial<AbortSignal>;
  return (
    typeof addEventListener === "function" &&
    typeof removeEventListener === "function" &&
    typeof aborted === "boolean"
  );
});

/** A time limit, or a pause. */
export const milliseconds: Check<number> = leaf(
  `milliseconds from 0 to ${LONGEST_MS}`,
  (value) => typeof value === "number" && value >= 0 && value <= LONGEST_MS,
  true,
);

export function integer(least: number, most: number = Number.MAX_SAFE_INTEGER): Check<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `≥ ${least}` : `from ${least} to ${most}`;
  return leaf(
    `an integer ${range}`,
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
    true,
  );
}

/** A limit that may be taken away. */
export function integerOrInfinity(least: number): Check<number> {
  const finite = integer(least);
  return leaf(`${finite.expects} or Infinity`, (value) => value === Infinity || finite.fits(value), true);
}

export const finite: Check<number> = leaf("a finite number", (value) => Number.isFinite(value), true);

export const positive: Check<number> = leaf(
  "a number > 0",
  (value) => typeof value === "number" && value > 0,
  true,
);

export function oneOf<const W extends string | number | boolean | null>(...words: readonly W[]): Check<W> {
  return leaf(
    words.map((word) => JSON.stringify(word)).join(" or "),
    (value) => words.includes(value as W),
    true,
  );
}

/** The first check that fits decides. */
export function either<A, B = never, C = never>(
  ...checks: readonly [Check<A>, Check<B>, Check<C>?]
): Check<A | B | C> {
  const all = checks as readonly Check<never>[];
  const fitting = (value: unknown): Check<never> | undefined => all.find(({ fits }) => fits(value));
  return {
    expects: all.map(({ expects }) => expects).join(" or "),
    fits: (value) => fitting(value) !== undefined,
    inside: (value, place) => fitting(value)?.inside?.(value, place),
    quotes: all.some(({ quotes }) => quotes === true),
  };
}

/** `null` has a meaning of its own. */
export function orNull<V>(check: Check<V>): Check<V | null> {
  return { ...either(check, oneOf(null)), quotes: check.quotes ?? false };
}

export function listOf<V>(element: Check<V>): Check<readonly V[]> {
  return {
    expects: "an array",
    fits: (value) => Array.isArray(value),
    inside: (list: readonly unknown[], { call, path }) => {
      for (const [index, value] of list.entries()) {
        const place = { call, path: `${path}[${index}]` };
        if (value === undefined) throw misfit(element, value, place.path);
        checkValue(element, value, place);
      }
    },
  };
}

/** An object whose names the caller chooses. Values may be `undefined`. */
export function recordOf<V>(value: Check<V>): Check<Readonly<Record<string, V | undefined>>> {
  return {
    expects: "an object",
    fits: object.fits,
    inside: (record: object, { call, path }) => {
      for (const [name, each] of Object.entries(record))
        checkValue(value, each, { call, path: `${path}.${shortened(name)}` });
    },
  };
}
