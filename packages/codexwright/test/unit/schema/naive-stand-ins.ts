import { candidates } from "../../../src/schema/check.ts";
import { checkJson } from "./naive-check.ts";
import { dereferenced } from "../../../src/schema/refs.ts";
import { isJsonObject, type JsonObject } from "../../../src/rpc/json.ts";

/**
 * What the library's way to take out stand-ins is compared with: the same without a memory. It takes out the nulls that stand for absent properties: a strict schema requires every property, so the model
 * writes null for an optional one, which the schema it came from would refuse. Null stays where the
 * original schema takes it.
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
 * The value as the alternative sees it that has least against it. One that is invalid in all of them should still
 * lose its stand-ins, or they would be reported along with what is really wrong.
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
