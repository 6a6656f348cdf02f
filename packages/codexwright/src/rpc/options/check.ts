import { InvalidArgumentError } from "../errors.ts";
import { LONGEST_MS } from "../limits.ts";
import { kindOf, shortened, shown } from "./shown.ts";

/**
 * Checks the value of one option at run time, for callers who do not use TypeScript.
 *
 * A `Check<V>` accepts at least all values of `V`. Each option in a table needs a check that accepts every value of the
 * option's type. A check that is narrower than that type does not compile.
 */
export interface Check<in V> {
  /** Completes the sentence "… must be". */
  readonly expects: string;
  readonly fits: (value: unknown) => boolean;
  /** Throws if the value itself fits, but something inside it is wrong. */
  readonly inside?: ((value: never, place: Place) => void) | undefined;
  /**
   * If true, the error message quotes a string that does not fit. Never set this for an option that can contain a
   * secret.
   */
  readonly quotes?: boolean;
  readonly required?: false;
  /** Only for the type checker. */
  readonly accepts?: (value: V) => void;
}

/** The place of a value, for error messages. */
export interface Place {
  /** The call, such as `thread.run()`. */
  readonly call: string;
  /** The option, such as `retry.attempts`. */
  readonly path: string;
}

type AnyFunction = (...args: never[]) => unknown;

/** Throws `invalid_argument` if the value does not fit. `undefined` counts as omitted. */
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

/**
 * Converts an exception that was thrown during a check to `invalid_argument`. If a getter or proxy of the caller threw,
 * that exception becomes the `cause`.
 */
export function refusal(error: unknown, what: string): InvalidArgumentError {
  if (error instanceof InvalidArgumentError) return error;
  return new InvalidArgumentError(`${what} cannot be read`, { cause: error });
}

/** The error for a value that does not fit a check. */
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

/** Accepts any value. Use it for fields that the server validates, and for fields that are checked elsewhere. */
export const anything: Check<unknown> = leaf("given", () => true);

export const text: Check<string> = leaf("a string", (value) => typeof value === "string");

export const nonEmptyText: Check<string> = leaf(
  "a non-empty string",
  (value) => typeof value === "string" && value !== "",
);

export const flag: Check<boolean> = leaf("a boolean", (value) => typeof value === "boolean", true);

export const func: Check<AnyFunction> = leaf("a function", (value) => typeof value === "function");

export const object: Check<object> = leaf(
  "an object",
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
);

/** An object of any class that has these methods. */
export function methods<V extends object>(...names: readonly (keyof V & string)[]): Check<V> {
  return leaf(
    `an object with ${names.map((name) => `${name}()`).join(" and ")}`,
    (value) =>
      object.fits(value) &&
      names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "function"),
  );
}

export const bytes: Check<Uint8Array> = leaf("a Uint8Array", (value) => value instanceof Uint8Array);

/** Accepts an instance of a built-in class, even if it comes from another realm. */
export function instance<V extends object>(kind: string): Check<V> {
  return leaf(`a ${kind}`, (value) => typeof value === "object" && value !== null && kindOf(value) === kind);
}

export const regExp: Check<RegExp> = instance("RegExp");

/** Checks the methods instead of the class: some runtimes and polyfills have their own class. */
export const signal: Check<AbortSignal> = leaf("an AbortSignal", (value) => {
  const { addEventListener, removeEventListener, aborted } = (value ?? {}) as Partial<AbortSignal>;
  return (
    typeof addEventListener === "function" &&
    typeof removeEventListener === "function" &&
    typeof aborted === "boolean"
  );
});

/** A time limit or a delay. */
export const milliseconds: Check<number> = leaf(
  `≥ 0 and ≤ ${LONGEST_MS} milliseconds`,
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

/** A limit that can be disabled with `Infinity`. */
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

/** Accepts values that one of these checks accepts. The first check that fits is used. */
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

/** For options that accept `null` as a value with its own meaning. */
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

/** An object with arbitrary names. Values may be `undefined`. */
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
