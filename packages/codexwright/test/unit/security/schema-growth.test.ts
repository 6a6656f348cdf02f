import fc from "fast-check";
import { expect } from "vitest";
import { jsonSchema, type CodexError } from "codexwright";
import { unknownKeys } from "../../../src/agent/tools/unknown-keys.ts";
import { checkJson } from "../../../src/schema/check.ts";
import { strictOutput } from "../../../src/schema/output.ts";
import { withoutStandInNulls } from "../../../src/schema/stand-ins.ts";
import type { JsonObject } from "../../../src/rpc/json.ts";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import * as naive from "../schema/naive-check.ts";
import { withoutStandInNulls as naivePrune } from "../schema/naive-stand-ins.ts";
import { hostile } from "./hostile.ts";

const SELF = { $ref: "#" };
const NODE = (more: object = {}): JsonObject => ({
  type: "object",
  properties: { c: SELF, n: { type: ["integer", "null"] } },
  ...more,
});

/** Schemas whose alternatives overlap at every level. */
const OVERLAPPING: Readonly<Record<string, JsonObject>> = {
  anyOf: { anyOf: [NODE(), NODE({ minProperties: 1 })] },
  oneOf: { oneOf: [NODE({ minProperties: 5 }), NODE({ maxProperties: 9 })] },
  allOf: { allOf: [NODE(), NODE({ minProperties: 1 })] },
  "not and anyOf": { not: { anyOf: [NODE({ minProperties: 9 }), NODE({ minProperties: 8 })] }, ...NODE() },
  "two references": {
    ...NODE(),
    allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }],
    $defs: { a: NODE(), b: NODE() },
  },
  "dependent schemas": { anyOf: [NODE(), NODE()], dependentSchemas: { c: { anyOf: [NODE(), NODE()] } } },
  "patterns of properties": {
    anyOf: [
      NODE({ patternProperties: { "^c": SELF }, additionalProperties: SELF }),
      NODE({ additionalProperties: SELF }),
    ],
  },
  "additional properties": {
    anyOf: [
      { type: "object", additionalProperties: SELF },
      { type: "object", additionalProperties: SELF, minProperties: 0 },
      { type: ["null", "string", "integer"] },
    ],
  },
  lists: {
    anyOf: [
      { type: "array", items: SELF },
      { type: "array", prefixItems: [SELF], minItems: 0 },
      { type: "object", properties: { c: SELF } },
      { type: ["null", "string"] },
    ],
  },
};

/** Nested objects that count how often each is read. */
function nested(
  depth: number,
  leaf: unknown,
  wrap: "object" | "array",
): { value: unknown; looks: () => number } {
  let looks = 0;
  let value: unknown = leaf;
  for (let level = 0; level < depth; level++) {
    const target = wrap === "object" ? { c: value, n: null } : [value];
    value = new Proxy(target, {
      get: (object, key, receiver) => {
        looks++;
        return Reflect.get(object, key, receiver) as unknown;
      },
    });
  }
  return { value, looks: () => looks };
}

const GOOD = null;
const BAD = "text";

type Look = (schema: JsonObject, value: unknown) => unknown;
const LOOKS: Readonly<Record<string, Look>> = {
  check: (schema, value) => checkJson(schema, value),
  prune: withoutStandInNulls,
  "unknown keys": unknownKeys,
};

function looksAt(
  depth: number,
  schema: JsonObject,
  leaf: unknown,
  look: Look,
  wrap: "object" | "array",
): number {
  const { value, looks } = nested(depth, leaf, wrap);
  look(schema, value);
  return looks();
}

verifies(
  ["security.s13", "security.s16"],
  "twice the depth takes about twice the work, whichever alternatives overlap",
  () => {
    for (const [name, schema] of Object.entries(OVERLAPPING)) {
      for (const [how, look] of Object.entries(LOOKS)) {
        for (const leaf of [GOOD, BAD]) {
          for (const wrap of ["object", "array"] as const) {
            const once = looksAt(50, schema, leaf, look, wrap);
            const twice = looksAt(100, schema, leaf, look, wrap);
            expect({ name, how, leaf, wrap, linear: twice < 2.5 * once + 100 }).toEqual({
              name,
              how,
              leaf,
              wrap,
              linear: true,
            });
          }
        }
      }
    }
  },
  { timeoutMs: 60_000 },
);

verifies(["security.s13", "security.s16"], "without a cache, every level multiplies the work", () => {
  const schema = OVERLAPPING["anyOf"] ?? {};
  const look: Look = (given, value) => naive.checkJson(given, value);
  expect(looksAt(10, schema, BAD, look, "object")).toBeGreaterThan(
    20 * looksAt(5, schema, BAD, look, "object"),
  );
});

