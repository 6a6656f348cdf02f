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

/** A schema made ready to constrain and to read a model's answer. */
export interface StrictOutput<T> {
  /** What is sent as `outputSchema`. */
  readonly jsonSchema: JsonObject;
  /** Reads the final answer. Never rejects. */
  parse(text: string): Promise<Checked<T>>;
}

/** What a JSON value of an answer may stand for; at least one, the likeliest first. */
export type Readings = (value: unknown) => readonly [unknown, ...unknown[]];

/**
 * Prepares a schema for a turn's `output`; throws `invalid_argument`, naming the place, for shapes that
 * strict structured outputs do not have.
 *
 * Models behind other providers than OpenAI's do not know strict outputs, and put their JSON into fences or between
 * sentences: the answer is the first value in it that the schema accepts.
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
          // If none is accepted, the longest is the answer that was meant.
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
    : "the answer is not JSON and holds no JSON object or list";
}

/** The input of a turn that asks the model to mend its answer. */
export function repairPrompt(issues: readonly SchemaIssue[]): string {
  return `Your last answer does not match the required output schema:\n${issueLines(issues)}\nAnswer again with the complete, corrected JSON and nothing else.`;
}
