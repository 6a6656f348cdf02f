import { isJsonObject } from "../../rpc/json.ts";
import { issueLines, validateNow } from "../../schema/schema.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { AgentTool } from "../tools/context.ts";

/** The examples of a section's tools as text for the model, or "" if there are none. */
export function exampleBlock(tools: readonly AgentTool[]): string {
  const blocks = tools.filter(({ examples = [] }) => examples.length > 0).map(toolBlock);
  return blocks.length === 0 ? "" : ["Tools:", ...blocks].join("\n");
}

function toolBlock(tool: AgentTool): string {
  const { name, description, examples = [] } = tool;
  return [
    `- ${name}: ${description}`,
    `  - ${name} examples:`,
    ...examples.flatMap((example) => [
      `    - description: ${example.description}`,
      "      input:",
      ...fenced(spacedJson(example.input), "json"),
      "      output:",
      ...fenced(outputText(tool, example.output), ""),
    ]),
  ].join("\n");
}

function outputText(tool: AgentTool, output: unknown): string {
  if (tool.render) return tool.render(checked(tool, "output", output) as never);
  return typeof output === "string" ? output : spacedJson(output);
}

function fenced(text: string, language: string): string[] {
  return ["```" + language, ...text.split("\n"), "```"].map((line) => `        ${line}`);
}

/** Compact, with a space after commas and colons. */
function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${spacedJson(item)}`).join(", ")}}`;
}

/** Returns the problems in a tool's examples: inputs and outputs must match the tool's schemas. */
export function exampleProblems(tool: AgentTool): string[] {
  return (tool.examples ?? []).flatMap((example) =>
    (["input", "output"] as const).flatMap((side) => {
      try {
        checked(tool, side, example[side]);
        return [];
      } catch (error) {
        if (error instanceof InvalidArgumentError) return [error.message];
        throw error;
      }
    }),
  );
}

function checked(tool: AgentTool, side: "input" | "output", value: unknown): unknown {
  const schema = tool[side];
  if (!schema) return value;
  const what = `the ${side} of an example of tool ${JSON.stringify(tool.name)}`;
  const result = validateNow(what, schema, value);
  if (result.ok) return result.value;
  throw new InvalidArgumentError(`${what} is invalid:\n${issueLines(result.issues)}`);
}
