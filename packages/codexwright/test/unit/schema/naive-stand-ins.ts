import { candidates } from "../../../src/schema/check.ts";
import { checkJson } from "./naive-check.ts";
import { dereferenced } from "../../../src/schema/refs.ts";
import { isJsonObject, type JsonObject } from "../../../src/rpc/json.ts";

/**
 * Removes the nulls that stand for absent properties, without a cache. Tests compare the library's removal with this
 * one. A strict schema requires every property, so the model writes null for an absent optional one. The original
 * schema would reject that null. A null stays if the original schema accepts it.
 */
export function withoutStandInNulls(original: JsonObject, value: unknown): unknown {
  return prune(original, value, original);
}

function prune(schema: unknown, value: unknown, root: JsonObject): unknown {
  if (!isJsonObject(schema)) return value;
  if (schema["$ref"] !== undefined) return prune(dereferenced(root, schema), value, root);
  const { allOf, anyOf = schema["oneOf"], properties, items } = schema;
  let result = value;
  if (Array.isArray(allOf)) for (const all of allOf) result = prune(all, result, root);
  if (Array.isArray(anyOf)) result = closest(anyOf, result, root);
  if (isJsonObject(properties) && isJsonObject(result))
    result = pruneObject(schema, properties, result, root);
  if (Array.isArray(result)) return result.map((item) => prune(items, item, root));
  return result;
}

function pruneObject(
  schema: JsonObject,
  properties: JsonObject,
  value: JsonObject,
  root: JsonObject,
): JsonObject {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const kept = Object.entries(value).filter(
    ([key, item]) =>
      item !== null ||
      required.has(key) ||
      !Object.hasOwn(properties, key) ||
      checkJson(properties[key], null, root).length === 0,
  );
  return Object.fromEntries(
    kept.map(([key, item]) => [
      key,
      Object.hasOwn(properties, key) ? prune(properties[key], item, root) : item,
    ]),
  );
}

/**
 * Returns the value, pruned by the alternative with the fewest issues. A value that no alternative accepts is pruned
 * too, so that its placeholder nulls are not reported along with the real issues.
 */
function closest(alternatives: readonly unknown[], value: unknown, root: JsonObject): unknown {
  const likely = candidates(alternatives, value, root);
  if (likely.length === 1) return prune(likely[0], value, root);
  let best = value;
  let fewest = Infinity;
  for (const alternative of likely) {
    const pruned = prune(alternative, value, root);
    const issues = checkJson(alternative, pruned, root).length;
    if (issues >= fewest) continue;
    best = pruned;
    fewest = issues;
  }
  return best;
}
