import { strictOutput, type Readings, type StrictOutput } from "../../schema/output.ts";
import { withoutRootRef } from "../../schema/refs.ts";
import { isJsonObject, type JsonObject } from "../../rpc/json.ts";
import { inputJsonSchema, type InferOutput, type Schema } from "../../schema/schema.ts";
import type { StandardResult } from "../../schema/standard-schema.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";

/**
 * Prepares the `output` schema of a prompt for a turn.
 *
 * Strict outputs must be objects. So the schema of an array is wrapped as `{ items: […] }`, and that of any other value
 * as `{ value: … }`; the answer is unwrapped again. A server that does not enforce the schema may also return the bare
 * array or value.
 */
export function promptOutput<S extends Schema>(schema: S): StrictOutput<InferOutput<S>> {
  const { $schema: _, ...json } = withoutRootRef(inputJsonSchema("output", schema));
  if (json["type"] === "object") return strictOutput(schema);
  const key = json["type"] === "array" ? "items" : "value";
  return strictOutput(wrapped(schema, key, wrappedJson(key, json)), readingsBy(key));
}

/**
 * Tries the wrapped form first, then the bare value: an object that has the wrapper's key may still be the bare value.
 */
function readingsBy(key: string): Readings {
  return (value) => {
    const bare = { [key]: value };
    return isJsonObject(value) && Object.hasOwn(value, key) ? [value, bare] : [bare];
  };
}

function wrapped<S extends Schema>(
  schema: S,
  key: string,
  json: JsonObject,
): Schema<unknown, InferOutput<S>> {
  const toJson = (): JsonObject => json;
  return {
    "~standard": {
      version: 1,
      vendor: "codexwright",
      jsonSchema: { input: toJson, output: toJson },
      validate: async (value): Promise<StandardResult<InferOutput<S>>> => {
        const result = await schema["~standard"].validate((value as JsonObject)[key]);
        if (!result.issues) return result;
        return { issues: result.issues.map((issue) => ({ ...issue, path: [key, ...(issue.path ?? [])] })) };
      },
    },
  };
}

function wrappedJson(key: string, { $defs, definitions, ...inner }: JsonObject): JsonObject {
  if (JSON.stringify({ inner, $defs, definitions }).includes('"$ref":"#"')) {
    throw new InvalidArgumentError(
      "output refers to its own root, which is not an object: wrap it in an object",
    );
  }
  return {
    type: "object",
    properties: { [key]: inner },
    required: [key],
    additionalProperties: false,
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}
