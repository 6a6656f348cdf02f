import { isJsonObject } from "codexwright/internal";
import { inputText, message } from "./conversation.ts";
import type { ContextPart } from "./environment.ts";
import { textOf } from "../text.ts";
import type { WireObject } from "../wire-object.ts";

/**
 * The messages that bring the conversation up to date: all parts for a new conversation, later only the parts that have
 * changed. The conversation itself shows the last text of each part, so a resumed or compacted thread needs no other
 * state.
 */
export function contextUpdates(history: readonly WireObject[], parts: readonly ContextPart[]): WireObject[] {
  const told = lastTold(history);
  const changed = parts.filter(({ role, tag, text }) => told.get(keyOf(role, tag)) !== text);
  return (["developer", "user"] as const).flatMap((role) => {
    const texts = changed.filter((part) => part.role === role).map(({ text }) => inputText(text));
    return texts.length === 0 ? [] : [message(role, texts)];
  });
}

/** The last text of each part in the conversation. */
function lastTold(history: readonly WireObject[]): ReadonlyMap<string, string> {
  const told = new Map<string, string>();
  for (const item of history) {
    const { role } = item as { role?: unknown };
    if (item["type"] !== "message" || (role !== "developer" && role !== "user")) continue;
    for (const text of textsOf(item)) {
      const tag = tagOf(text);
      if (tag !== undefined || role === "developer") told.set(keyOf(role, tag), text);
    }
  }
  return told;
}

const TAG = /^<(permissions instructions|collaboration_mode|environment_context)>/;

function tagOf(text: string): string | undefined {
  return TAG.exec(text)?.[1];
}

function keyOf(role: ContextPart["role"], tag: string | undefined): string {
  return `${role} ${tag ?? ""}`;
}

function textsOf({ content }: WireObject): string[] {
  return Array.isArray(content) ? content.filter(isJsonObject).map((part) => textOf(part["text"])) : [];
}
