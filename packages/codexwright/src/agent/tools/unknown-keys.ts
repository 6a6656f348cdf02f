import { candidates } from "../../schema/check.ts";
import { MOST_LEVELS, TOO_DEEP } from "../../schema/place.ts";
import { dereferenced } from "../../schema/refs.ts";
import { isJsonObject, type JsonObject } from "../../rpc/json.ts";
import { step, type SchemaIssue } from "../../schema/schema.ts";

/**
 * Returns the paths of properties that a JSON Schema does not declare.
 *
 * Most schema libraries drop unknown properties. A model that sends an unknown property has misunderstood the tool and
 * needs an error message. An object accepts any property if its schema has `additionalProperties` or declares no
 * properties.
 */
export function unknownKeys(schema: JsonObject, value: unknown): SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  walk([schema], value, { at: "", depth: 0 }, schema, issues);
  return issues;
}

interface Place {
  readonly at: string;
  readonly depth: number;
}

function walk(
  schemas: readonly unknown[],
  value: unknown,
  { at, depth }: Place,
  root: JsonObject,
  issues: SchemaIssue[],
): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > MOST_LEVELS) return void issues.push({ path: at, message: TOO_DEEP });
  const found = new Set<JsonObject>();
  for (const schema of schemas) flatten(schema, value, root, found);
  const parts = [...found];
  const inner = (key: string | number): Place => ({ at: step(at, key), depth: depth + 1 });
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      walk(
        parts.map((part) => itemSchema(part, index)),
        item,
        inner(index),
        root,
        issues,
      );
    }
    return;
  }
  const declaring = parts.filter((part) => isJsonObject(part["properties"]));
  const open =
    declaring.length === 0 ||
    parts.some((part) => (part["additionalProperties"] ?? false) !== false || "patternProperties" in part);
  for (const [key, item] of Object.entries(value)) {
    const declared = declaring.flatMap((part) => {
      const properties = part["properties"] as JsonObject;
      return Object.hasOwn(properties, key) ? [properties[key]] : [];
    });
    if (declared.length === 0 && !open)
      issues.push({ path: at, message: `Unrecognized key: ${JSON.stringify(key)}` });
    walk(declared, item, inner(key), root, issues);
  }
}

/**
 * Adds a schema with its references resolved and its combinations flattened. If the schema has alternatives, adds only
 * the alternatives that the value could match. Each schema is added only once, because overlapping alternatives would
 * double the number of schemas at every level.
 */
function flatten(schema: unknown, value: unknown, root: JsonObject, found: Set<JsonObject>): void {
  const followed = dereferenced(root, schema);
  if (!isJsonObject(followed) || found.has(followed)) return;
  found.add(followed);
  const { allOf, anyOf = followed["oneOf"] } = followed;
  if (Array.isArray(allOf)) for (const part of allOf) flatten(part, value, root, found);
  if (!Array.isArray(anyOf)) return;
  for (const part of candidates(anyOf, value, root)) flatten(part, value, root, found);
}

function itemSchema(part: JsonObject, index: number): unknown {
  const { prefixItems, items } = part;
  return Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items;
}
