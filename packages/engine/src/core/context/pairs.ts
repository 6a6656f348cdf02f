import { textOf } from "../text.ts";
import type { WireObject } from "../wire-object.ts";

/** The types of calls, each with the type of its output. */
const OUTPUTS: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  local_shell_call: "local_shell_call_output",
  tool_search_call: "tool_search_output",
};
const CALLS = new Map(Object.entries(OUTPUTS).map(([call, output]) => [output, call]));

/** Returns the type of the output that an item needs, or `undefined` if it is not a call. */
export function outputType(item: WireObject): string | undefined {
  const type = textOf(item["type"]);
  return Object.hasOwn(OUTPUTS, type) ? OUTPUTS[type] : undefined;
}

/**
 * Returns the items with exactly one output after each call: outputs without a call are left out, and a call without an
 * output gets `lost` right after it.
 */
export function paired(items: readonly WireObject[], lost: string): WireObject[] {
  const open = new Map<string, number[]>();
  const answered = new Set<number>();
  const orphans = new Set<number>();
  for (const [at, item] of items.entries()) {
    const type = textOf(item["type"]);
    if (outputType(item) !== undefined) {
      const key = `${type} ${textOf(item["call_id"])}`;
      const waiting = open.get(key);
      if (waiting) waiting.push(at);
      else open.set(key, [at]);
    } else if (CALLS.has(type)) {
      const call = open.get(`${CALLS.get(type)} ${textOf(item["call_id"])}`)?.shift();
      if (call === undefined) orphans.add(at);
      else answered.add(call);
    }
  }
  return items.flatMap((item, at) => {
    if (orphans.has(at)) return [];
    const type = outputType(item);
    if (type === undefined || answered.has(at)) return [item];
    const output = type === "tool_search_output" ? { tools: [] } : { output: lost };
    return [item, { type, call_id: textOf(item["call_id"]), ...output }];
  });
}
