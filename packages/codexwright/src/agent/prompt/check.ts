import { fullName, namespaceOf } from "../../tools/tool-check.ts";
import { toolSpecs } from "../../tools/tool-spec.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { ToolPolicy } from "../tools/policy.ts";
import { OPEN_SECTIONS, READ_SECTION } from "./disclosure-text.ts";
import { exampleProblems } from "./examples.ts";
import { allNodes, type Node } from "./outline.ts";
import { twice } from "./section.ts";

const ID = /^[a-z0-9][a-z0-9._-]{0,63}(?:\/[a-z0-9][a-z0-9._-]{0,63})*$/;

/** Refuses a prompt that could not be run, with every problem at once. */
export function checkPrompt<P>(id: string, roots: readonly Node<P>[], policies: readonly ToolPolicy[]): void {
  const nodes = allNodes(roots);
  const tools = nodes.flatMap(({ section }) => section.tools);
  const names = new Set(tools.map((tool) => fullName(tool.name, namespaceOf(tool)?.name)));
  const own = [OPEN_SECTIONS, READ_SECTION].filter((name) => names.has(name));
  const all = [...policies, ...nodes.flatMap(({ section }) => section.policies)];
  const problems = [
    ...(ID.test(id) ? [] : [`the id of prompt ${JSON.stringify(id)} must match ${ID.source}`]),
    ...(roots.length === 0 ? ["a prompt needs a section"] : []),
    ...twice(roots.map(({ section }) => section.key)).map(
      (key) => `two sections have the key ${JSON.stringify(key)}`,
    ),
    ...own.map((name) => `${JSON.stringify(name)} is the name of a tool of this library: choose another`),
    ...all.flatMap(({ name, tools: needed = [] }) =>
      needed
        .filter((one) => !names.has(one))
        .map((one) => `the policy ${name} is about ${one}, which no section has`),
    ),
    ...tools.flatMap(exampleProblems),
  ];
  try {
    toolSpecs(tools);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    problems.push(error.message);
  }
  if (problems.length > 0) throw new InvalidArgumentError(problems.join("\n"));
}
