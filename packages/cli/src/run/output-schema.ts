import { jsonSchema, type Schema } from "codexwright";
import { usageError } from "../shared/command-error.ts";
import { readNamed } from "../shared/named-file.ts";

/** Reads the schema of `--output-schema`. */
export async function readSchema(file: string, cwd: string): Promise<Schema> {
  const text = await readNamed("--output-schema", file, cwd);
  try {
    return jsonSchema(JSON.parse(text) as Record<string, unknown>);
  } catch (error) {
    throw usageError(`--output-schema ${file}: ${(error as Error).message}`);
  }
}
