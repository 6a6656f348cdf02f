import { InvalidArgumentError } from "../rpc/errors.ts";
import { matches } from "./check.ts";
import { dereferenced, withoutRootRef } from "./refs.ts";
import { isJsonObject, type JsonObject } from "../rpc/json.ts";
import { step } from "./schema.ts";

/** Keywords that are kept, because strict outputs support them. */
const KEPT = [
  "title",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
];

/**
 * Keywords that the API rejects. They are added to the description that the model reads, and validation checks them.
 * Keywords that this file does not name are dropped.
 */
const TOLD = ["minLength", "maxLength", "minProperties", "maxProperties", "uniqueItems", "default"];

const FORMATS: ReadonlySet<unknown> = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);

const TUPLE = "a tuple is not supported: use an object, or a list of one type";

/**
 * Keywords that have no equivalent in strict outputs. Each has an error message that names the fix, if there is one.
 */
const REFUSED: Readonly<Record<string, string>> = {
  not: "`not` is not supported",
  if: "`if` is not supported: use a union",
  patternProperties: "`patternProperties` is not supported: use a list of objects with a key and a value",
  dependentRequired: "`dependentRequired` is not supported: use a union",
  dependentSchemas: "`dependentSchemas` is not supported: use a union",
  dependencies: "`dependencies` is not supported: use a union",
  $dynamicRef: "`$dynamicRef` is not supported: use $ref",
  prefixItems: TUPLE,
};

const TYPES: ReadonlySet<unknown> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "object",
  "array",
]);

/** Keywords that define the shape of a value. The others only constrain it. */
const SHAPES = ["type", "enum", "const", "properties", "items", "anyOf", "oneOf", "allOf", "$ref"];

/**
 * Converts a JSON Schema to the subset of OpenAI's strict structured outputs.
 *
 * Objects are closed and all their properties are required. Optional properties accept null instead. Throws
 * `invalid_argument` with a list of every place that the subset does not support. Not supported are: a root that is not
 * an object, records and other open objects, tuples, values of any type, intersections, `not` and conditions.
 */
export function toStrict(original: JsonObject): JsonObject {
  const strict = new StrictSchema(original);
  if (strict.problems.length === 0) return strict.schema;
  throw new InvalidArgumentError(
    `output cannot be converted to a strict schema:\n${strict.problems.join("\n")}`,
  );
}

class StrictSchema {
  readonly problems: string[] = [];
  readonly schema: JsonObject;
  readonly #original: JsonObject;

  constructor(original: JsonObject) {
    this.#original = original;
    this.schema = this.#convert(withoutRootRef(original), "output");
    if (this.schema["type"] !== "object")
      this.#refuse("output", "the root must be an object: wrap it in one");
    for (const name of ["$defs", "definitions"]) {
      const definitions = original[name];
      if (!isJsonObject(definitions)) continue;
      this.schema[name] = mapValues(definitions, (value, key) => this.#convert(value, `${name}.${key}`));
    }
  }

  #convert(schema: unknown, at: string): JsonObject {
    if (!isJsonObject(schema))
      return this.#refuse(at, "a value of any type is not supported: specify the type");
    for (const [keyword, why] of Object.entries(REFUSED)) if (keyword in schema) this.#refuse(at, why);
    if (Array.isArray(schema["allOf"])) return this.#allOf(schema, schema["allOf"], at);
    if (schema["$ref"] !== undefined) return this.#reference(schema, at);
    const union = schema["anyOf"] ?? schema["oneOf"];
    if (Array.isArray(union)) return this.#union(schema, union, at);
    const types = typesOf(schema);
    if (types.length === 0 || !types.every((type) => TYPES.has(type))) {
      return this.#refuse(at, "a value of any type is not supported: specify the type");
    }
    return {
      type: types.length === 1 ? types[0] : types,
      ...pick(schema, ["enum", "const", ...KEPT]),
      ...constraints(schema),
      ...(types.includes("array") && { items: this.#items(schema, at) }),
      ...(types.includes("object") && this.#object(schema, at)),
    };
  }

  #object(schema: JsonObject, at: string): JsonObject {
    const { properties, additionalProperties = false } = schema;
    if (additionalProperties !== false || !isJsonObject(properties)) {
      return this.#refuse(
        at,
        "an object with undeclared properties (a record) is not supported: declare them, or use a list of objects with a key and a value",
      );
    }
    const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
    return {
      properties: mapValues(properties, (property, key) => {
        const strict = this.#convert(property, step(at, key));
        return required.has(key) || matches(property, null, this.#original) ? strict : orNull(strict);
      }),
      required: Object.keys(properties),
      additionalProperties: false,
    };
  }

  #items(schema: JsonObject, at: string): JsonObject {
    if ("prefixItems" in schema) return {}; // already rejected
    if (Array.isArray(schema["items"])) return this.#refuse(at, TUPLE);
    return this.#convert(schema["items"], `${at}[]`);
  }

  /** `oneOf` becomes `anyOf`. Validation checks that exactly one alternative matches. */
  #union(schema: JsonObject, alternatives: readonly unknown[], at: string): JsonObject {
    if (["properties", "items", "enum", "const"].some((keyword) => keyword in schema)) {
      this.#refuse(
        at,
        "a union with other keywords next to it is not supported: move them into its alternatives",
      );
    }
    const anyOf = alternatives.map((alternative, index) => this.#convert(alternative, `${at}<${index}>`));
    return { anyOf, ...pick(schema, ["title"]), ...constraints(schema) };
  }

