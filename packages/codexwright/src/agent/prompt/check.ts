import { fullName, namespaceOf } from "../../tools/tool-check.ts";
import { toolSpecs } from "../../tools/tool-spec.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import type { ToolPolicy } from "../tools/policy.ts";
import { OPEN_SECTIONS, READ_SECTION } from "./disclosure-text.ts";
import { exampleProblems } from "./examples.ts";
import { allNodes, type Node } from "./outline.ts";
import { twice } from "./section.ts";

const ID = /^[a-z0-9][a-z0-9._-]{0,63}(?:\/[a-z0-9][a-z0-9._-]{0,63})*$/;

/** Validates a prompt, and throws one `invalid_argument` that lists all problems. */
export function checkPrompt<P>(id: string, roots: readonly Node<P>[], policies: readonly ToolPolicy[]): void {
  const nodes = allNodes(roots);
  const tools = nodes.flatMap(({ section }) => section.tools);
  const names = new Set(tools.map((tool) => fullName(tool.name, namespaceOf(tool)?.name)));
  const own = [OPEN_SECTIONS, READ_SECTION].filter((name) => names.has(name));
  const all = [...policies, ...nodes.flatMap(({ section }) => section.policies)];
  const problems = [
    ...(ID.test(id) ? [] : [`the id of prompt ${JSON.stringify(id)} must match ${ID.source}`]),
    ...(roots.length === 0 ? ["a prompt must have at least one section"] : []),
    ...twice(roots.map(({ section }) => section.key)).map(
      (key) => `section keys must be unique: ${JSON.stringify(key)} is used twice`,
    ),
    ...own.map(
      (name) => `the tool name ${JSON.stringify(name)} is reserved by codexwright: use another name`,
    ),
    ...all.flatMap(({ name, tools: needed = [] }) =>
      needed
        .filter((one) => !names.has(one))
        .map((one) => `policy ${name} needs the tool ${one}, but no section has it`),
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
