import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { jsonSchema, type Schema } from "codexwright";
import * as v from "valibot";
import { expect } from "vitest";
import { z } from "zod";
import { strictOutput } from "../../../src/schema/output.ts";
import { verifies } from "@codexwright/test-support/verifies";

const strict = (raw: object) => strictOutput(jsonSchema({ ...raw })).jsonSchema;

/** Returns the strict form of one required property. */
function property(raw: object): unknown {
  const made = strict({ type: "object", properties: { p: raw }, required: ["p"] });
  return (made["properties"] as { p: unknown }).p;
}

function refusals(schema: Schema): string[] {
  try {
    strictOutput(schema);
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid_argument" });
    return (error as Error).message.split("\n").slice(1);
  }
  return [];
}

const review: Record<string, Schema> = {
  zod: z.object({
    title: z.string(),
    stars: z.int().min(1).max(5).optional(),
    tags: z.array(z.string()).default([]),
  }),
  arktype: type({
    title: "string",
    "stars?": "1 <= number.integer <= 5",
    tags: type("string[]").default(() => []),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      title: v.string(),
      stars: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))),
      tags: v.optional(v.array(v.string()), []),
    }),
  ),
  jsonSchema: jsonSchema({
    type: "object",
    properties: {
      title: { type: "string" },
      stars: { type: "integer", minimum: 1, maximum: 5 },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["title"],
  }),
};

for (const [library, schema] of Object.entries(review)) {
  verifies(["output.strict", "tools.schemas"], `converts a ${library} schema to a strict one`, () => {
    const made = strictOutput(schema).jsonSchema;
    expect(made).toMatchObject({
      type: "object",
      properties: {
        title: { type: "string" },
        stars: { type: ["integer", "null"], minimum: 1, maximum: 5 },
        tags: { type: ["array", "null"], items: { type: "string" } },
      },
      additionalProperties: false,
    });
    expect((made["required"] as string[]).toSorted()).toEqual(["stars", "tags", "title"]);
    expect(made).not.toHaveProperty("$schema");
  });
}

verifies(
  "output.strict",
  "at every depth, objects allow no additional properties and require all their properties",
  () => {
    const closed = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    const open = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    expect(property(open)).toEqual(closed);
    expect(property({ type: "array", items: open })).toEqual({ type: "array", items: closed });
    expect(property({ anyOf: [open, { type: "null" }] })).toEqual({ anyOf: [closed, { type: "null" }] });
    expect(strict({ type: "object", properties: {}, $defs: { d: open } })).toMatchObject({
      $defs: { d: closed },
    });
  },
);

verifies("output.strict", "adds null exactly once to an optional property of any type", () => {
  const made = strict({
    type: "object",
    properties: {
      text: { type: "string", description: "some text" },
      choice: { type: "string", enum: ["a", "b"], description: "one of" },
      object: { type: "object", properties: {} },
      union: { anyOf: [{ type: "string" }, { type: "number" }] },
      reference: { $ref: "#/$defs/d" },
      nullable: { type: ["string", "null"] },
      nullish: { anyOf: [{ type: "string" }, { type: "null" }] },
    },
    $defs: { d: { type: "string" } },
  });
  const none = { type: "null" };
  expect(made["properties"]).toEqual({
    text: { type: ["string", "null"], description: "some text" },
    choice: { anyOf: [{ type: "string", enum: ["a", "b"] }, none], description: "one of" },
    object: { anyOf: [{ type: "object", properties: {}, required: [], additionalProperties: false }, none] },
    union: { anyOf: [{ type: "string" }, { type: "number" }, none] },
    reference: { anyOf: [{ $ref: "#/$defs/d" }, none] },
    nullable: { type: ["string", "null"] },
    nullish: { anyOf: [{ type: "string" }, none] },
  });
});

verifies("output.strict", "moves constraints that the API rejects into the description", () => {
  expect(property({ type: "string", minLength: 2, maxLength: 5, description: "A name" })).toEqual({
    type: "string",
    description: "A name (minLength: 2, maxLength: 5)",
  });
  expect(property({ type: "string", format: "uri" })).toEqual({
    type: "string",
    description: "(format: uri)",
  });
  expect(property({ type: "string", pattern: "^(?!x)" })).toEqual({
    type: "string",
    description: "(pattern: ^(?!x))",
  });
  expect(property({ type: "array", items: { type: "string" }, uniqueItems: true, examples: [[]] })).toEqual({
    type: "array",
    items: { type: "string" },
    description: "(uniqueItems: true)",
  });
  const kept = { type: "string", format: "email", pattern: "^a" };
  expect(property(kept)).toEqual(kept);
  const number = { type: "number", minimum: 0, exclusiveMaximum: 9, multipleOf: 3 };
  expect(property(number)).toEqual(number);
});

