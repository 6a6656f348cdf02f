export { jsonSchema } from "./json-schema.ts";
export { OutputInvalidError, repairPrompt, strictOutput, type StrictOutput } from "./output.ts";
export type { InferInput, InferOutput, Schema, SchemaIssue } from "./schema.ts";
