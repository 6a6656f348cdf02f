import { candidates, Checker } from "./check.ts";
import { MOST_LEVELS } from "./place.ts";
import { dereferenced } from "./refs.ts";
import { isJsonObject, type JsonObject } from "../rpc/json.ts";

/**
 * Removes the nulls that stand for absent properties. A strict schema requires every property, so the model writes null
 * for an optional property that it leaves out. The original schema would reject that null. If the original schema
 * accepts null, the null stays. Values that are nested too deeply stay unchanged; the check that follows rejects them.
 */
export function withoutStandInNulls(original: JsonObject, value: unknown): unknown {
  try {
    return new Pruner(original).prune(original, value, 0);
  } catch (error) {
    if (error instanceof RangeError) return value;
    throw error;
  }
}

/** Processes each pair of a schema and a value only once, for the same reason as {@link Checker}. */
class Pruner {
  readonly #root: JsonObject;
  readonly #checker: Checker;
  readonly #pruned = new Map<JsonObject, Map<unknown, unknown>>();

  constructor(root: JsonObject) {
    this.#root = root;
    this.#checker = new Checker(root);
  }

  prune(schema: unknown, value: unknown, depth: number): unknown {
    // Strings and numbers contain no nulls.
    if (!isJsonObject(schema) || typeof value !== "object" || value === null) return value;
    if (depth > MOST_LEVELS) return value;
    let pruned = this.#pruned.get(schema);
    if (!pruned) this.#pruned.set(schema, (pruned = new Map()));
    if (pruned.has(value)) return pruned.get(value);
    // If a schema refers to itself for the same value, the inner pass removes nothing.
    pruned.set(value, value);
    const result = this.#pruneBy(schema, value, depth);
    pruned.set(value, result);
    // There are no nulls left to remove.
    pruned.set(result, result);
    return result;
  }

  #pruneBy(schema: JsonObject, value: unknown, depth: number): unknown {
    if (schema["$ref"] !== undefined) return this.prune(dereferenced(this.#root, schema), value, depth);
    const { allOf, anyOf = schema["oneOf"], properties, items } = schema;
    let result = value;
    if (Array.isArray(allOf)) for (const all of allOf) result = this.prune(all, result, depth);
    if (Array.isArray(anyOf)) result = this.#closest(anyOf, result, depth);
    if (isJsonObject(properties) && isJsonObject(result)) {
      result = this.#pruneObject(schema, properties, result, depth);
    }
    if (!Array.isArray(result)) return result;
    const pruned = result.map((item) => this.prune(items, item, depth + 1));
    return pruned.every((item, index) => item === (result as unknown[])[index]) ? result : pruned;
  }

  #pruneObject(schema: JsonObject, properties: JsonObject, value: JsonObject, depth: number): JsonObject {
    const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
    const entries = Object.entries(value);
    const kept = entries.filter(
      ([key, item]) =>
        item !== null ||
        required.has(key) ||
        !Object.hasOwn(properties, key) ||
        this.#checker.count(properties[key], null) === 0,
    );
    const pruned = kept.map(([key, item]): [string, unknown] => [
      key,
      Object.hasOwn(properties, key) ? this.prune(properties[key], item, depth + 1) : item,
    ]);
    const isSame = kept.length === entries.length && pruned.every(([, item], at) => item === kept[at]?.[1]);
    return isSame ? value : Object.fromEntries(pruned);
  }

  /**
   * Removes the stand-in nulls of a value according to the alternative with the fewest issues, and returns the result.
   * This is done even if no alternative accepts the value. Otherwise the stand-in nulls would be reported along with
   * the real issues.
   */
  #closest(alternatives: readonly unknown[], value: unknown, depth: number): unknown {
    const likely = candidates(alternatives, value, this.#root);
    if (likely.length === 1) return this.prune(likely[0], value, depth);
    let best = value;
    let fewest = Infinity;
    for (const alternative of likely) {
      const pruned = this.prune(alternative, value, depth);
      const issues = this.#checker.count(alternative, pruned);
      if (issues >= fewest) continue;
      best = pruned;
      fewest = issues;
    }
    return best;
  }
}
