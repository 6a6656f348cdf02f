import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { CodexError, jsonSchema, tool, type Schema, type Tool } from "codexwright";
import * as v from "valibot";
import { expect } from "vitest";
import { z } from "zod";
import { ToolBox } from "../../../src/tools/tool-calls.ts";
import { toolSpecs } from "../../../src/tools/tool-spec.ts";
import { verifies } from "@codexwright/test-support/verifies";

const run = (): string => "";
const signal = new AbortController().signal;
const ids = { threadId: "t", turnId: "u", callId: "c", namespace: null };

/** Returns the message of the `invalid_argument` error that a call throws. */
function refusal(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid_argument" });
    return (error as Error).message;
  }
  throw new Error("the call did not throw");
}

/** The same tool with every kind of schema. */
const weather: Record<string, Tool> = {
  zod: tool({
    name: "weather",
    description: "Looks up the weather",
    input: z.object({ city: z.string().min(2), days: z.int().default(1) }),
    run: ({ city, days }) => `${city}:${days}`,
  }),
  arktype: tool({
    name: "weather",
    description: "Looks up the weather",
    input: type({ city: "string >= 2", days: "number.integer = 1" }),
    run: ({ city, days }) => `${city}:${days}`,
  }),
  valibot: tool({
    name: "weather",
    description: "Looks up the weather",
    input: toStandardJsonSchema(
      v.object({
        city: v.pipe(v.string(), v.minLength(2)),
        days: v.optional(v.pipe(v.number(), v.integer()), 1),
      }),
    ),
    run: ({ city, days }) => `${city}:${days}`,
  }),
  jsonSchema: tool({
    name: "weather",
    description: "Looks up the weather",
    input: jsonSchema<{ city: string; days?: number }>({
      type: "object",
      properties: { city: { type: "string", minLength: 2 }, days: { type: "integer" } },
      required: ["city"],
    }),
    run: ({ city, days = 1 }) => `${city}:${days}`,
  }),
};

for (const [library, made] of Object.entries(weather)) {
  verifies(
    ["tools.schemas", "tools.arguments"],
    `describes and validates a tool with a ${library} schema`,
    async () => {
      const [spec] = toolSpecs([made]);
      expect(spec).toMatchObject({
        type: "function",
        name: "weather",
        inputSchema: {
          type: "object",
          properties: { city: { type: "string" }, days: { type: "integer" } },
          required: ["city"],
        },
      });
      expect(JSON.stringify(spec)).not.toContain("$schema");
      const box = new ToolBox([made]);
      const call = (args: object) =>
        box.call({ ...ids, tool: "weather", arguments: { ...args } }, { signal });
      expect(await call({ city: "Bern" })).toEqual({
        success: true,
        contentItems: [{ type: "inputText", text: "Bern:1" }],
      });
      const refused = await call({ city: "B", days: "two" });
      expect(refused.success).toBe(false);
      const [item] = refused.contentItems;
      const text = item?.type === "inputText" ? item.text : "";
      expect(text).toMatch(/^The arguments of weather are invalid:\n/);
      expect(text).toMatch(/^- city: .+/m);
      expect(text).toMatch(/^- days: .+/m);
    },
  );
}

verifies("tools.schemas", "rejects values that are not schemas, with the fix", () => {
  const define = (input: unknown) => (): unknown =>
    tool({ name: "t", description: "d", input: input as Schema, run });
  expect(refusal(define({ type: "object" }))).toMatch(
    /input of tool "t" is not a schema: .+ or jsonSchema\(…\)/,
  );
  expect(refusal(define(undefined))).toContain("is not a schema");
  expect(refusal(define(v.object({})))).toContain("wrap it with toStandardJsonSchema");
  expect(refusal(define({ "~standard": { version: 1, vendor: "zod", validate: run } }))).toContain(
    "Zod to 4.2",
  );
  expect(refusal(define({ "~standard": { jsonSchema: { input: run } } }))).toContain("cannot validate");
  expect(refusal(() => jsonSchema(true as never))).toContain("an object");
});

verifies("tools.schemas", "rejects a schema that has no JSON Schema or is not an object at its root", () => {
  const specs = (input: Schema) => (): unknown =>
    toolSpecs([tool({ name: "t", description: "d", input, run })]);
  expect(refusal(specs(z.object({ at: z.date() })))).toMatch(
    /input of tool "t" cannot be converted to a JSON Schema.*Date/,
  );
  expect(refusal(specs(z.string()))).toContain("must be an object schema");
  expect(refusal(specs(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])))).toContain(
    "must be an object schema",
  );
});

verifies("tools.schemas", "replaces a reference at the root by the object that it names", () => {
  const input = jsonSchema({
    $ref: "#/$defs/node",
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
  });
  const [spec] = toolSpecs([tool({ name: "t", description: "d", input, run })]);
  expect(spec).toMatchObject({
    inputSchema: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, $defs: { node: {} } },
  });
});

verifies("tools.names", "tool() rejects a tool that no server accepts", () => {
  const input = z.object({});
  const define = (options: object) => (): unknown =>
    tool({ name: "t", description: "d", input, run, ...options });
  expect(refusal(define({ name: "a b" }))).toContain('tool "a b" must be 1 to 128 of the characters');
  expect(refusal(define({ name: "" }))).toContain("must be 1 to 128");
  expect(refusal(define({ name: "a".repeat(129) }))).toContain("must be 1 to 128");
  expect(refusal(define({ namespace: "a".repeat(65) }))).toContain("must be 1 to 64");
  expect(refusal(define({ namespace: { name: "a", description: "x".repeat(1025) } }))).toContain(
    "1024 characters",
  );
  expect(refusal(define({ timeoutMs: -1 }))).toContain("timeoutMs");
  expect(refusal(define({ timeoutMs: Number.NaN }))).toContain("timeoutMs");
  expect(refusal(define({ run: undefined }))).toContain("no run function");
  expect(refusal(define({ description: undefined }))).toContain("no description");
  expect(refusal(define({ name: "a b", timeoutMs: -1 })).split("\n")).toHaveLength(2);
  expect(define({})).not.toThrow(CodexError);
});

verifies("tools.namespaces", "rejects deferLoading without a namespace", () => {
  const input = z.object({});
  expect(refusal(() => tool({ name: "t", description: "d", input, run, deferLoading: true }))).toMatch(
    /deferLoading but no namespace: add one/,
  );
});
