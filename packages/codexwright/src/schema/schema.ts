import type { JsonObject } from "../rpc/json.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import type { StandardIssue, StandardProps } from "./standard-schema.ts";

/**
 * A schema that can validate and can provide its JSON Schema: Standard Schema with Standard JSON Schema.
 *
 * Zod from 4.2 and ArkType implement both. For Valibot, use `toStandardJsonSchema` of `@valibot/to-json-schema`. For a
 * plain JSON Schema, use `jsonSchema(…)`.
 */
export interface Schema<Input = unknown, Output = Input> {
  readonly "~standard": StandardProps<Input, Output>;
}

/** The type that a schema accepts. */
export type InferInput<S extends Schema> = NonNullable<S["~standard"]["types"]>["input"];

/** The type of a validated value: with defaults and transforms applied. */
export type InferOutput<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];

/** One problem with a value. */
export interface SchemaIssue {
  /** The path, such as `items[0].name`. An empty string means the value itself. */
  readonly path: string;
  readonly message: string;
}

/** The outcome of a validation. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/**
 * Returns undefined if the value is a schema. Otherwise returns why it is not, and how to fix that. `what` names the
 * value: "input of tool x".
 */
export function schemaProblem(what: string, schema: unknown): string | undefined {
  // Schemas of ArkType are functions.
  const standard =
    (typeof schema === "object" && schema !== null) || typeof schema === "function"
      ? (schema as Partial<Schema>)["~standard"]
      : undefined;
  if (standard === undefined) {
    return `${what} is not a schema: use Zod >= 4.2, ArkType, a Valibot schema wrapped with toStandardJsonSchema, or jsonSchema(…)`;
  }
  const { jsonSchema, vendor, ...rest } = standard as Partial<Schema["~standard"]>;
  if (typeof jsonSchema?.input !== "function") {
    const fix: Readonly<Record<string, string>> = {
      zod: "update Zod to 4.2 or later",
      arktype: "update ArkType to 2.1.28 or later",
      valibot: "wrap it with toStandardJsonSchema of @valibot/to-json-schema",
    };
    return `${what} does not provide its JSON Schema: ${fix[vendor ?? ""] ?? "use a library with Standard JSON Schema, or jsonSchema(raw, validate)"}`;
  }
  if (typeof rest.validate !== "function") {
    return `${what} cannot validate: use a library with Standard Schema, or jsonSchema(raw, validate)`;
  }
  return undefined;
}

/**
 * Returns the JSON Schema of the values that a schema accepts as input. Also use it for values that a model writes,
 * because the validator receives them as input. In this schema, properties with a default are optional, and transforms
 * are not applied.
 */
export function inputJsonSchema(what: string, schema: Schema): JsonObject {
  const problem = schemaProblem(what, schema);
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  try {
    return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  } catch (cause) {
    throw new InvalidArgumentError(
      `${what} cannot be converted to a JSON Schema for the model: ${messageOf(cause)}`,
      { cause },
    );
  }
}

/**
 * Validates a value. If the validator throws, its error becomes an issue, so that the author of the value (such as the
 * model) receives it.
 */
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

/** Validates a value synchronously. Throws `invalid_argument` if the schema validates asynchronously. */
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
    result.then(undefined, () => {}); // the error below already reports it
    throw new InvalidArgumentError(`the schema of ${what} must validate synchronously`);
  }
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.map(toIssue) };
}

/** Formats issues as lines of text for a model. */
export function issueLines(issues: readonly SchemaIssue[]): string {
  return issues
    .map(({ path, message }) => (path === "" ? `- ${message}` : `- ${path}: ${message}`))
    .join("\n");
}

/** Returns the message of any thrown value, never a stack. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return typeof error === "string" ? error : "an unknown error";
}

/** Appends a step to a path: `.name` or `[0]`, without a dot at the start. */
export function step(path: string, key: PropertyKey): string {
  if (typeof key === "number") return `${path}[${key}]`;
  return path === "" ? String(key) : `${path}.${String(key)}`;
}

function toIssue({ message, path = [] }: StandardIssue): SchemaIssue {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  return { path: keys.reduce<string>(step, ""), message };
}
