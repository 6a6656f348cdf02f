import { Marked, type Token, type Tokens } from "marked";
import { markedTerminal } from "marked-terminal";
import stringWidth from "string-width";
import { clean } from "../shared/text.ts";

/** Longer code is shown without colours: they would take seconds, in which no key is heard. */
const COLOURED_CHARACTERS = 4_000;

/** Markdown for a terminal of this width; what cannot be parsed comes back as it is. */
export function renderMarkdown(text: string, width: number): string {
  const marked = new Marked(
    markedTerminal(
      { width, reflowText: true, tab: 2, showSectionPrefix: false, emoji: false },
      { ignoreIllegals: true },
    ),
    {
      walkTokens: prepare,
      renderer: {
        // The package prints the text of a list's items without the markup in it. Entities are decoded by now, so
        // that what they stand for has not been seen by anybody: `&#27;` is an ESC.
        text(token: Tokens.Text | Tokens.Escape | Tokens.Tag) {
          return "tokens" in token && token.tokens
            ? this.parser.parseInline(token.tokens)
            : clean(token.text);
        },
        table: (token) => (widthOf(token) > width ? `${token.raw.trimEnd()}\n\n` : false),
      },
    },
  );
  try {
    const rendered = marked.parse(text);
    // Its sign for a line that ends early is left in lists.
    return typeof rendered === "string" ? rendered.replaceAll("\r", "\n").trimEnd() : text;
  } catch {
    // Quotes in quotes in quotes, deeper than the stack is high.
    return text;
  }
}

function prepare(token: Token): void {
  // Else the package prints a second box, beside the one that is a token of its own.
  if (token.type === "list_item") token["task"] = false;
  if (token.type !== "code") return;
  // To guess a language means trying all there are.
  if (!token["lang"] || String(token["text"]).length > COLOURED_CHARACTERS) token["lang"] = "plaintext";
}

/** Columns a table takes with its frame; one that does not fit reads better as it was written. */
function widthOf({ header, rows }: Tokens.Table): number {
  const columns = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => stringWidth(row[column]?.text ?? ""))),
  );
  return columns.reduce((sum, column) => sum + column + 3, 1);
}
