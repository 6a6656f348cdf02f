import { dereferenced } from "../../../src/schema/refs.ts";
import { canonical, isJsonObject, type JsonObject } from "../../../src/rpc/json.ts";
import type { StandardIssue } from "../../../src/schema/standard-schema.ts";

type Path = readonly (string | number)[];

/**
 * Checks values against a JSON Schema as defined, without a cache. The library's check is compared with this one. It
 * takes exponential time for recursive alternatives that overlap.
 */
export function checkJson(schema: unknown, value: unknown, root: unknown = schema): StandardIssue[] {
  const issues: StandardIssue[] = [];
  check(schema, value, [], { root, issues });
  return issues;
}

/** Returns whether a value matches a schema. */
function matches(schema: unknown, value: unknown, root: unknown): boolean {
  return checkJson(schema, value, root).length === 0;
}

/**
 * Returns the alternatives that a value could match by its type, its required properties and its constants. If all
 * alternatives were checked, every level of a recursive union would multiply the work by the number of alternatives,
 * and the issues could not name what is wrong with the value.
 */
function candidates(alternatives: readonly unknown[], value: unknown, root: unknown): unknown[] {
  return alternatives.filter((alternative) => couldBe(alternative, value, root));
}

interface Run {
  readonly root: unknown;
  readonly issues: StandardIssue[];
}

function check(schema: unknown, value: unknown, path: Path, run: Run): void {
  if (schema === false) fail(run, path, "is not allowed");
  if (!isJsonObject(schema)) return;
  if (schema["$ref"] !== undefined) {
    const target = dereferenced(run.root, { $ref: schema["$ref"] });
    if (target === undefined)
      fail(run, path, `the schema's $ref ${JSON.stringify(schema["$ref"])} cannot be resolved`);
    else check(target, value, path, run);
  }
  const types = listOf(schema["type"]);
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) {
    fail(run, path, `must be ${types.join(" or ")}, is ${typeName(value)}`);
    return;
  }
  if (Array.isArray(schema["enum"]) && !schema["enum"].some((one) => same(one, value))) {
    fail(run, path, `must be one of ${JSON.stringify(schema["enum"])}`);
  }
  if ("const" in schema && !same(schema["const"], value)) {
    fail(run, path, `must be ${JSON.stringify(schema["const"])}`);
  }
  checkCombined(schema, value, path, run);
  if (typeof value === "string") checkString(schema, value, path, run);
  else if (typeof value === "number") checkNumber(schema, value, path, run);
  else if (Array.isArray(value)) checkList(schema, value, path, run);
  else if (isJsonObject(value)) checkObject(schema, value, path, run);
}

function checkCombined(schema: JsonObject, value: unknown, path: Path, run: Run): void {
  for (const all of listOf(schema["allOf"])) check(all, value, path, run);
  for (const keyword of ["anyOf", "oneOf"]) {
    const options = listOf(schema[keyword]);
    if (options.length === 0) continue;
    const likely = candidates(options, value, run.root);
    const [only] = likely;
    if (only === undefined) fail(run, path, `matches none of the ${options.length} alternatives`);
    else if (likely.length === 1) check(only, value, path, run);
    else checkLikely(keyword, likely, value, path, run);
  }
  if (schema["not"] !== undefined && matches(schema["not"], value, run.root)) fail(run, path, "is excluded");
}

function checkLikely(
  keyword: string,
  likely: readonly unknown[],
  value: unknown,
  path: Path,
  run: Run,
): void {
  const matching = likely.filter((option) => matches(option, value, run.root)).length;
  if (matching === 0) fail(run, path, `matches none of the ${likely.length} possible alternatives`);
  if (matching > 1 && keyword === "oneOf") fail(run, path, `matches ${matching} alternatives instead of one`);
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
  if (Array.isArray(schema["enum"]) && !schema["enum"].some((one) => same(one, value))) return false;
  return !("const" in schema) || same(schema["const"], value);
}

function checkString(schema: JsonObject, value: string, path: Path, run: Run): void {
  const { minLength, maxLength, pattern } = schema;
  // JSON Schema counts characters, not UTF-16 units. Counting is slow for a long text, so it is done only if there is a
  // limit.
  if (isNumber(minLength) || isNumber(maxLength)) {
    limits(schema, "Length", Array.from(value).length, "characters", path, run);
  }
  if (typeof pattern === "string" && regExp(pattern)?.test(value) === false) {
    fail(run, path, `must match ${pattern}`);
  }
}

function checkNumber(schema: JsonObject, value: number, path: Path, run: Run): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (isNumber(minimum) && value < minimum) fail(run, path, `must be at least ${minimum}`);
  if (isNumber(maximum) && value > maximum) fail(run, path, `must be at most ${maximum}`);
  if (isNumber(exclusiveMinimum) && value <= exclusiveMinimum) {
    fail(run, path, `must be more than ${exclusiveMinimum}`);
  }
  if (isNumber(exclusiveMaximum) && value >= exclusiveMaximum) {
    fail(run, path, `must be less than ${exclusiveMaximum}`);
  }
  if (isNumber(multipleOf) && !isWhole(value / multipleOf))
    fail(run, path, `must be a multiple of ${multipleOf}`);
}

function checkList(schema: JsonObject, value: readonly unknown[], path: Path, run: Run): void {
  limits(schema, "Items", value.length, "items", path, run);
  if (schema["uniqueItems"] === true && new Set(value.map(canonical)).size < value.length) {
    fail(run, path, "must not contain duplicate items");
  }
  // Draft 07 writes a tuple as an array in `items`, 2020-12 in `prefixItems`.
  const tuple = Array.isArray(schema["items"]) ? listOf(schema["items"]) : listOf(schema["prefixItems"]);
  const rest = Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"];
  for (const [index, item] of value.entries()) {
    check(index < tuple.length ? tuple[index] : rest, item, [...path, index], run);
  }
}

function checkObject(schema: JsonObject, value: JsonObject, path: Path, run: Run): void {
  limits(schema, "Properties", Object.keys(value).length, "properties", path, run);
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  for (const key of listOf(schema["required"])) {
    if (typeof key === "string" && !Object.hasOwn(value, key)) fail(run, [...path, key], "is missing");
  }
  for (const [key, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) check(properties[key], item, [...path, key], run);
    else if (schema["patternProperties"] === undefined) {
      check(schema["additionalProperties"], item, [...path, key], run);
    }
  }
}

function limits(schema: JsonObject, of: string, size: number, unit: string, path: Path, run: Run): void {
  const [min, max] = [schema[`min${of}`], schema[`max${of}`]];
  if (isNumber(min) && size < min) fail(run, path, `must have at least ${min} ${unit}`);
  if (isNumber(max) && size > max) fail(run, path, `must have at most ${max} ${unit}`);
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

function fail({ issues }: Run, path: Path, message: string): void {
  issues.push({ path, message });
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return type === typeName(value);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function same(a: unknown, b: unknown): boolean {
  return a === b || canonical(a) === canonical(b);
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
