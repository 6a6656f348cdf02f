import { InvalidArgumentError } from "../errors.ts";
import { checkValue, misfit, refusal, type Check, type Place } from "./check.ts";
import { nearestName } from "./nearest.ts";
import { kindOf, shortened } from "./shown.ts";

/** A check for a required option. */
export interface Needed<in V> extends Omit<Check<V>, "required"> {
  readonly required: true;
}

export function needed<V>(check: Check<V>): Needed<V> {
  return { ...check, required: true };
}

/** The property names of all members of a union. */
type NameOf<T> = T extends unknown ? keyof T & string : never;

/** The types of a property in all members of a union. */
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** Whether every member of a union requires this property. */
type IsNeeded<T, K extends string> =
  undefined extends ValueOf<T, K>
    ? false
    : (T extends unknown ? (T extends Record<K, unknown> ? never : true) : never) extends never
      ? true
      : false;

/**
 * The options of a call: exactly one check for each property of the type. The table does not compile if a name is
 * missing or extra, if a check rejects a value of the type, or if a required option lacks `needed()`.
 */
export type Table<T> = {
  readonly [K in NameOf<T>]-?: IsNeeded<T, K> extends true
    ? Needed<ValueOf<T, K>>
    : Check<Exclude<ValueOf<T, K>, undefined>>;
};

type AnyTable = Readonly<Record<string, Check<never> | Needed<never>>>;

/**
 * Throws `invalid_argument` for options that are not an object, for an unknown name (the message suggests the nearest
 * known name), and for a value that does not fit. Call it before starting any work. Returns the options.
 *
 * @param call the call for error messages, such as `thread.run()`
 */
export function checkOptions<T extends object>(call: string, options: T, table: Table<T> | Variant<T>): T {
  try {
    refuseOther(call, options);
    const place = { call, path: "" };
    if (table instanceof Variant) table.inside(options, place);
    else checkInside(options, table, place);
    return options;
  } catch (error) {
    throw refusal(error, optionsOf(call));
  }
}

/** Checks only the names, for a caller that reports all invalid values in one error. */
export function checkNames<T extends object>(call: string, options: T, table: Table<T>): void {
  try {
    refuseOther(call, options);
    refuseUnknown(options as Readonly<Record<string, unknown>>, table, { call, path: "" });
  } catch (error) {
    throw refusal(error, optionsOf(call));
  }
}

function refuseOther(call: string, options: unknown): void {
  if (!isPlain(options)) throw misfit({ expects: "an object" }, options, optionsOf(call));
}

function optionsOf(call: string): string {
  return `the options of ${call}`;
}

/** A check for options that are nested in another option. */
export function shape<T extends object>(table: Table<T>): Check<T> {
  return {
    expects: "an object",
    fits: isPlain,
    inside: (value: object, place) => checkInside(value, table, place),
  };
}

/**
 * Options that come in several kinds. Each kind is identified by the name of one option, and exactly one of these names
 * must be present.
 */
export class Variant<in T extends object> implements Check<T> {
  readonly expects: string;
  readonly fits: (value: unknown) => boolean = isPlain;
  declare readonly accepts?: (value: T) => void;
  readonly #kinds: Readonly<Record<string, AnyTable>>;

  /** @param kinds for each identifying name, the table of that kind */
  constructor(kinds: { readonly [K in NameOf<T>]?: Table<Extract<T, Record<K, unknown>>> }) {
    this.#kinds = kinds as Readonly<Record<string, AnyTable>>;
    this.expects = `an object with ${Object.keys(kinds).join(" or ")}`;
  }

  readonly inside = (value: object, place: Place): void => {
    const options = value as Readonly<Record<string, unknown>>;
    refuseUnknown(options, Object.assign({}, ...Object.values(this.#kinds)), place);
    const keys = Object.keys(this.#kinds);
    const given = keys.filter((key) => options[key] !== undefined);
    const table = this.#kinds[given[0] ?? ""];
    if (given.length === 1 && table) return checkInside(value, table, place);
    const names = keys.map((key) => nested(place.path, key)).join(" or ");
    throw new InvalidArgumentError(
      `${place.call} needs exactly one of ${names} (got ${given.length === 0 ? "none" : given.join(" and ")})`,
    );
  };
}

function checkInside(value: object, table: AnyTable, place: Place): void {
  const options = value as Readonly<Record<string, unknown>>;
  refuseUnknown(options, table, place);
  for (const name in table) {
    const check = table[name] as Check<never> | Needed<never>;
    const inner = { call: place.call, path: nested(place.path, name) };
    if (options[name] !== undefined) checkValue(check as Check<never>, options[name], inner);
    else if (check.required) throw misfit(check, undefined, inner.path);
  }
}

function refuseUnknown(options: Readonly<Record<string, unknown>>, table: AnyTable, place: Place): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(table, name) || options[name] === undefined) continue;
    const nearest = nearestName(name, Object.keys(table));
    const known =
      nearest === undefined ? "" : `: the nearest is ${JSON.stringify(nested(place.path, nearest))}`;
    throw new InvalidArgumentError(
      `${place.call} has no option ${JSON.stringify(nested(place.path, shortened(name)))}${known}`,
    );
  }
}

function nested(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Rejects an array, a signal or a promise: they have no own names that the name check could reject. */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const kind = kindOf(value);
  // The exports of a module are valid options too: `import * as settings from "./settings.js"`.
  return kind === "Object" || kind === "Module";
}