const leaf = fc.constantFrom<unknown>(null, true, 0, 1, 2.5, "", "a", "b");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "__proto__"), tie("value"), { maxKeys: 3 }),
  ),
}));
const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<unknown>(
      true,
      false,
      {},
      { type: "string" },
      { type: ["integer", "null"] },
      { const: 1 },
      { enum: ["a", null, { a: 1 }] },
    ),
    fc.record(
      {
        type: fc.constant("object"),
        properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema"), { maxKeys: 3 }),
        required: fc.subarray(["a", "b"]),
        additionalProperties: tie("schema"),
      },
      { requiredKeys: ["properties"] },
    ),
    fc.record(
      {
        type: fc.constant("array"),
        items: fc.oneof(tie("schema"), fc.constant(SELF)),
        uniqueItems: fc.boolean(),
        minItems: fc.nat({ max: 2 }),
      },
      { requiredKeys: ["items"] },
    ),
    fc.record({ properties: fc.constant({ a: SELF, c: SELF }), minProperties: fc.nat({ max: 2 }) }),
    fc.record(
      {
        anyOf: fc.array(tie("schema"), { maxLength: 3 }),
        oneOf: fc.array(tie("schema"), { maxLength: 3 }),
        allOf: fc.array(tie("schema"), { maxLength: 3 }),
        not: tie("schema"),
      },
      { requiredKeys: [] },
    ),
  ),
}));

verifies(
  ["security.s13", "security.s16"],
  "the check with a cache finds the same issues as the one without",
  () => {
    let invalid = 0;
    fc.assert(
      fc.property(anySchema, value, (schema, given) => {
        const distinct = (issues: readonly object[]): string[] => [
          ...new Set(issues.map((issue) => JSON.stringify(issue))),
        ];
        const expected = distinct(naive.checkJson(schema, given));
        invalid += Number(expected.length > 0);
        expect(distinct(checkJson(schema, given))).toEqual(expected);
      }),
      { seed: 9, numRuns: 3_000 },
    );
    expect(invalid).toBeGreaterThan(500);
  },
);

verifies("security.s16", "removes the same placeholder nulls as without a cache", () => {
  fc.assert(
    fc.property(anySchema, value, (schema, given) => {
      if (typeof schema !== "object" || schema === null) return;
      expect(withoutStandInNulls(schema as JsonObject, given)).toEqual(
        naivePrune(schema as JsonObject, given),
      );
    }),
    { seed: 10, numRuns: 2_000 },
  );
});

verifies(["security.s13", "security.s16"], "the check of a self-referencing schema terminates", () => {
  for (const schema of [
    { allOf: [SELF] },
    { anyOf: [SELF, SELF] },
    { oneOf: [SELF] },
    { not: SELF },
    { $ref: "#" },
    { allOf: [{ allOf: [SELF] }, SELF] },
  ]) {
    for (const [, look] of Object.entries(LOOKS)) look(schema, { c: { c: [1] } });
  }
  expect(checkJson({ allOf: [SELF], type: "string" }, 1)).toHaveLength(1);
});

verifies(
  ["security.s13", "security.s16"],
  "checks 256 levels with the available stack, whichever alternatives overlap",
  () => {
    for (const [name, schema] of Object.entries(OVERLAPPING)) {
      for (const wrap of ["object", "array"] as const) {
        const { value: given } = nested(250, GOOD, wrap);
        const messages = checkJson(schema, given).map(({ message }) => message);
        expect({ name, deep: messages.filter((message) => message.includes("deeper")) }).toEqual({
          name,
          deep: [],
        });
      }
    }
  },
);

/** JSON with this depth, created without the stack that serializing it would need. */
function deepText(depth: number, kind: "object" | "array"): string {
  const [open, close] = kind === "object" ? ['{"c":', "}"] : ["[", "]"];
  return open.repeat(depth) + '"text"' + close.repeat(depth);
}

verifies(
  ["security.s13", "security.s16"],
  "rejects values nested 100,000 levels deep with a reason, and checks values with 250 levels",
  async () => {
    for (const [name, schema] of Object.entries({
      ...OVERLAPPING,
      unique: { uniqueItems: true, items: SELF, properties: { c: SELF } },
      constants: { enum: [{ a: 1 }, [1]], properties: { c: SELF } },
    })) {
      for (const kind of ["object", "array"] as const) {
        for (const depth of [300, 100_000]) {
          const given: unknown = JSON.parse(deepText(depth, kind));
          for (const look of Object.values(LOOKS)) look(schema, given);
          const checked = await jsonSchema(schema)["~standard"].validate(given);
          expect({ name, checked: "issues" in checked || "value" in checked }).toEqual({
            name,
            checked: true,
          });
        }
      }
    }
    const list = {
      type: "object",
      properties: { c: { anyOf: [SELF, { type: "string" }] } },
      required: ["c"],
      additionalProperties: false,
    };
    const output = strictOutput(jsonSchema(list));
    expect(await output.parse(deepText(250, "object"))).toMatchObject({ ok: true });
    expect(await output.parse(deepText(100_000, "object"))).toMatchObject({
      ok: false,
      issues: [{ message: expect.stringContaining("deep") as string }],
    });
  },
  { timeoutMs: 60_000 },
);

verifies("security.s16", "a turn whose answer is nested too deep fails with output_invalid", async () => {
  await using server = await hostile();
  const thread = await server.codex.startThread();
  const list = jsonSchema({ type: "object", properties: { c: SELF }, additionalProperties: false });
  const run = thread.run("go", { output: list });
  await new Promise((resolve) => setImmediate(resolve));
  const item = { type: "agentMessage", id: "m", text: deepText(100_000, "object") };
  server.say(
    { method: "item/completed", params: { threadId: "T", turnId: "U", item } },
    {
      method: "turn/completed",
      params: { threadId: "T", turn: { id: "U", items: [], status: "completed" } },
    },
  );
  expect(((await rejection(run)) as CodexError).code).toBe("output_invalid");
});
