import type { ThreadItem } from "../../../protocol/index.ts";

/**
 * Returns the last message that is marked as final. If there is none, returns the last message without a mark.
 * Commentary is never the answer.
 */
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
