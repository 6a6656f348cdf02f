import { InvalidArgumentError } from "../rpc/errors.ts";
import { checkJson } from "./check.ts";
import { isJsonObject, type JsonObject } from "../rpc/json.ts";
import { type Schema } from "./schema.ts";

/**
 * Creates a schema from a JSON Schema (draft 2020-12 or 07).
 *
 * `validate` receives the parsed value and returns it typed, or throws an error that describes the problem. If
 * `validate` is omitted, the value is checked against the common keywords: type, enum, const, properties, required,
 * additionalProperties, items, prefixItems, anyOf, oneOf, allOf, not, $ref into the same document, and the limits of
 * strings, numbers and arrays. Other keywords, such as `format`, are ignored. Nothing verifies in this case that the
 * type argument matches the schema. A value that is nested deeper than 256 levels is rejected.
 */
export function jsonSchema<T = unknown>(
  raw: Readonly<Record<string, unknown>>,
  validate?: (value: unknown) => T | Promise<T>,
): Schema<T> {
  if (!isJsonObject(raw)) throw new InvalidArgumentError("the JSON Schema of jsonSchema() must be an object");
  // Cloned, so that later changes by the caller have no effect.
  const schema = structuredClone(raw) as JsonObject;
  const toJson = (): JsonObject => structuredClone(schema);
  return {
    "~standard": {
      version: 1,
      vendor: "codexwright",
      jsonSchema: { input: toJson, output: toJson },
      validate: validate
        ? (value) => {
            const valid = validate(value);
            return valid instanceof Promise ? valid.then((late) => ({ value: late })) : { value: valid };
          }
        : (value) => {
            const issues = checkJson(schema, value);
            return issues.length > 0 ? { issues } : { value: value as T };
          },
    },
  };
}
