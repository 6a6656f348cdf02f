import type { ThreadItem } from "../../../protocol/index.ts";

/** The last message marked as final, or else the last unmarked one. Commentary is never the answer. */
export function finalAnswer(items: readonly ThreadItem[]): string {
  let unmarked: string | undefined;
  let final: string | undefined;
  for (const item of items) {
    if (item.type !== "agentMessage") continue;
    if (item.phase === "final_answer") final = item.text;
    else if (!item.phase) unmarked = item.text;
  }
  return final ?? unmarked ?? "";
}
