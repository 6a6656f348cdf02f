import type { DynamicToolFunctionSpec, DynamicToolSpec, JsonValue } from "../protocol/index.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import { withoutRootRef } from "../schema/refs.ts";
import type { JsonObject } from "../rpc/json.ts";
import { inputJsonSchema, messageOf } from "../schema/schema.ts";
import { reservedProblem } from "./reserved.ts";
import { fullName, namespaceOf, toolProblems } from "./tool-check.ts";
import type { Tool } from "./tool.ts";

type FunctionSpec = { type: "function" } & DynamicToolFunctionSpec;

/**
 * Returns the `dynamicTools` of `thread/start`.
 *
 * Throws one `invalid_argument` that lists every problem of every tool. The server would report only one problem, or
 * would accept the tool and never call it.
 */
export function toolSpecs(tools: readonly Tool<never>[]): DynamicToolSpec[] {
  const problems = [...tools.flatMap(toolProblems), ...nameClashes(tools), ...namespaceClashes(tools)];
  const specs = tools.map((tool) => functionSpec(tool, problems));
  // If a value is not a schema, the same problem is found twice: by the check of the tool and by the conversion to
  // JSON.
  if (problems.length > 0) throw new InvalidArgumentError([...new Set(problems)].join("\n"));

  const grouped = new Map<
    string,
    { type: "namespace"; name: string; description: string; tools: FunctionSpec[] }
  >();
  const result: DynamicToolSpec[] = [];
  for (const [index, tool] of tools.entries()) {
    const spec = specs[index];
    if (!spec) continue;
    const namespace = namespaceOf(tool);
    if (!namespace) {
      result.push(spec);
      continue;
    }
    let group = grouped.get(namespace.name);
    if (!group) {
      group = { type: "namespace", ...namespace, tools: [] };
      grouped.set(namespace.name, group);
      result.push(group);
    }
    group.description ||= namespace.description;
    group.tools.push(spec);
  }
  return result;
}

/** Throws if the value is not an array of objects, so that the other checks can look at each tool. */
export function checkTools(tools: unknown): void {
  if (Array.isArray(tools) && tools.every((tool) => typeof tool === "object" && tool !== null)) return;
  throw new InvalidArgumentError("tools must be an array of tools created by tool()");
}

/** Returns whether the server must support namespaces (0.145 or later). */
export function usesNamespaces(tools: readonly Tool<never>[]): boolean {
  return tools.some((tool) => tool.namespace !== undefined);
}

function functionSpec(tool: Tool<never>, problems: string[]): FunctionSpec | undefined {
  const what = `input of tool ${JSON.stringify(tool.name)}`;
  let inputSchema: JsonObject;
  try {
    const { $schema: _, ...schema } = withoutRootRef(inputJsonSchema(what, tool.input));
    inputSchema = schema;
  } catch (error) {
    problems.push(messageOf(error));
    return undefined;
  }
  if (inputSchema["type"] !== "object") {
    problems.push(`${what} must be an object schema: models call tools with named arguments`);
  }
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: inputSchema as JsonValue,
    ...(tool.deferLoading === true && { deferLoading: true }),
  };
}

function nameClashes(tools: readonly Tool<never>[]): string[] {
  const seen = new Set<string>();
  return tools.flatMap((tool) => {
    const namespace = namespaceOf(tool)?.name;
    const name = fullName(tool.name, namespace);
    const twice = seen.has(name);
    seen.add(name);
    if (twice) return [`two tools are named ${JSON.stringify(name)}`];
    return reservedProblem(tool.name, namespace) ?? [];
  });
}

function namespaceClashes(tools: readonly Tool<never>[]): string[] {
  const described = new Map<string, string>();
  return tools.flatMap((tool) => {
    const namespace = namespaceOf(tool);
    if (!namespace?.description) return [];
    const known = described.get(namespace.name);
    described.set(namespace.name, namespace.description);
    return known === undefined || known === namespace.description
      ? []
      : [`namespace ${JSON.stringify(namespace.name)} has two different descriptions: use only one`];
  });
}
