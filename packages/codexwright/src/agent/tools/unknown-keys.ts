import { candidates } from "../../client/schema/check.ts";
import { dereferenced } from "../../client/schema/refs.ts";
import { isJsonObject, type JsonObject } from "../../rpc/json.ts";
import { step, type SchemaIssue } from "../../client/schema/schema.ts";

/**
 * Properties that a JSON Schema does not declare, by their paths.
 *
 * Most libraries drop what they do not know. A model that sends it misunderstood the tool and should hear so. An object
 * is open where its schema says `additionalProperties`, or declares no properties at all.
 */
export function unknownKeys(schema: JsonObject, value: unknown): SchemaIssue[] {
  const issues: SchemaIssue[] = [];
  walk([schema], value, "", schema, issues);
  return issues;
}

function walk(
  schemas: readonly unknown[],
  value: unknown,
  at: string,
  root: JsonObject,
  issues: SchemaIssue[],
): void {
  const parts = schemas.flatMap((schema) => flattened(schema, value, root, 0));
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      walk(
        parts.map((part) => itemSchema(part, index)),
        item,
        step(at, index),
        root,
        issues,
      );
    }
    return;
  }
  if (!isJsonObject(value)) return;
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
    walk(declared, item, step(at, key), root, issues);
  }
}

/** Alternatives nest as deep as somebody writes them, and no deeper. */
const DEEPEST = 20;

/** A schema with its references followed and its combinations taken apart; of alternatives, those the value could be. */
function flattened(schema: unknown, value: unknown, root: JsonObject, depth: number): JsonObject[] {
  const followed = dereferenced(root, schema);
  if (!isJsonObject(followed) || depth > DEEPEST) return [];
  const { allOf, anyOf = followed["oneOf"] } = followed;
  const combined = [
    ...(Array.isArray(allOf) ? allOf : []),
    ...(Array.isArray(anyOf) ? candidates(anyOf, value, root) : []),
  ];
  return [followed, ...combined.flatMap((part) => flattened(part, value, root, depth + 1))];
}

function itemSchema(part: JsonObject, index: number): unknown {
  const { prefixItems, items } = part;
  return Array.isArray(prefixItems) && index < prefixItems.length ? prefixItems[index] : items;
}
