import { InvalidArgumentError } from "../rpc/errors.ts";
import { checkJson } from "./check.ts";
import { isJsonObject, type JsonObject } from "../rpc/json.ts";
import { type Schema } from "./schema.ts";

/**
 * Makes a schema of a JSON Schema written by hand (draft 2020-12 or 07).
 *
 * `validate` gets the parsed value and returns it typed, or throws an error that says what is wrong. Without
 * it the value is checked by the keywords of JSON Schema that are in daily use: type, enum, const,
 * properties, required, additionalProperties, items, prefixItems, anyOf, oneOf, allOf, not, $ref into the
 * same document, and the limits of strings, numbers and lists. Others, such as `format`, are not looked at:
 * the type argument is your word then. A value that is nested deeper than 256 levels is refused.
 */
export function jsonSchema<T = unknown>(
  raw: Readonly<Record<string, unknown>>,
  validate?: (value: unknown) => T | Promise<T>,
): Schema<T> {
  if (!isJsonObject(raw))
    throw new InvalidArgumentError("jsonSchema() takes a JSON Schema that is an object");
  // A copy, so that what was checked when the call was made is what is sent.
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
