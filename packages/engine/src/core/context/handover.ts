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

/** The room that a message takes besides its text. */
const MESSAGE_TOKENS = 40;
/** A shorter part of a message is not worth its place. */
const LEAST_PART = 256;

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
  const said = lastMessages(history, userTokens);
  const text = summary.trim() === "" ? NO_SUMMARY : summary;
  const last = message("user", [inputText(`${COMPACTION_HANDOVER}\n${text}`)]);
  return [...said.slice(0, -1), ...context, ...said.slice(-1), last];
}

/** The end of the conversation that fits into so many tokens. A message that does not fit is cut if there is room for a part. */
export function fitting(history: readonly WireObject[], tokens: number): readonly WireObject[] {
  let left = tokens;
  let first = history.length;
  for (; first > 0; first--) {
    const size = tokensOf(history.slice(first - 1, first));
    if (size > left) break;
    left -= size;
  }
  const next = history[first - 1];
  const kept = history.slice(first);
  return next?.["type"] === "message" && left >= LEAST_PART ? [shortened(next, left), ...kept] : kept;
}

/** The last messages of the user, oldest first. The oldest of them may be cut. Earlier summaries are not among them. */
function lastMessages(history: readonly WireObject[], tokens: number): WireObject[] {
  const messages: WireObject[] = [];
  let left = tokens;
  for (const item of history.toReversed()) {
    const text = isUserInput(item) ? textsOf(item) : "";
    if (text === "" || text.startsWith(`${COMPACTION_HANDOVER}\n`)) continue;
    // Each message takes some room besides its text.
    const room = left - MESSAGE_TOKENS;
    if (room <= 0) break;
    messages.unshift(message("user", [inputText(cut(text, room))]));
    left = room - tokensOfText(text);
  }
  return messages;
}

function textsOf({ content }: WireObject): string {
  return Array.isArray(content)
    ? content
        .filter(isJsonObject)
        .map((part) => textOf(part["text"]))
        .filter((text) => !/^(<image name=|<\/image>$)/.test(text))
        .join("")
    : "";
}

function shortened(item: WireObject, tokens: number): WireObject {
  if (!Array.isArray(item["content"])) return item;
  const content = item["content"].filter(isJsonObject);
  // Half of the room is for characters that JSON escapes.
  const each = Math.floor(tokens / 2 / Math.max(1, content.length));
  return {
    ...item,
    content: content.map((part) =>
      typeof part["text"] === "string" ? { ...part, text: cut(part["text"], each) } : part,
    ),
  };
}
