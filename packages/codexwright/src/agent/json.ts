import { step } from "../schema/schema.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";

/**
 * Returns a deeply frozen copy of a JSON value. If JSON cannot represent a part of the value, throws `invalid_argument`
 * with the path of that part.
 *
 * A property that is undefined counts as absent, as in JSON.
 */
export function frozenCopy<T>(what: string, value: T): T {
  checkDepth(what, value);
  checkJson(what, value, "");
  return copy(value) as T;
}

/** Maximum nesting depth. Deeper values could overflow the stack. */
const DEEPEST = 512;

function checkDepth(what: string, value: unknown): void {
  if (!isTooDeep(value)) return;
  throw new InvalidArgumentError(`${what} must be nested at most ${DEEPEST} levels deep`);
}

function isTooDeep(value: unknown): boolean {
  // Visit each object once, so that a cycle does not cause an endless loop. `checkJson` reports cycles.
  const seen = new Set<unknown>();
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((each) => {
      if (isLeaf(each) || typeof each !== "object" || each === null || seen.has(each)) return [];
      seen.add(each);
      return Object.values(each) as unknown[];
    });
  }
  return false;
}

/**
 * Objects whose whole content was checked and frozen. `Object.isFrozen` is not enough: it says nothing about nested
 * values.
 */
const known = new WeakSet<object>();

/**
 * Freezes a value in place. Skips parts that were frozen here before, because a new state shares most of its parts with
 * the previous one. Throws for the same values as `frozenCopy`.
 */
export function frozen<T>(what: string, value: T): T {
  // This runs for every event, so it searches for the path of a bad value only after a failure.
  if (!freeze(value)) {
    checkDepth(what, value);
    checkJson(what, value, "");
  }
  return value;
}

/** Freezes an object whose parts are already frozen. */
export function frozenParts<T extends object>(value: T): Readonly<T> {
  known.add(Object.freeze(value));
  return value;
}

function copy(value: unknown): unknown {
  if (isLeaf(value)) return value;
  if (Array.isArray(value)) return frozenParts(value.map(copy));
  const entries = Object.entries(value as object).filter(([, item]) => item !== undefined);
  return frozenParts(Object.fromEntries(entries.map(([key, item]) => [key, copy(item)])));
}

/** @param above the ancestors of this value, to detect cycles */
function freeze(value: unknown, above: readonly object[] = []): boolean {
  if (isLeaf(value)) return true;
  if (!Array.isArray(value) && !isPlain(value)) return false;
  if (known.has(value)) return true;
  if (above.length > DEEPEST || above.includes(value)) return false;
  const inner = [...above, value];
  const good = Array.isArray(value)
    ? // `every` skips holes; `includes(undefined)` finds them.
      !value.includes(undefined) && value.every((item) => freeze(item, inner))
    : Object.values(value).every((item) => item === undefined || freeze(item, inner));
  if (good) frozenParts(value);
  return good;
}

function checkJson(what: string, value: unknown, at: string, above: readonly object[] = []): void {
  if (isLeaf(value)) return;
  if (above.includes(value as object)) {
    throw new InvalidArgumentError(
      `${what} must be JSON without cycles: ${at} refers to an object that contains it`,
    );
  }
  const inner = [...above, value as object];
  if (Array.isArray(value)) {
    // An index loop, so that holes are checked too.
    for (let index = 0; index < value.length; index++) checkJson(what, value[index], step(at, index), inner);
    return;
  }
  if (!isPlain(value)) {
    throw new InvalidArgumentError(
      `${what} must be JSON: ${at === "" ? "it" : at} is ${kindOf(value)}. Use plain objects, arrays, strings, finite numbers, booleans and null`,
    );
  }
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) checkJson(what, item, step(at, key), inner);
  }
}

/**
 * Serialises any value to JSON without throwing. Values that JSON cannot represent, or that are nested too deep, are
 * omitted.
 */
export function lenientJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return JSON.stringify(holdable(value, new Set(), 0)) ?? "null";
  }
}

/** @param seen objects that were already written, so that cycles end and shared objects are written only once */
function holdable(value: unknown, seen: Set<object>, depth: number): unknown {
  if (typeof value === "bigint") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value) || depth > DEEPEST) return undefined;
  seen.add(value);
  try {
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON === "function") return holdable(toJSON.call(value), seen, depth + 1);
    if (Array.isArray(value)) return value.map((item) => holdable(item, seen, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, holdable(item, seen, depth + 1)]),
    );
  } catch {
    return undefined; // a getter threw
  }
}

function isLeaf(value: unknown): boolean {
  const type = typeof value;
  return type === "string" || value === null || type === "boolean" || Number.isFinite(value);
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function kindOf(value: unknown): string {
  if (value === undefined || typeof value === "number") return String(value);
  return `a ${typeof value === "object" && value ? value.constructor.name : typeof value}`;
}
