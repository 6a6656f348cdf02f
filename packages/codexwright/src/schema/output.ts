import type { JsonObject } from "../rpc/json.ts";
import { jsonIn } from "./json-in-text.ts";
import {
  inputJsonSchema,
  issueLines,
  validate,
  type Checked,
  type InferOutput,
  type Schema,
  type SchemaIssue,
} from "./schema.ts";
import { withoutStandInNulls } from "./stand-ins.ts";
import { toStrict } from "./strict.ts";

/** A schema in the form that constrains a model's answer, and the parser of that answer. */
export interface StrictOutput<T> {
  /** The value for `outputSchema`. */
  readonly jsonSchema: JsonObject;
  /** Parses the final answer. Never rejects. */
  parse(text: string): Promise<Checked<T>>;
}

/** Returns the possible interpretations of a JSON value in an answer: at least one, the most likely first. */
export type Readings = (value: unknown) => readonly [unknown, ...unknown[]];

/**
 * Prepares a schema for the `output` of a turn. Throws `invalid_argument` for shapes that strict structured outputs do
 * not support; the message names the place in the schema.
 *
 * Models of providers other than OpenAI may not support strict outputs. They may put their JSON into Markdown fences or
 * between sentences. The result is the first value in the answer that the schema accepts.
 */
export function strictOutput<S extends Schema>(
  schema: S,
  readings: Readings = (value) => [value],
): StrictOutput<InferOutput<S>> {
  const original = inputJsonSchema("output", schema);
  return {
    jsonSchema: toStrict(original),
    parse: async (text) => {
      let longest = 0;
      let issues: readonly SchemaIssue[] = [{ path: "", message: noJson(text) }];
      for (const { value, length } of jsonIn(text)) {
        for (const reading of readings(value)) {
          const checked = await validate(schema, withoutStandInNulls(original, reading));
          if (checked.ok) return checked;
          // If no value is accepted, the longest one is most likely the intended answer.
          if (length <= longest) continue;
          longest = length;
          ({ issues } = checked);
        }
      }
      return { ok: false, issues };
    },
  };
}

function noJson(text: string): string {
  return text.trim() === ""
    ? "the answer is empty"
    : "the answer is not JSON and contains no JSON object or array";
}

/** Returns the input of a turn that asks the model to correct its answer. */
export function repairPrompt(issues: readonly SchemaIssue[]): string {
  return `Your last answer does not match the required output schema:\n${issueLines(issues)}\nAnswer again with the complete, corrected JSON and nothing else.`;
}
