import { jsonSchema, tool, type Tool } from "codexwright";
import { expect } from "vitest";
import { checkTools, toolSpecs, usesNamespaces } from "../../../src/tools/tool-spec.ts";
import { verifies } from "@codexwright/test-support/verifies";

const raw = { type: "object", properties: {} };

function named(name: string, options: Pick<Tool, "namespace" | "deferLoading"> = {}): Tool {
  return tool({ name, description: `does ${name}`, input: jsonSchema(raw), run: () => "", ...options });
}

function problems(...tools: Tool[]): string[] {
  try {
    toolSpecs(tools);
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid_argument" });
    return (error as Error).message.split("\n");
  }
  return [];
}

verifies("tools.names", "rejects values that are not lists of tools, and reports each problem once", () => {
  for (const tools of [{}, "stock", [null], [undefined], [() => "x"]])
    expect(() => checkTools(tools)).toThrow("tools must be an array of tools created by tool()");
  const odd = { name: "odd", description: "d", input: { type: "object" }, run: () => "" } as unknown as Tool;
  const told = (): unknown => {
    try {
      return toolSpecs([odd]);
    } catch (error) {
      return (error as Error).message.match(/is not a schema/g);
    }
  };
  expect(told()).toEqual(["is not a schema"]);
});

verifies(
  "tools.names",
  "rejects names that the server rejects or uses itself, with one error for all of them",
  () => {
    expect(
      problems(
        named("exec_command"),
        named("twice"),
        named("twice"),
        named("mcp__server__tool"),
        named("mcp", { namespace: "app" }),
        named("a", { namespace: "web" }),
        named("b", { namespace: "mcp__x" }),
        named("spawn_agent", { namespace: "multi_agent_v1" }),
        { ...named("c"), name: "not a name" },
        { ...named("d"), input: jsonSchema({ type: "string" }) },
      ),
    ).toEqual([
      'the name of tool "not a name" must be 1 to 128 of the characters a-z, A-Z, 0-9, _ and -',
      `tool "exec_command" has the same name as a tool of Codex, which the model would call instead: choose another name, or add a namespace`,
      'two tools are named "twice"',
      'tool "mcp__server__tool" must not be named like an MCP tool ("mcp" or "mcp__…"): choose another name',
      'tool "mcp" must not be named like an MCP tool ("mcp" or "mcp__…"): choose another name',
      'namespace "web" of tool "a" is reserved: choose another',
      'namespace "mcp__x" of tool "b" is reserved: choose another',
      `tool "multi_agent_v1.spawn_agent" has the same name as a tool of Codex, which the model would call instead: choose another name`,
      'input of tool "d" must be an object schema: models call tools with named arguments',
    ]);
  },
);

verifies(["tools.names", "tools.namespaces"], "allows a reserved name in a namespace", () => {
  const tools = [named("look"), named("look", { namespace: "a" }), named("look", { namespace: "b" })];
  expect(problems(...tools, named("exec_command", { namespace: "a" }))).toEqual([]);
});

verifies("tools.namespaces", "groups the tools of a namespace at the place of its first tool", () => {
  const tools = [
    named("first", { namespace: "app" }),
    named("flat"),
    named("second", { namespace: { name: "app", description: "The app" }, deferLoading: true }),
  ];
  const described = (name: string) => ({
    type: "function",
    name,
    description: `does ${name}`,
    inputSchema: raw,
  });
  expect(toolSpecs(tools)).toEqual([
    {
      type: "namespace",
      name: "app",
      description: "The app",
      tools: [described("first"), { ...described("second"), deferLoading: true }],
    },
    described("flat"),
  ] as never);
  expect(usesNamespaces(tools)).toBe(true);
  expect(usesNamespaces([named("flat")])).toBe(false);
  expect(toolSpecs([])).toEqual([]);
});

verifies("tools.namespaces", "rejects two descriptions of one namespace", () => {
  const one = named("a", { namespace: { name: "app", description: "one" } });
  const two = named("b", { namespace: { name: "app", description: "two" } });
  expect(problems(one, two)).toEqual(['namespace "app" has two different descriptions: use only one']);
});
