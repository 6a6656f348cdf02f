import { canonical, isJsonObject, type JsonObject } from "../rpc/json.ts";
import { equal } from "./equal.ts";
import { below, depthOf, MOST_LEVELS, pathOf, TOO_DEEP, type Place } from "./place.ts";
import { dereferenced } from "./refs.ts";
import type { StandardIssue } from "./standard-schema.ts";

/** Checks a parsed value against a JSON Schema. Supports the keywords listed at `jsonSchema`. */
export function checkJson(schema: unknown, value: unknown, root: unknown = schema): StandardIssue[] {
  return new Checker(root).issues(schema, value);
}

/** Returns whether a value matches a schema. */
export function matches(schema: unknown, value: unknown, root: unknown): boolean {
  return new Checker(root).count(schema, value) === 0;
}

/**
 * Returns the alternatives that a value could match, judging by its type, its required properties and its constants. If
 * only a few alternatives remain, the issues can name what is wrong with the value.
 */
export function candidates(alternatives: readonly unknown[], value: unknown, root: unknown): unknown[] {
  return alternatives.filter((alternative) => couldBe(alternative, value, root));
}

/** The state of one check. */
interface Run {
  /** Collects the issues. Absent if only their number matters. */
  readonly issues?: StandardIssue[];
  /**
   * Pairs of schema and value whose issues are already in the list. If one schema checks a value twice, its issues are
   * reported once.
   */
  readonly reported: Map<JsonObject, Set<unknown>>;
}

/**
 * Checks values against the schemas of one document.
 *
 * The checker caches the number of issues for each pair of schema and value, so that each pair is checked once. Without
 * the cache, every level of a recursive schema with overlapping alternatives would multiply the work.
 */
export class Checker {
  readonly #root: unknown;
  readonly #counts = new Map<JsonObject, Map<unknown, number>>();

  constructor(root: unknown) {
    this.#root = root;
  }

  /** Returns what is wrong with a value. */
  issues(schema: unknown, value: unknown): StandardIssue[] {
    const issues: StandardIssue[] = [];
    this.#guarded(schema, value, { issues, reported: new Map() });
    return issues;
  }

  /** Returns the number of issues of a value, or 0 if it matches. */
  count(schema: unknown, value: unknown): number {
    return this.#guarded(schema, value, { reported: new Map() });
  }

