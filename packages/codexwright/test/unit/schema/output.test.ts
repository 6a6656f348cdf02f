import { CodexError, jsonSchema, OutputInvalidError } from "codexwright";
import { type } from "arktype";
import { expect } from "vitest";
import { z } from "zod";
import { repairPrompt, strictOutput } from "../../../src/schema/output.ts";
import { verifies } from "@codexwright/test-support/verifies";

verifies("output.parse", "parses and validates an answer, with defaults and transforms applied", async () => {
  const output = strictOutput(
    z.object({
      title: z.string(),
      size: z.string().transform(Number),
      tags: z.array(z.string()).default(["none"]),
    }),
  );
  expect(await output.parse('{"title":"a","size":"3","tags":null}')).toEqual({
    ok: true,
    value: { title: "a", size: 3, tags: ["none"] },
  });
});

verifies("output.parse", "accepts JSON in a fence", async () => {
  const output = strictOutput(z.object({ a: z.string() }));
  const value = { a: "```" };
  const json = JSON.stringify(value, null, 2);
  for (const text of [json, ` \n${json}\n`, `\`\`\`json\n${json}\n\`\`\``, `\`\`\`\n${json}\n\`\`\`\n`]) {
    expect(await output.parse(text)).toEqual({ ok: true, value });
  }
});

verifies("output.parse", "removes nulls for absent properties at every depth, and no others", async () => {
  const output = strictOutput(
    z.object({
      absent: z.string().optional(),
      nullable: z.string().nullable(),
      nullish: z.string().nullish(),
      list: z.array(z.object({ absent: z.number().optional() })),
      nested: z.object({ absent: z.boolean().optional() }).optional(),
      maybe: z.object({ absent: z.int().optional() }).nullable(),
    }),
  );
  const answer = {
    absent: null,
    nullable: null,
    nullish: null,
    list: [{ absent: null }, { absent: 1 }],
    nested: { absent: null },
    maybe: { absent: null },
  };
  expect(await output.parse(JSON.stringify(answer))).toEqual({
    ok: true,
    value: { nullable: null, nullish: null, list: [{}, { absent: 1 }], nested: {}, maybe: {} },
  });
});

verifies("output.parse", "removes nulls according to the alternative that the answer matches", async () => {
  const a = z.object({ kind: z.literal("a"), note: z.string().optional() });
  const b = z.object({ kind: z.literal("b"), note: z.string().nullable() });
  const output = strictOutput(z.object({ one: z.discriminatedUnion("kind", [a, b]) }));
  expect(await output.parse('{"one":{"kind":"a","note":null}}')).toEqual({
    ok: true,
    value: { one: { kind: "a" } },
  });
  expect(await output.parse('{"one":{"kind":"b","note":null}}')).toEqual({
    ok: true,
    value: { one: { kind: "b", note: null } },
  });
  const c = z.object({ kind: z.literal("c"), size: z.string().min(3), note: z.string().optional() });
  const wrong = await strictOutput(z.object({ one: z.discriminatedUnion("kind", [a, c]) })).parse(
    '{"one":{"kind":"c","size":"x","note":null}}',
  );
  expect(wrong.ok ? [] : wrong.issues.map(({ path }) => path)).toEqual(["one.size"]);
});

verifies("output.parse", "removes nulls from recursive types", async () => {
  const Tree = z.object({
    name: z.string(),
    get kids() {
      return z.array(Tree).optional();
    },
  });
  const answer = { name: "a", kids: [{ name: "b", kids: null }] };
  expect(await strictOutput(Tree).parse(JSON.stringify(answer))).toEqual({
    ok: true,
    value: { name: "a", kids: [{ name: "b" }] },
  });
});

verifies("output.parse", "removes nulls from a deep tree with many alternatives in one pass", async () => {
  const kinds = Array.from({ length: 20 }, (_, index) => ({
    type: "object",
    properties: {
      kind: { const: `k${index}` },
      left: { $ref: "#/$defs/node" },
      right: { $ref: "#/$defs/node" },
    },
    required: ["kind"],
  }));
  const output = strictOutput(
    jsonSchema({
      type: "object",
      properties: { root: { $ref: "#/$defs/node" } },
      required: ["root"],
      $defs: { node: { anyOf: kinds } },
    }),
  );
  let answer: object = { kind: "k0", left: null, right: null };
  let expected: object = { kind: "k0" };
  for (let depth = 0; depth < 40; depth++) {
    answer = { kind: `k${depth % 20}`, left: answer, right: null };
    expected = { kind: `k${depth % 20}`, left: expected };
  }
  expect(await output.parse(JSON.stringify({ root: answer }))).toEqual({
    ok: true,
    value: { root: expected },
  });
});

verifies("output.parse", "applies an ArkType default if the model wrote null", async () => {
  const output = strictOutput(type({ name: "string", size: "number = 3", "note?": "string" }));
  expect(await output.parse('{"name":"a","size":null,"note":null}')).toEqual({
    ok: true,
    value: { name: "a", size: 3 },
  });
});

verifies("output.invalid", "reports each issue with its path", async () => {
  const output = strictOutput(z.object({ list: z.array(z.object({ id: z.string() })), size: z.number() }));
  const parsed = await output.parse('{"list":[{"id":1}],"size":"big"}');
  expect(parsed.ok ? [] : parsed.issues.map(({ path }) => path)).toEqual(["list[0].id", "size"]);
  for (const [text, why] of [
    ["", "empty"],
    ["I cannot do that", "not JSON"],
    ['{"list":', "not JSON"],
  ] as const) {
    const failed = await output.parse(text);
    expect(failed.ok ? "" : failed.issues[0]?.message).toContain(why);
  }
});

verifies("output.invalid", "turns an error thrown by the validator into an issue", async () => {
  const throwing = jsonSchema({ type: "object", properties: {} }, () => {
    throw new Error("not today");
  });
  expect(await strictOutput(throwing).parse("{}")).toEqual({
    ok: false,
    issues: [{ path: "", message: "not today" }],
  });
});

verifies(
  "output.invalid",
  "the error has the raw text and the issues, and its message names the issues",
  () => {
    const issues = [
      { path: "list[0].id", message: "must be a string" },
      { path: "", message: "one\n\ttoo many" },
    ];
    const error = new OutputInvalidError('{"secret":1}', issues);
    expect(error).toBeInstanceOf(CodexError);
    expect(error).toMatchObject({
      code: "output_invalid",
      raw: '{"secret":1}',
      issues,
      name: "OutputInvalidError",
    });
    expect(error.message).toBe(
      "the answer does not match the output schema: list[0].id: must be a string; one too many",
    );
    expect(new OutputInvalidError("", []).message).toContain("no reason given");
  },
);

verifies("output.invalid", "the message is short regardless of the number and length of the issues", () => {
  const long = { path: "a".repeat(1_000), message: "b".repeat(1_000_000) };
  const { message, issues } = new OutputInvalidError(
    "",
    Array.from({ length: 1_000 }, () => long),
  );
  expect(message.length).toBeLessThan(1_200);
  expect(message.endsWith("; and 995 more")).toBe(true);
  expect(issues).toHaveLength(1_000);
});

verifies("output.invalid", "a repair turn lists the issues for the model", () => {
  expect(
    repairPrompt([
      { path: "list[0].id", message: "must be a string" },
      { path: "", message: "the answer is not JSON" },
    ]),
  ).toBe(
    "Your last answer does not match the required output schema:\n- list[0].id: must be a string\n- the answer is not JSON\nAnswer again with the complete, corrected JSON and nothing else.",
  );
});
