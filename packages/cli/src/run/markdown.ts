import { Marked, type Tokens } from "marked";
import { markedTerminal } from "marked-terminal";

/** Markdown for a terminal of this width; what cannot be parsed comes back as it is. */
export function renderMarkdown(text: string, width: number): string {
  const marked = new Marked(
    markedTerminal({ width, reflowText: true, tab: 2, showSectionPrefix: false }, { ignoreIllegals: true }),
    {
      renderer: {
        // The package prints the text of a list's items without the markup in it.
        text(token: Tokens.Text | Tokens.Escape | Tokens.Tag) {
          return "tokens" in token && token.tokens ? this.parser.parseInline(token.tokens) : token.text;
        },
      },
    },
  );
  const rendered = marked.parse(text);
  return typeof rendered === "string" ? rendered.replace(/\s+$/, "") : text;
}
