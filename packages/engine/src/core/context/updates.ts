import { isJsonObject } from "codexwright/internal";
import { inputText, message } from "./conversation.ts";
import { AGENTS_MD, type ContextPart } from "./environment.ts";
import { isAgentsMd } from "../instructions/agents-md.ts";
import { textOf } from "../text.ts";
import type { WireObject } from "../wire-object.ts";

/**
 * The messages that bring the conversation up to date: all parts for a new conversation, later only the parts that have
 * changed. The conversation itself shows the last text of each part, so a resumed or compacted thread needs no other
 * state.
 */
export function contextUpdates(history: readonly WireObject[], parts: readonly ContextPart[]): WireObject[] {
  const told = lastTold(history);
  const groups = [
    // As in Codex, new instructions of a project come first in an update.
    parts.filter(({ tag }) => tag === AGENTS_MD && told.size > 0),
    parts.filter(({ role }) => role === "developer"),
    parts.filter(({ role, tag }) => role === "user" && !(tag === AGENTS_MD && told.size > 0)),
  ];
  return groups.flatMap((group) => {
    const texts = group.flatMap((part) => news(part, told.get(keyOf(part.role, part.tag))));
    const [first] = group;
    return first && texts.length > 0
      ? [
          message(
            first.role,
            texts.map((text) => inputText(text)),
          ),
        ]
      : [];
  });
}

/** Returns the text that brings the model up to date on a part. `told` is the last text of this part that it received. */
function news({ text, again, gone }: ContextPart, told: string | undefined): string[] {
  if (text === "") return told === undefined || gone === undefined || told === gone ? [] : [gone];
  if (told === undefined || told === gone) return [text];
  return told === text || told === again ? [] : [again ?? text];
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

const TAG = /^<(permissions instructions|skills_instructions|collaboration_mode|environment_context)>/;

function tagOf(text: string): string | undefined {
  return isAgentsMd(text) ? AGENTS_MD : TAG.exec(text)?.[1];
}

function keyOf(role: ContextPart["role"], tag: string | undefined): string {
  return `${role} ${tag ?? ""}`;
}

function textsOf({ content }: WireObject): string[] {
  return Array.isArray(content) ? content.filter(isJsonObject).map((part) => textOf(part["text"])) : [];
}
