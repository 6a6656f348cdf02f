export { jsonSchema } from "./json-schema.ts";
export type { StrictOutput } from "./output.ts";
export { OutputInvalidError } from "./output-invalid.ts";
export type { InferInput, InferOutput, Schema, SchemaIssue } from "./schema.ts";