verifies("output.strict", "rewrites shapes to equivalent ones in the subset that the API supports", () => {
  expect(property({ oneOf: [{ type: "string" }, { type: "number" }] })).toEqual({
    anyOf: [{ type: "string" }, { type: "number" }],
  });
  expect(property({ const: "x" })).toEqual({ type: "string", const: "x" });
  expect(property({ enum: ["a", 1, null] })).toEqual({
    type: ["string", "number", "null"],
    enum: ["a", 1, null],
  });
  expect(property({ allOf: [{ type: "string" }], description: "d" })).toEqual({
    type: "string",
    description: "d",
  });
  expect(property({ type: "string", allOf: [{ pattern: "a" }, { pattern: "b" }] })).toEqual({
    type: "string",
    description: "(pattern: a, pattern: b)",
  });
  expect(property({ type: "string", allOf: [{ pattern: "a" }] })).toEqual({ type: "string", pattern: "a" });
  const tree = { type: "object", properties: { kids: { type: "array", items: { $ref: "#/$defs/t" } } } };
  expect(strict({ $ref: "#/$defs/t", $defs: { t: { ...tree, required: ["kids"] } } })).toMatchObject({
    type: "object",
    properties: { kids: { items: { $ref: "#/$defs/t" } } },
    $defs: { t: { additionalProperties: false } },
  });
  const described = strict({
    type: "object",
    properties: { p: { $ref: "#/$defs/d", description: "here" } },
    required: ["p"],
    $defs: { d: { type: "string" } },
  });
  expect(described["properties"]).toEqual({ p: { anyOf: [{ $ref: "#/$defs/d" }], description: "here" } });
});

verifies("output.strict", "keeps a recursive Zod type recursive", () => {
  const Tree = z.object({
    name: z.string(),
    get kids() {
      return z.array(Tree).optional();
    },
  });
  expect(JSON.stringify(strictOutput(Tree).jsonSchema)).toContain('"$ref":"#');
});

verifies("output.strict", "rejects unsupported shapes, each with its place", () => {
  const deep = z.object({
    list: z.array(z.object({ record: z.record(z.string(), z.number()) })),
    tuple: z.tuple([z.string(), z.number()]),
    any: z.unknown(),
    both: z.object({ a: z.string() }).and(z.record(z.string(), z.string())),
    open: z.looseObject({ a: z.string() }),
    none: z.never(),
  });
  const found = refusals(deep).map((line) => line.split(":")[0]);
  expect(new Set(found)).toEqual(
    new Set([
      "output.list[].record",
      "output.tuple",
      "output.any",
      "output.both",
      "output.open",
      "output.none",
    ]),
  );
});

verifies("output.strict", "rejects a root that is not an object, with the fix", () => {
  for (const schema of [
    z.string(),
    z.array(z.string()),
    z.union([z.object({ a: z.string() }), z.object({})]),
  ]) {
    expect(refusals(schema).join("\n")).toContain("output: the root must be an object: wrap it in one");
  }
  expect(refusals(jsonSchema({}))).not.toEqual([]);
});

verifies("output.strict", "rejects keywords that have no equivalent in the subset", () => {
  const raw = (extra: object): Schema => jsonSchema({ type: "object", properties: {}, ...extra });
  for (const keyword of [
    "not",
    "if",
    "patternProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
  ]) {
    expect(refusals(raw({ [keyword]: {} }))[0]).toContain(`\`${keyword}\` is not supported`);
  }
  expect(refusals(raw({ properties: { a: { $ref: "https://example.com/a" } } }))[0]).toContain(
    "output.a: the reference",
  );
  expect(refusals(raw({ properties: { a: { $ref: "#/$defs/lost" } } }))[0]).toContain("cannot be resolved");
  const circle = { $ref: "#/$defs/a" };
  expect(refusals(raw({ properties: { a: circle }, $defs: { a: circle } }))[0]).toContain(
    "cannot be resolved",
  );
  expect(refusals(jsonSchema({ $ref: "#" }))).not.toEqual([]);
  expect(refusals(raw({ properties: { a: { type: "banana" } } }))[0]).toContain("output.a");
  expect(refusals(raw({ properties: { a: { type: "object" } } }))[0]).toContain("output.a");
  expect(refusals(raw({ properties: { a: { type: "array" } } }))[0]).toContain("output.a[]");
  expect(refusals(raw({ properties: { a: { type: "array", items: [{}] } } }))[0]).toContain("tuple");
  expect(refusals(raw({ anyOf: [{ required: ["a"] }, { required: ["b"] }] })).join()).toContain(
    "union with other keywords",
  );
});
