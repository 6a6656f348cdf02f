import { isJsonObject } from "codexwright/internal";
import { cut } from "./budget.ts";
import { inputText, message } from "./conversation.ts";
import { tokensOf, tokensOfText } from "./size.ts";
import { COMPACTION_HANDOVER, NO_SUMMARY } from "../instructions/notes.ts";
import { isUserInput } from "../records/user-input.ts";
import { textOf } from "../text.ts";
import type { WireObject } from "../wire-object.ts";

/** The most tokens of the user's messages that a new conversation begins with. */
export const USER_TOKENS = 20_000;

/** The parts of a conversation that replaces a longer one. */
export interface Handover {
  readonly history: readonly WireObject[];
  /** The messages about the situation. */
  readonly context: readonly WireObject[];
  /** The summary that the model wrote. */
  readonly summary: string;
  /** The most tokens of the user's messages. */
  readonly userTokens: number;
}

/**
 * The conversation that replaces the history: the last messages of the user, the context before the last of them, and
 * the summary.
 */
export function handedOver({ history, context, summary, userTokens }: Handover): WireObject[] {
  const said = lastTexts(history, userTokens).map((text) => message("user", [inputText(text)]));
  const text = summary.trim() === "" ? NO_SUMMARY : summary;
  const last = message("user", [inputText(`${COMPACTION_HANDOVER}\n${text}`)]);
  return [...said.slice(0, -1), ...context, ...said.slice(-1), last];
}

/** The end of the conversation that fits into so many tokens. Cuts the last item if it alone is too long. */
export function fitting(history: readonly WireObject[], tokens: number): readonly WireObject[] {
  let left = tokens;
  let first = history.length;
  while (first > 0) {
    const size = tokensOf(history.slice(first - 1, first));
    if (size > left) break;
    left -= size;
    first--;
  }
  if (first === 0) return history;
  const last = history.at(-1);
  return first === history.length && last !== undefined ? [shortened(last, tokens)] : history.slice(first);
}

/** The last texts of the user, oldest first. The oldest of them may be cut. Earlier summaries are not among them. */
function lastTexts(history: readonly WireObject[], tokens: number): string[] {
  const texts: string[] = [];
  let left = tokens;
  for (const item of history.toReversed()) {
    if (left <= 0) break;
    const text = isUserInput(item) ? textsOf(item) : "";
    if (text === "" || text.startsWith(`${COMPACTION_HANDOVER}\n`)) continue;
    texts.unshift(cut(text, left));
    left -= tokensOfText(text);
  }
  return texts;
}

function textsOf({ content }: WireObject): string {
  return Array.isArray(content)
    ? content
        .filter(isJsonObject)
        .map((part) => textOf(part["text"]))
        .join("")
    : "";
}

function shortened(item: WireObject, tokens: number): WireObject {
  if (!Array.isArray(item["content"])) return item;
  const content = item["content"].filter(isJsonObject);
  const each = Math.max(1, Math.floor(tokens / content.length));
  return {
    ...item,
    content: content.map((part) =>
      typeof part["text"] === "string" ? { ...part, text: cut(part["text"], each) } : part,
    ),
  };
}
