import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import {
  jsonSchema,
  tool,
  type InferInput,
  type InferOutput,
  type Schema,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "codexwright";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

/** A context that only a richer host provides. */
interface RichContext extends ToolContext {
  readonly session: { readonly id: string };
}

const input = z.object({ city: z.string(), days: z.int().default(1) });

test("the input of a tool is the output of its schema", () => {
  tool({
    name: "t",
    description: "d",
    input,
    run(value, context) {
      expectTypeOf(value).toEqualTypeOf<{ city: string; days: number }>();
      expectTypeOf(context).toEqualTypeOf<ToolContext>();
      return value.city;
    },
  });
  tool({
    name: "t",
    description: "d",
    input: type({ city: "string", "days?": "number" }),
    run: (value) => expectTypeOf(value).toEqualTypeOf<{ city: string; days?: number }>(),
  });
  tool({
    name: "t",
    description: "d",
    input: toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 1) })),
    run: (value) => expectTypeOf(value).toEqualTypeOf<{ city: string; days: number }>(),
  });
  tool({
    name: "t",
    description: "d",
    input: jsonSchema<{ city: string }>({ type: "object" }),
    run: (value) => expectTypeOf(value).toEqualTypeOf<{ city: string }>(),
  });
});

test("a tool without output schema returns text, JSON or content items", () => {
  interface Ticket {
    id: string;
  }
  const give = (run: () => ToolResult | Promise<ToolResult>) =>
    tool({ name: "t", description: "d", input, run });
  expectTypeOf(give(() => "text")).toEqualTypeOf<Tool>();
  give(() => ({ a: [1, null] }));
  give(async () =>
    Promise.resolve([{ type: "inputImage" as const, imageUrl: "data:image/png;base64,AA==" }]),
  );
  give((): Ticket => ({ id: "1" }));
  give(async () => {});
  // @ts-expect-error -- not JSON
  give(() => 1n);
  // @ts-expect-error -- not JSON
  tool({ name: "t", description: "d", input, run: () => Symbol("x") });
});

test("a tool with an output schema returns the input of that schema", () => {
  const output = z.object({ status: z.string(), count: z.number().default(0) });
  expectTypeOf(
    tool({ name: "t", description: "d", input, output, run: () => ({ status: "open" }) }),
  ).toEqualTypeOf<Tool>();
  tool({
    name: "t",
    description: "d",
    input,
    output,
    run: async () => Promise.resolve({ status: "open", count: 1 }),
  });
  // @ts-expect-error -- the schema needs a string
  tool({ name: "t", description: "d", input, output, run: () => ({ status: 1 }) });
});

test("a tool that needs a richer context is not accepted by a plain host", () => {
  const plain = tool({ name: "t", description: "d", input, run: () => "" });
  const rich = tool({
    name: "t",
    description: "d",
    input,
    run: (_, context: RichContext) => context.session.id,
  });
  expectTypeOf(plain).toEqualTypeOf<Tool>();
  expectTypeOf(rich).toEqualTypeOf<Tool<RichContext>>();
  const forPlain = (tools: readonly Tool[]): number => tools.length;
  const forRich = (tools: readonly Tool<RichContext>[]): number => tools.length;
  forPlain([plain]);
  forRich([plain, rich]);
  // @ts-expect-error -- there is no session here
  forPlain([rich]);
});

test("only schemas are accepted", () => {
  // @ts-expect-error -- a JSON Schema must go through jsonSchema()
  tool({ name: "t", description: "d", input: { type: "object" }, run: () => "" });
  // @ts-expect-error -- Valibot schemas must be wrapped
  tool({ name: "t", description: "d", input: v.object({}), run: () => "" });
  expectTypeOf<InferInput<typeof input>>().toEqualTypeOf<{ city: string; days?: number | undefined }>();
  expectTypeOf<InferOutput<typeof input>>().toEqualTypeOf<{ city: string; days: number }>();
  expectTypeOf<typeof input>().toExtend<Schema>();
});
