import type { JsonObject } from "../../rpc/json.ts";
import { inputJsonSchema, messageOf, validate, type Checked, type SchemaIssue } from "../../schema/schema.ts";
import type { AgentTool } from "./context.ts";
import { unknownKeys } from "./unknown-keys.ts";

/** Parses the arguments of a call. Servers send either an object or its JSON text. */
export function parsedArguments(args: unknown): Checked<unknown> {
  if (typeof args !== "string") return { ok: true, value: args ?? {} };
  try {
    return { ok: true, value: args.trim() === "" ? {} : (JSON.parse(args) as unknown) };
  } catch (error) {
    return { ok: false, issues: [{ path: "", message: `the arguments are not JSON: ${messageOf(error)}` }] };
  }
}

/** Cached, because creating a JSON Schema costs more than validating with it. */
const schemas = new WeakMap<AgentTool, JsonObject>();

function schemaOf(tool: AgentTool): JsonObject {
  const schema = schemas.get(tool) ?? inputJsonSchema(`input of tool ${tool.name}`, tool.input);
  schemas.set(tool, schema);
  return schema;
}

/** Validates arguments with the tool's schema. Also rejects unknown properties, which the schema may accept. */
export async function checkedArguments(tool: AgentTool, value: unknown): Promise<Checked<unknown>> {
  const unknown = unknownKeys(schemaOf(tool), value);
  const checked = await validate(tool.input, value);
  if (checked.ok && unknown.length === 0) return checked;
  const issues = checked.ok ? [] : checked.issues;
  // A strict schema has already reported unknown properties.
  const rest = issues.some(({ message }) => /unrecognized|unknown/i.test(message)) ? [] : unknown;
  return { ok: false, issues: [...issues, ...rest] };
}

/** The text for the model about invalid arguments. */
export function invalidArguments(issues: readonly SchemaIssue[]): string {
  const lines = issues.map(({ path, message }) => `✖ ${message}${path === "" ? "" : ` → at ${path}`}`);
  return `Invalid arguments:\n${lines.join("\n")}`;
}
