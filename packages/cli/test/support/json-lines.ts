import { readFileSync } from "node:fs";
import path from "node:path";
import { jsonSchema } from "codexwright";

const SCHEMA = path.resolve(import.meta.dirname, "../../../../docs/cli/json-lines.schema.json");

/** A line of `--json`. */
export interface Line {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Parses a `--json` output, and checks each line against the documented schema. */
export async function jsonLines(stdout: string): Promise<Line[]> {
  const schema = jsonSchema<Line>(JSON.parse(readFileSync(SCHEMA, "utf8")) as Record<string, unknown>);
  const lines: Line[] = [];
  for (const text of stdout.split("\n").slice(0, -1)) {
    const result = await schema["~standard"].validate(JSON.parse(text));
    if (result.issues) throw new Error(`${JSON.stringify(result.issues)} in ${text}`);
    lines.push(result.value);
  }
  if (!stdout.endsWith("\n") && stdout !== "") throw new Error("the last line does not end with a line feed");
  return lines;
}
