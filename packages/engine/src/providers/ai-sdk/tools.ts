import { textOf } from "../../core/text.ts";
import type { WireObject } from "../../core/wire-object.ts";

/** The tools of a request in the form of the AI SDK. Tools of OpenAI's servers are left out. */
export function toolsFor(tools: readonly WireObject[]): object[] {
  return tools.flatMap((tool): object[] => {
    const { type, parameters, strict } = tool;
    const named = { type: "function", name: textOf(tool["name"]), description: textOf(tool["description"]) };
    if (type === "custom") return [{ ...named, inputSchema: PLAIN_TEXT }];
    if (type !== "function") return [];
    return [{ ...named, inputSchema: parameters ?? EMPTY, ...(strict === true && { strict }) }];
  });
}

/** The names of the tools whose arguments are plain text. */
export function customTools(tools: readonly WireObject[]): ReadonlySet<string> {
  return new Set(tools.filter(({ type }) => type === "custom").map(({ name }) => textOf(name)));
}

const PLAIN_TEXT = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };
const EMPTY = { type: "object", properties: {} };
