import type { ThreadItem } from "codexwright/protocol";
import type { Style } from "../shared/style.ts";
import { clean, jsonText } from "../shared/text.ts";
import { commandLine, commandOutcome, fileChanges, shortened } from "./item-text.ts";

/** How text for people is formatted. */
export interface Look {
  readonly style: Style;
  /** Files in this folder are shown by their relative names. */
  readonly folder: string;
  /** Renders markdown for display. */
  readonly markdown: (text: string) => string;
}

/**
 * Formats a finished item as a block of text that ends with a line feed. Returns "" for items that are not
 * shown.
 */
export function itemBlock(item: ThreadItem, { style, folder, markdown }: Look): string {
  switch (item.type) {
    case "userMessage":
      return line(`${style.cyan("›")} ${style.bold(userText(item))}`);
    case "agentMessage":
      return item.text.trim() === "" ? "" : line(markdown(clean(item.text)));
    case "reasoning":
      return item.summary.length === 0 ? "" : line(reasoningText(item.summary.join("\n\n"), style));
    case "commandExecution":
      return commandLine(item.command, style) + commandOutcome(item, style);
    case "fileChange": {
      const files = fileChanges(item.changes, folder, style);
      return item.status === "completed" ? files : `${files}  ${style.red("not applied")}\n`;
    }
    case "mcpToolCall":
      return toolLine(`${item.server}.${item.tool}`, item.arguments, item.status, style);
    case "dynamicToolCall":
      return toolLine(item.tool, item.arguments, item.status, style);
    case "webSearch":
      return line(`${style.dim("search")} ${style.bold(clean(item.query))}`);
    case "contextCompaction":
      return line(style.dim("The context was compacted."));
    case "exitedReviewMode":
      return line(markdown(clean(item.review)));
    default:
      return "";
  }
}

/** Dims the whole text and marks its headings, the only markdown in a summary. */
function reasoningText(summary: string, style: Style): string {
  const text = clean(summary).trim();
  if (style.level === 0) return text;
  return style.dim(text.replaceAll(/\*\*([^*\n]+)\*\*/g, (_, words: string) => style.italic(words)));
}

/** The text of a user message. Parts that are not text are shown by their type. */
export function userText(item: Extract<ThreadItem, { type: "userMessage" }>): string {
  return clean(item.content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join(" "));
}

function toolLine(name: string, args: unknown, status: string, style: Style): string {
  const failed = status === "failed" ? ` ${style.red("failed")}` : "";
  const given = shortened(jsonText(args ?? {}));
  return line(`${style.dim("tool")} ${style.bold(clean(name))} ${style.dim(given)}${failed}`);
}

function line(text: string): string {
  return `${text}\n`;
}
