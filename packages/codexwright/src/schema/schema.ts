import type { JsonObject } from "../rpc/json.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import type { StandardIssue, StandardProps } from "./standard-schema.ts";

/**
 * A schema that validates and can tell its JSON Schema: Standard Schema with Standard JSON Schema.
 *
 * Zod from 4.2 and ArkType have both, Valibot's schemas get them from `toStandardJsonSchema` of
 * `@valibot/to-json-schema`, and `jsonSchema(…)` makes one of a JSON Schema written by hand.
 */
export interface Schema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProps<Input, Output>;
}

/** What a schema accepts. */
export type InferInput<S extends Schema> = NonNullable<S["~standard"]["types"]>["input"];

/** What a schema's validation gives: defaults filled in, transforms applied. */
export type InferOutput<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** Where, as in `items[0].name`; "" is the value itself. */
  readonly path: string;
  readonly message: string;
}

/** The outcome of a validation. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** Why a value is no schema, with the fix; undefined where it is one. `what` names it: "input of tool x". */
export function schemaProblem(what: string, schema: unknown): string | undefined {
  // ArkType's schemas are functions.
  const standard =
    (typeof schema === "object" && schema !== null) || typeof schema === "function"
      ? (schema as Partial<Schema>)["~standard"]
      : undefined;
  if (standard === undefined) {
    return `${what} is no schema: give one of Zod >= 4.2 or ArkType, a Valibot schema wrapped by toStandardJsonSchema, or jsonSchema(…)`;
  }
  const { jsonSchema, vendor, ...rest } = standard as Partial<Schema["~standard"]>;
  if (typeof jsonSchema?.input !== "function") {
    const fix: Readonly<Record<string, string>> = {
      zod: "update Zod to 4.2 or later",
      arktype: "update ArkType to 2.1.28 or later",
      valibot: "wrap it by toStandardJsonSchema of @valibot/to-json-schema",
    };
    return `${what} cannot tell its JSON Schema: ${fix[vendor ?? ""] ?? "use a library with Standard JSON Schema, or jsonSchema(raw, validate)"}`;
  }
  if (typeof rest.validate !== "function") {
    return `${what} cannot validate: use a library with Standard Schema, or jsonSchema(raw, validate)`;
  }
  return undefined;
}

/**
 * The JSON Schema of what a schema accepts. It is the input side in every case, results too: what a model
 * writes is the validator's input, so properties with a default are optional and transforms not yet applied.
 */
export function inputJsonSchema(what: string, schema: Schema): JsonObject {
  const problem = schemaProblem(what, schema);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  try {
    return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    throw new InvalidArgumentError(
      `${what} has no JSON Schema, so it cannot be told to a model: ${messageOf(cause)}`,
      { cause },
    );
  }
}

/** Validates a value. A validator that throws counts as an issue: whoever wrote the value must hear of it. */
export async function validate<S extends Schema>(
  schema: S,
  value: unknown,
): Promise<Checked<InferOutput<S>>> {
  try {
    const result = await schema["~standard"].validate(value);
    if (result.issues === undefined) return { ok: true, value: result.value };
    return { ok: false, issues: result.issues.map(toIssue) };
  } catch (error) {
    return { ok: false, issues: [{ path: "", message: messageOf(error) }] };
  }
}

/** Validates a value at once, where nothing can be awaited; a schema that has to wait is `invalid_argument`. */
export function validateNow<S extends Schema>(
  what: string,
  schema: S,
  value: unknown,
): Checked<InferOutput<S>> {
  let result: ReturnType<Schema["~standard"]["validate"]>;
  try {
    result = schema["~standard"].validate(value);
  } catch (error) {
    return { ok: false, issues: [{ path: "", message: messageOf(error) }] };
  }
  if ("then" in result) {
    result.then(undefined, () => {}); // reported here already
    throw new InvalidArgumentError(`the schema of ${what} validates asynchronously: give one that does not`);
  }
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.map(toIssue) };
}

/** Issues as lines of text for a model. */
export function issueLines(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ path, message }) => (path === "" ? `- ${message}` : `- ${path}: ${message}`))
    .join("\n");
}

/** The message of whatever was thrown; never a stack. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return typeof error === "string" ? error : "an unknown error";
}

/** A path's next step: `.name` or `[0]`, and no dot at the start. */
export function step(path: string, key: PropertyKey): string {
  if (typeof key === "number") return `${path}[${key}]`;
  return path === "" ? String(key) : `${path}.${String(key)}`;
}

function toIssue({ message, path = [] }: StandardIssue): SchemaIssue {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  return { path: keys.reduce<string>(step, ""), message };
}
