import { jsonSchema } from "codexwright";
import { expect } from "vitest";
import { validate } from "../../../src/schema/schema.ts";
import { verifies } from "@codexwright/test-support/verifies";

/** Returns the issues of a value as `path message`. */
async function wrong(raw: Record<string, unknown>, value: unknown): Promise<string[]> {
  const result = await validate(jsonSchema(raw), value);
  return result.ok ? [] : result.issues.map(({ path, message }) => `${path} ${message}`.trim());
}

verifies("tools.schemas", "jsonSchema() validates with the given validator", async () => {
  const schema = jsonSchema({ type: "object" }, async (value) => {
    await Promise.resolve();
    if (typeof (value as { id?: unknown }).id !== "string") throw new TypeError("id must be a string");
    return value as { id: string };
  });
  expect(await validate(schema, { id: "a" })).toEqual({ ok: true, value: { id: "a" } });
  expect(await validate(schema, {})).toEqual({
    ok: false,
    issues: [{ path: "", message: "id must be a string" }],
  });
});

verifies(
  "tools.arguments",
  "without a validator, jsonSchema() checks types, properties and items",
  async () => {
    const raw = {
      type: "object",
      properties: { name: { type: "string" }, list: { type: "array", items: { type: "integer" } } },
      required: ["name"],
      additionalProperties: false,
    };
    expect(await wrong(raw, { name: "a", list: [1, 2.0] })).toEqual([]);
    expect(await wrong(raw, { list: [1, 2.5, "x"], more: 1 })).toEqual([
      "name is missing",
      "list[1] must be integer, is number",
      "list[2] must be integer, is string",
      "more is not allowed",
    ]);
    expect(await wrong(raw, [])).toEqual(["must be object, is array"]);
    expect(await wrong(raw, null)).toEqual(["must be object, is null"]);
  },
);

verifies("tools.arguments", "checks limits, constants and alternatives", async () => {
  expect(await wrong({ type: "string", minLength: 2 }, "😀")).toEqual(["must have at least 2 characters"]);
  expect(await wrong({ maxLength: 1, pattern: "^b" }, "aa")).toEqual([
    "must have at most 1 characters",
    "must match ^b",
  ]);
  expect(await wrong({ pattern: "^\\_a" }, "_a")).toEqual([]);
  expect(await wrong({ pattern: "(" }, "a")).toEqual([]);
  expect(await wrong({ minimum: 2, multipleOf: 0.1 }, 1.3)).toEqual(["must be at least 2"]);
  expect(await wrong({ exclusiveMinimum: 1, exclusiveMaximum: 1, maximum: 0 }, 1)).toHaveLength(3);
  expect(await wrong({ multipleOf: 2 }, 3)).toEqual(["must be a multiple of 2"]);
  expect(await wrong({ enum: ["a", { b: 1, c: 2 }] }, { c: 2, b: 1 })).toEqual([]);
  expect(await wrong({ enum: ["a"] }, "b")).toEqual(['must be one of ["a"]']);
  expect(await wrong({ const: null }, 0)).toEqual(["must be null"]);
  expect(await wrong({ minItems: 1 }, [])).toEqual(["must have at least 1 items"]);
  expect(await wrong({ uniqueItems: true }, [{ a: 1 }, { a: 1 }])).toEqual([
    "must not contain duplicate items",
  ]);
  expect(await wrong({ minProperties: 1 }, {})).toEqual(["must have at least 1 properties"]);
  expect(await wrong({ anyOf: [{ type: "string" }, { type: "null" }] }, 1)).toEqual([
    "matches none of the 2 alternatives",
  ]);
  expect(await wrong({ oneOf: [{ type: "number" }, { type: "integer" }] }, 1)).toEqual([
    "matches 2 alternatives instead of one",
  ]);
  expect(await wrong({ allOf: [{ minLength: 3 }, { maxLength: 1 }] }, "ab")).toHaveLength(2);
  expect(await wrong({ not: { type: "string" } }, "a")).toEqual(["is excluded"]);
  expect(await wrong({ type: ["string", "null"] }, 1)).toEqual(["must be string or null, is number"]);
});

verifies("tools.arguments", "reports the issues of the only possible alternative", async () => {
  const kind = (name: string, more: object) => ({
    type: "object",
    properties: { kind: { const: name }, ...more },
    required: ["kind"],
  });
  const raw = { anyOf: [kind("a", { size: { type: "number" } }), kind("b", { size: { type: "string" } })] };
  expect(await wrong(raw, { kind: "b", size: "big" })).toEqual([]);
  expect(
    await wrong({ ...raw, anyOf: [...raw.anyOf, { type: "array", items: { type: "null" } }] }, [1]),
  ).toEqual(["[0] must be null, is number"]);
  const nested = { anyOf: [kind("a", { in: kind("x", {}) }), kind("b", { in: kind("y", {}) })] };
  expect(await wrong(nested, { kind: "b", in: { kind: "z" } })).toEqual(['in.kind must be "y"']);
  expect(await wrong(raw, { kind: "c" })).toEqual(["matches none of the 2 alternatives"]);
  const alike = {
    anyOf: [
      { type: "string", minLength: 3 },
      { type: "string", pattern: "^b" },
    ],
  };
  expect(await wrong(alike, "a")).toEqual(["matches none of the 2 possible alternatives"]);
  expect(await wrong(alike, "b")).toEqual([]);
});

verifies("tools.arguments", "checks a deep tree with many alternatives in one pass", async () => {
  const kinds = Array.from({ length: 20 }, (_, index) => ({
    type: "object",
    properties: {
      kind: { const: `k${index}` },
      left: { $ref: "#/$defs/node" },
      right: { $ref: "#/$defs/node" },
    },
    required: ["kind"],
  }));
  let tree: object = { kind: "k0" };
  for (let depth = 0; depth < 40; depth++)
    tree = { kind: `k${depth % 20}`, left: tree, right: { kind: "k1" } };
  expect(await wrong({ $ref: "#/$defs/node", $defs: { node: { anyOf: kinds } } }, tree)).toEqual([]);
});

verifies("tools.arguments", "follows references and supports both spellings of a tuple", async () => {
  const list = { $defs: { "a/b": { type: "object", properties: { next: { $ref: "#/$defs/a~1b" } } } } };
  expect(await wrong({ ...list, $ref: "#/$defs/a~1b" }, { next: { next: 1 } })).toEqual([
    "next.next must be object, is number",
  ]);
  expect(await wrong({ $ref: "#/$defs/lost" }, 1)).toEqual([
    'the schema\'s $ref "#/$defs/lost" cannot be resolved',
  ]);
  expect(await wrong({ $ref: "#" }, 1)).toHaveLength(1);
  expect(await wrong({ prefixItems: [{ type: "string" }], items: false }, ["a", 1])).toEqual([
    "[1] is not allowed",
  ]);
  expect(await wrong({ items: [{ type: "string" }], additionalItems: { type: "null" } }, [1, 2])).toEqual([
    "[0] must be string, is number",
    "[1] must be null, is number",
  ]);
  expect(await wrong({ additionalProperties: { type: "number" } }, { a: 1, b: "x" })).toEqual([
    "b must be number, is string",
  ]);
});

verifies("tools.schemas", "later changes to the given schema have no effect", () => {
  const raw = { type: "object", properties: { a: { type: "string" } } };
  const schema = jsonSchema(raw);
  raw.properties.a.type = "number";
  const sent = schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  expect(sent).toEqual({ type: "object", properties: { a: { type: "string" } } });
});
