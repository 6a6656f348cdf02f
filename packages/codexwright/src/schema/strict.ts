import { InvalidArgumentError } from "../rpc/errors.ts";
import { matches } from "./check.ts";
import { dereferenced, withoutRootRef } from "./refs.ts";
import { isJsonObject, type JsonObject } from "../rpc/json.ts";
import { step } from "./schema.ts";

/** Kept as they are, because strict outputs know them. */
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
 * Told to the model in the description instead, because the API refuses them: validation checks them. Every other
 * keyword is left out without a word.
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

/** What widening cannot replace, and what to do instead. */
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

/** Keywords that say what a value is; the others only say which of those values are good. */
const SHAPES = ["type", "enum", "const", "properties", "items", "anyOf", "oneOf", "allOf", "$ref"];

/**
 * Rewrites a JSON Schema into the subset of OpenAI's strict structured outputs.
 *
 * Objects are closed and all their properties required; what was optional takes null instead. Throws
 * `invalid_argument` with every place whose shape the subset does not have: a root that is no object, records
 * and other open objects, tuples, values of any type, intersections, `not`, conditions.
 */
export function toStrict(original: JsonObject): JsonObject {
  const strict = new StrictSchema(original);
  if (strict.problems.length === 0) return strict.schema;
  throw new InvalidArgumentError(
    `output has no strict form that a model could be held to:\n${strict.problems.join("\n")}`,
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
    if (!isJsonObject(schema)) return this.#refuse(at, "a value of any type is not supported: say which");
    for (const [keyword, why] of Object.entries(REFUSED)) if (keyword in schema) this.#refuse(at, why);
    if (Array.isArray(schema["allOf"])) return this.#allOf(schema, schema["allOf"], at);
    if (schema["$ref"] !== undefined) return this.#reference(schema, at);
    const union = schema["anyOf"] ?? schema["oneOf"];
    if (Array.isArray(union)) return this.#union(schema, union, at);
    const types = typesOf(schema);
    if (types.length === 0 || !types.every((type) => TYPES.has(type))) {
      return this.#refuse(at, "a value of any type is not supported: say which");
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
        "an object with other properties than the declared ones (a record) is not supported: declare them, or use a list of objects with a key and a value",
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
    if ("prefixItems" in schema) return {}; // refused already
    if (Array.isArray(schema["items"])) return this.#refuse(at, TUPLE);
    return this.#convert(schema["items"], `${at}[]`);
  }

  /** `oneOf` becomes `anyOf`: whether a value matches one alternative only is left to the validation. */
  #union(schema: JsonObject, alternatives: readonly unknown[], at: string): JsonObject {
    if (["properties", "items", "enum", "const"].some((keyword) => keyword in schema)) {
      this.#refuse(at, "a union beside other keywords is not supported: move them into its alternatives");
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
      return this.#refuse(at, `the reference ${JSON.stringify($ref)} leads nowhere`);
    }
    const annotations = constraints(schema);
    // The API refuses a reference with anything beside it.
    return Object.keys(annotations).length === 0 ? { $ref } : { anyOf: [{ $ref }], ...annotations };
  }

  /** Supported where it is no intersection: one shape, and for the rest constraints. */
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

/** Schemas of constants often leave the type to their values, which the API does not accept. */
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

/** The description with what cannot be said otherwise, `pattern` and `format` where they can. */
function constraints(schema: JsonObject): JsonObject {
  const { pattern, format, description } = schema;
  const told = Object.entries(pick(schema, TOLD)).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const kept: JsonObject = {};
  // The API knows no lookaround.
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
