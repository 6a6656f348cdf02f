import type { JsonObject } from "../../rpc/json.ts";
import {
  inputJsonSchema,
  issueLines,
  messageOf,
  validate,
  type Checked,
  type InferOutput,
  type Schema,
  type SchemaIssue,
} from "./schema.ts";
import { withoutStandInNulls } from "./stand-ins.ts";
import { toStrict } from "./strict.ts";

/** A schema made ready to constrain and to read a model's answer. */
export interface StrictOutput<T> {
  /** What is sent as `outputSchema`. */
  readonly jsonSchema: JsonObject;
  /** Reads the final answer. Never rejects. */
  parse(text: string): Promise<Checked<T>>;
}

/**
 * Prepares a schema for a turn's `output`; throws `invalid_argument`, naming the place, for shapes that
 * strict structured outputs do not have.
 */
export function strictOutput<S extends Schema>(schema: S): StrictOutput<InferOutput<S>> {
  const original = inputJsonSchema("output", schema);
  return {
    jsonSchema: toStrict(original),
    parse: async (text) => {
      const json = parseJson(text);
      if (!json.ok) return json;
      return await validate(schema, withoutStandInNulls(original, json.value));
    },
  };
}

/** The input of a turn that asks the model to mend its answer. */
export function repairPrompt(issues: readonly SchemaIssue[]): string {
  return `Your last answer does not match the required output schema:\n${issueLines(issues)}\nAnswer again with the complete, corrected JSON and nothing else.`;
}

/** Models behind other providers than OpenAI's do not know strict outputs and like to fence their JSON. */
const FENCED = /^```(?:json)?[^\S\n]*\n([^]*?)\n?```$/i;

function parseJson(text: string): Checked<unknown> {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: false, issues: [{ path: "", message: "the answer is empty" }] };
  try {
    return { ok: true, value: JSON.parse(FENCED.exec(trimmed)?.[1] ?? trimmed) as unknown };
  } catch (error) {
    return { ok: false, issues: [{ path: "", message: `the answer is not JSON: ${messageOf(error)}` }] };
  }
}
