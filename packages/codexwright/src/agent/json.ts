import { step } from "../schema/schema.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";

/**
 * A deeply frozen copy of a value that JSON can hold; `invalid_argument`, naming the place, for any other.
 *
 * A property that is undefined counts as absent, as it does in JSON.
 */
export function frozenCopy<T>(what: string, value: T): T {
  checkDepth(what, value);
  checkJson(what, value, "");
  return copy(value) as T;
}

/** Values that are nested deeper are refused: they could be deeper than the stack is high. */
const DEEPEST = 512;

function checkDepth(what: string, value: unknown): void {
  if (!isTooDeep(value)) return;
  throw new InvalidArgumentError(`${what} is nested more than ${DEEPEST} deep`);
}

function isTooDeep(value: unknown): boolean {
  // A circle has no depth; it is refused for what it is.
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

/** What has been looked through. That somebody has frozen a value says nothing of what is in it. */
const known = new WeakSet<object>();

/**
 * Freezes a value in place, without looking again into what is known: states share most of their parts with
 * the ones before. Refuses what `frozenCopy` refuses.
 */
export function frozen<T>(what: string, value: T): T {
  // The place of what is wrong is looked for only when something is: this runs for every event.
  if (!freeze(value)) {
    checkDepth(what, value);
    checkJson(what, value, "");
  }
  return value;
}

/** Freezes an object whose parts are known. */
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

/** @param above the objects that this one is in: one of them again would be a circle */
function freeze(value: unknown, above: readonly object[] = []): boolean {
  if (isLeaf(value)) return true;
  if (!Array.isArray(value) && !isPlain(value)) return false;
  if (known.has(value)) return true;
  if (above.length > DEEPEST || above.includes(value)) return false;
  const inner = [...above, value];
  const good = Array.isArray(value)
    ? // Not `every`: it would pass over holes.
      !value.includes(undefined) && value.every((item) => freeze(item, inner))
    : Object.values(value).every((item) => item === undefined || freeze(item, inner));
  if (good) frozenParts(value);
  return good;
}

function checkJson(what: string, value: unknown, at: string, above: readonly object[] = []): void {
  if (isLeaf(value)) return;
  if (above.includes(value as object)) {
    throw new InvalidArgumentError(`${what} holds what JSON cannot: ${at} is what it is in, a circle`);
  }
  const inner = [...above, value as object];
  if (Array.isArray(value)) {
    // Not `entries`: it would pass over holes.
    for (let index = 0; index < value.length; index++) checkJson(what, value[index], step(at, index), inner);
    return;
  }
  if (!isPlain(value)) {
    throw new InvalidArgumentError(
      `${what} holds what JSON cannot: ${at === "" ? "it" : at} is ${kindOf(value)}. Keep plain objects, lists, strings, finite numbers, booleans and null`,
    );
  }
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) checkJson(what, item, step(at, key), inner);
  }
}

/** JSON of any value. What JSON cannot hold, or what is nested too deep, is left out; nothing is thrown. */
export function lenientJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return JSON.stringify(holdable(value, new Set(), 0)) ?? "null";
  }
}

/** @param seen what is there already: circles end, and no graph of objects is unfolded */
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
    return undefined; // some getter has thrown
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