  #guarded(schema: unknown, value: unknown, run: Run): number {
    try {
      return this.#check(schema, value, undefined, run);
    } catch (error) {
      // The stack overflowed: a schema can be nested as deeply as a value, and the caller may have used most of the
      // stack.
      if (!(error instanceof RangeError)) throw error;
      this.#counts.clear();
      return fail(run, undefined, () => TOO_DEEP);
    }
  }

  #check(schema: unknown, value: unknown, at: Place | undefined, run: Run): number {
    if (schema === false) return fail(run, at, () => "is not allowed");
    if (!isJsonObject(schema)) return 0;
    const counts = entry(this.#counts, schema, () => new Map<unknown, number>());
    const known = counts.get(value);
    if (known === 0 || (known !== undefined && !run.issues)) return known;
    // `reported` identifies a place by the object at that place. Strings and numbers are not tracked, because nothing
    // is nested in them that could be reported twice.
    if (typeof value === "object" && value !== null) {
      const reported = entry(run.reported, schema, () => new Set());
      if (known !== undefined && reported.has(value)) return known;
      reported.add(value);
    }
    // If a schema refers to itself for the same value, the inner check adds no issues.
    counts.set(value, 0);
    const count = this.#evaluate(schema, value, at, run);
    counts.set(value, count);
    return count;
  }

  #evaluate(schema: JsonObject, value: unknown, at: Place | undefined, run: Run): number {
    if (depthOf(at) > MOST_LEVELS) return fail(run, at, () => TOO_DEEP);
    let count = 0;
    if (schema["$ref"] !== undefined) {
      const target = dereferenced(this.#root, { $ref: schema["$ref"] });
      if (target === undefined) {
        count += fail(
          run,
          at,
          () => `the schema's $ref ${JSON.stringify(schema["$ref"])} cannot be resolved`,
        );
      } else count += this.#check(target, value, at, run);
    }
    const types = listOf(schema["type"]);
    if (types.length > 0 && !types.some((type) => isOfType(type, value))) {
      return count + fail(run, at, () => `must be ${types.join(" or ")}, is ${typeName(value)}`);
    }
    if (Array.isArray(schema["enum"]) && !schema["enum"].some((one) => equal(one, value))) {
      count += fail(run, at, () => `must be one of ${JSON.stringify(schema["enum"])}`);
    }
    if ("const" in schema && !equal(schema["const"], value)) {
      count += fail(run, at, () => `must be ${JSON.stringify(schema["const"])}`);
    }
    count += this.#combined(schema, value, at, run);
    if (typeof value === "string") return count + checkString(schema, value, at, run);
    if (typeof value === "number") return count + checkNumber(schema, value, at, run);
    if (Array.isArray(value)) return count + this.#list(schema, value, at, run);
    return isJsonObject(value) ? count + this.#object(schema, value, at, run) : count;
  }

  #combined(schema: JsonObject, value: unknown, at: Place | undefined, run: Run): number {
    let count = 0;
    for (const all of listOf(schema["allOf"])) count += this.#check(all, value, at, run);
    for (const keyword of ["anyOf", "oneOf"]) {
      const options = listOf(schema[keyword]);
      if (options.length === 0) continue;
      const likely = candidates(options, value, this.#root);
      const [only] = likely;
      if (only === undefined) {
        count += fail(run, at, () => `matches none of the ${options.length} alternatives`);
      } else if (likely.length === 1) count += this.#check(only, value, at, run);
      else count += this.#likely(keyword, likely, value, at, run);
    }
    const { not } = schema;
    if (not !== undefined && this.#matches(not, value, at)) count += fail(run, at, () => "is excluded");
    return count;
  }

  #likely(
    keyword: string,
    likely: readonly unknown[],
    value: unknown,
    at: Place | undefined,
    run: Run,
  ): number {
    const { length } = likely.filter((option) => this.#matches(option, value, at));
    if (length === 0)
      return fail(run, at, () => `matches none of the ${likely.length} possible alternatives`);
    if (length === 1 || keyword === "anyOf") return 0;
    return fail(run, at, () => `matches ${length} alternatives instead of one`);
  }

  /** A separate check, because the issues of a single alternative are not reported. */
  #matches(schema: unknown, value: unknown, at: Place | undefined): boolean {
    return this.#check(schema, value, at, { reported: new Map() }) === 0;
  }

  #list(schema: JsonObject, value: readonly unknown[], at: Place | undefined, run: Run): number {
    let count = limits(schema, "Items", value.length, "items", at, run);
    if (schema["uniqueItems"] === true && new Set(value.map(canonical)).size < value.length) {
      count += fail(run, at, () => "must not contain duplicate items");
    }
    // Draft 07 writes a tuple as an array in `items`, 2020-12 in `prefixItems`.
    const tuple = Array.isArray(schema["items"]) ? listOf(schema["items"]) : listOf(schema["prefixItems"]);
    const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
    for (const [index, item] of value.entries()) {
      count += this.#check(index < tuple.length ? tuple[index] : rest, item, below(at, index), run);
    }
    return count;
  }

  #object(schema: JsonObject, value: JsonObject, at: Place | undefined, run: Run): number {
    let count = limits(schema, "Properties", Object.keys(value).length, "properties", at, run);
    const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
    for (const key of listOf(schema["required"])) {
      if (typeof key !== "string" || Object.hasOwn(value, key)) continue;
      count += fail(run, below(at, key), () => "is missing");
    }
    for (const [key, item] of Object.entries(value)) {
      if (Object.hasOwn(properties, key)) count += this.#check(properties[key], item, below(at, key), run);
      else if (schema["patternProperties"] === undefined) {
        count += this.#check(schema["additionalProperties"], item, below(at, key), run);
      }
    }
    return count;
  }
}

