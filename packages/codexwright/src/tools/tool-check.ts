import * as is from "../rpc/options/check.ts";
import { shownName } from "../rpc/options/shown.ts";
import { schemaProblem } from "../schema/schema.ts";
import type { Tool, ToolNamespace } from "./tool.ts";

/** The server's rules for tools. The server rejects the whole `thread/start` if one tool breaks them. */
const NAME = /^[a-zA-Z0-9_-]+$/;
const LONGEST_NAME = 128;
const LONGEST_NAMESPACE = 64;
const LONGEST_NAMESPACE_DESCRIPTION = 1024;

/** Returns the problems of a single tool. The type of its context does not matter here. */
export function toolProblems(tool: Tool<never>): string[] {
  const what = `tool ${shownName(tool.name)}`;
  const namespace = namespaceOf(tool);
  return [
    nameProblem(what, tool.name, LONGEST_NAME),
    typeof tool.description === "string" ? undefined : `${what} has no description`,
    schemaProblem(`input of ${what}`, tool.input),
    tool.output === undefined ? undefined : schemaProblem(`output of ${what}`, tool.output),
    namespace && namespaceProblem(what, namespace),
    tool.deferLoading && !namespace
      ? `${what} has deferLoading but no namespace: add one, because the server accepts deferred tools only in a namespace`
      : undefined,
    tool.timeoutMs === undefined || is.milliseconds.fits(tool.timeoutMs)
      ? undefined
      : is.misfit(is.milliseconds, tool.timeoutMs, `timeoutMs of ${what}`).message,
    typeof tool.run === "function" ? undefined : `${what} has no run function`,
  ].filter((problem) => problem !== undefined);
}

/** Returns a tool's namespace in its long form. */
export function namespaceOf({ namespace }: Tool<never>): ToolNamespace | undefined {
  return typeof namespace === "string" ? { name: namespace, description: "" } : namespace;
}

/** Returns the name of a tool for messages: `name` or `namespace.name`. */
export function fullName(tool: string, namespace: string | null | undefined): string {
  return namespace ? `${namespace}.${tool}` : tool;
}

function nameProblem(what: string, name: unknown, longest: number): string | undefined {
  if (typeof name === "string" && NAME.test(name) && name.length <= longest) return undefined;
  return `the name of ${what} must be 1 to ${longest} of the characters a-z, A-Z, 0-9, _ and -`;
}

function namespaceProblem(what: string, { name, description }: ToolNamespace): string | undefined {
  const namespace = `namespace ${shownName(name)} of ${what}`;
  // The server counts characters, not UTF-16 units.
  if (Array.from(description).length > LONGEST_NAMESPACE_DESCRIPTION) {
    return `the description of ${namespace} is longer than ${LONGEST_NAMESPACE_DESCRIPTION} characters`;
  }
  return nameProblem(namespace, name, LONGEST_NAMESPACE);
}
