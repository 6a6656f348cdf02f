import { fieldsOf } from "../shared/fields.ts";

type Fields = Readonly<Record<string, unknown>>;

const LONGEST = 120;

/** The id of the thread that params or a result refer to. */
export function threadOf(value: unknown): string | undefined {
  const { threadId, conversationId, thread } = fieldsOf(value);
  return textOf(threadId) ?? textOf(conversationId) ?? textOf(fieldsOf(thread)["id"]);
}

/** The id of the turn that params or a result refer to. */
export function turnOf(value: unknown): string | undefined {
  const { turnId, turn } = fieldsOf(value);
  return textOf(turnId) ?? textOf(fieldsOf(turn)["id"]);
}

/** Summarises an error in a few words. Returns `undefined` if there is no error. */
export function errorOf(error: unknown): string | undefined {
  const { code, message } = fieldsOf(error);
  if (message === undefined) return undefined;
  return short([textOf(code) ?? numberOf(code), textOf(message)].filter(Boolean).join(" "));
}

/**
 * Summarises a message in a few words: the text of a turn, the command of an item, the decision of an
 * approval.
 */
export function summaryOf(method: string, params: unknown, result: unknown): string {
  const asked = fieldsOf(params);
  const answer = fieldsOf(result);
  const { item } = asked;
  if (item !== undefined) return itemSummary(fieldsOf(item));
  const parts = [
    textOf(asked["command"]) ?? joined(asked["command"]) ?? inputOf(asked["input"]),
    textOf(asked["summary"]) ?? textOf(asked["message"]),
    statusOf(asked["status"]),
    decisionOf(answer["decision"]),
    exitOf(answer["exitCode"]),
    tokensOf(asked["tokenUsage"]),
    method === "initialize" ? textOf(answer["userAgent"]) : undefined,
  ];
  return short(parts.filter(Boolean).join(" → "));
}

function itemSummary(item: Fields): string {
  const { type, text, command, tool, status, changes, content } = item;
  const what =
    textOf(command) ??
    (Array.isArray(changes)
      ? changes.map((change) => textOf(fieldsOf(change)["path"])).join(", ")
      : undefined) ??
    textOf(tool) ??
    textOf(text) ??
    inputOf(content);
  return short([textOf(type), what, textOf(status)].filter(Boolean).join(" · "));
}

function statusOf(status: unknown): string | undefined {
  return textOf(status) ?? textOf(fieldsOf(status)["type"]);
}

function decisionOf(decision: unknown): string | undefined {
  return textOf(decision) ?? Object.keys(fieldsOf(decision))[0];
}

function exitOf(code: unknown): string | undefined {
  return typeof code === "number" ? `exit ${code}` : undefined;
}

function tokensOf(usage: unknown): string | undefined {
  const { totalTokens } = fieldsOf(fieldsOf(usage)["total"]);
  return typeof totalTokens === "number" ? `${totalTokens} tokens` : undefined;
}

function inputOf(input: unknown): string | undefined {
  if (!Array.isArray(input)) return undefined;
  return input
    .map((each) => textOf(fieldsOf(each)["text"]) ?? textOf(fieldsOf(each)["type"]))
    .filter(Boolean)
    .join(" ");
}

function joined(words: unknown): string | undefined {
  return Array.isArray(words) ? words.join(" ") : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function numberOf(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : undefined;
}

/** Shortens a text to one line of limited length. */
function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