/** A shallow check. Returns false only if the value cannot match. */
function couldBe(alternative: unknown, value: unknown, root: unknown): boolean {
  const schema = dereferenced(root, alternative);
  if (!isJsonObject(schema)) return schema !== false;
  if (!isPlausible(schema, value)) return false;
  if (!isJsonObject(value)) return true;
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  return (
    listOf(schema["required"]).every((key) => Object.hasOwn(value, String(key))) &&
    Object.entries(properties).every(([key, property]) => {
      if (!Object.hasOwn(value, key)) return true;
      const inner = dereferenced(root, property);
      // Null may stand for an absent property: see stand-ins.ts.
      return value[key] === null || !isJsonObject(inner) || isPlausible(inner, value[key]);
    })
  );
}

/** Returns whether the type, `enum` and `const` allow the value. */
function isPlausible(schema: JsonObject, value: unknown): boolean {
  const types = listOf(schema["type"]);
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) return false;
  if (Array.isArray(schema["enum"]) && !schema["enum"].some((one) => equal(one, value))) return false;
  return !("const" in schema) || equal(schema["const"], value);
}

function checkString(schema: JsonObject, value: string, at: Place | undefined, run: Run): number {
  const { minLength, maxLength, pattern } = schema;
  let count = 0;
  // JSON Schema counts characters, not UTF-16 units. Counting is slow for a long text, so it is done only if there is a
  // limit.
  if (isNumber(minLength) || isNumber(maxLength)) {
    count += limits(schema, "Length", characters(value), "characters", at, run);
  }
  if (typeof pattern === "string" && regExp(pattern)?.test(value) === false) {
    count += fail(run, at, () => `must match ${pattern}`);
  }
  return count;
}

/** Counts in a loop, because an array of the characters of a long text would need many times its size. */
function characters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++, count++) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) at++;
  }
  return count;
}

function checkNumber(schema: JsonObject, value: number, at: Place | undefined, run: Run): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  let count = 0;
  if (isNumber(minimum) && value < minimum) count += fail(run, at, () => `must be at least ${minimum}`);
  if (isNumber(maximum) && value > maximum) count += fail(run, at, () => `must be at most ${maximum}`);
  if (isNumber(exclusiveMinimum) && value <= exclusiveMinimum) {
    count += fail(run, at, () => `must be more than ${exclusiveMinimum}`);
  }
  if (isNumber(exclusiveMaximum) && value >= exclusiveMaximum) {
    count += fail(run, at, () => `must be less than ${exclusiveMaximum}`);
  }
  if (isNumber(multipleOf) && !isWhole(value / multipleOf)) {
    count += fail(run, at, () => `must be a multiple of ${multipleOf}`);
  }
  return count;
}

function limits(
  schema: JsonObject,
  of: string,
  size: number,
  unit: string,
  at: Place | undefined,
  run: Run,
): number {
  const [min, max] = [schema[`min${of}`], schema[`max${of}`]];
  let count = 0;
  if (isNumber(min) && size < min) count += fail(run, at, () => `must have at least ${min} ${unit}`);
  if (isNumber(max) && size > max) count += fail(run, at, () => `must have at most ${max} ${unit}`);
  return count;
}

/** Patterns should be Unicode patterns, but many are not. A pattern that is valid in neither mode is ignored. */
function regExp(pattern: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Reports an issue. Returns 1, to add to the count. */
function fail({ issues }: Run, at: Place | undefined, message: () => string): 1 {
  issues?.push({ path: pathOf(at), message: message() });
  return 1;
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return type === typeName(value);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Allows for rounding: 0.3 / 0.1 is not exactly 3. */
function isWhole(quotient: number): boolean {
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