  #reference(schema: JsonObject, at: string): JsonObject {
    const { $ref } = schema;
    if (typeof $ref !== "string" || !/^#(?:\/(?:\$defs|definitions)\/[^/]+)?$/.test($ref)) {
      return this.#refuse(at, `the reference ${JSON.stringify($ref)} is not supported: use one into $defs`);
    }
    if (dereferenced(this.#original, schema) === undefined) {
      return this.#refuse(at, `the reference ${JSON.stringify($ref)} cannot be resolved`);
    }
    const annotations = constraints(schema);
    // The API rejects a reference with other keywords next to it.
    return Object.keys(annotations).length === 0 ? { $ref } : { anyOf: [{ $ref }], ...annotations };
  }

  /**
   * `allOf` is supported if only one part defines a shape and the others only constrain it. Otherwise it is an
   * intersection, which is not supported.
   */
  #allOf(schema: JsonObject, parts: readonly unknown[], at: string): JsonObject {
    const { allOf: _, ...own } = schema;
    const all = [own, ...parts.filter(isJsonObject)];
    const [shape, ...others] = all.filter((part) => SHAPES.some((keyword) => keyword in part));
    if (!shape || others.length > 0) {
      return this.#refuse(at, "an intersection (`allOf`) is not supported: declare one object");
    }
    const patterns = all.flatMap((part) => (typeof part["pattern"] === "string" ? [part["pattern"]] : []));
    const { pattern: __, ...merged } = Object.assign(
      {},
      ...all.filter((part) => part !== shape),
      shape,
    ) as JsonObject;
    const told =
      patterns.length > 1 ? patterns.map((pattern) => `pattern: ${pattern}`).join(", ") : undefined;
    return this.#convert(
      {
        ...merged,
        ...(patterns.length === 1 && { pattern: patterns[0] }),
        ...(told !== undefined && { description: described(merged["description"], told) }),
      },
      at,
    );
  }

  #refuse(at: string, why: string): JsonObject {
    this.problems.push(`${at}: ${why}`);
    return {};
  }
}

/** Schemas of constants often omit the type, but the API requires it. */
function typesOf(schema: JsonObject): unknown[] {
  const { type } = schema;
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  if ("const" in schema) return [typeOf(schema["const"])];
  if (Array.isArray(schema["enum"])) return [...new Set(schema["enum"].map(typeOf))];
  if ("properties" in schema) return ["object"];
  return "items" in schema ? ["array"] : [];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Returns `pattern` and `format` if the API supports them. Adds all other constraints to the description. */
function constraints(schema: JsonObject): JsonObject {
  const { pattern, format, description } = schema;
  const told = Object.entries(pick(schema, TOLD)).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const kept: JsonObject = {};
  // The API does not support lookaround.
  if (typeof pattern === "string") {
    if (/\(\?<?[=!]/.test(pattern)) told.push(`pattern: ${pattern}`);
    else kept["pattern"] = pattern;
  }
  if (FORMATS.has(format)) kept["format"] = format;
  else if (typeof format === "string") told.push(`format: ${format}`);
  const text = described(description, told.join(", "));
  return text === "" ? kept : { ...kept, description: text };
}

function described(description: unknown, told: string): string {
  const text = typeof description === "string" ? description : "";
  return told === "" ? text : `${text === "" ? "" : `${text} `}(${told})`;
}

function orNull(schema: JsonObject): JsonObject {
  const { type, anyOf, description } = schema;
  const plain = typeof type === "string" && type !== "object" && !("enum" in schema) && !("const" in schema);
  if (plain) return { ...schema, type: [type, "null"] };
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...(anyOf as unknown[]), { type: "null" }] };
  const { description: _, ...rest } = schema;
  return { anyOf: [rest, { type: "null" }], ...(description !== undefined && { description }) };
}

function pick(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]));
}

function mapValues(object: JsonObject, map: (value: unknown, key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}
