import { Marked, type Token, type Tokens } from "marked";
import { markedTerminal } from "marked-terminal";
import stringWidth from "string-width";
import { clean } from "../shared/text.ts";

/** Longer code is shown without colours: highlighting would take seconds, and keys would not respond. */
const COLOURED_CHARACTERS = 4_000;
/**
 * Languages that are highlighted. For an unknown language, the highlighter prints a warning that does not go
 * through our output.
 */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    "bash c clojure cmake cpp cs csharp css dart diff dockerfile elixir elm erlang fsharp go graphql groovy haskell html ini " +
    "java javascript js json jsx julia kotlin kt latex less lisp lua makefile markdown md nginx nix objectivec ocaml patch perl " +
    "php plaintext powershell protobuf py python r rb rs ruby rust scala scheme scss sh shell sql swift toml ts tsx typescript " +
    "vim xml yaml yml zsh"
  ).split(" "),
);
/** Deeper nesting is shown unformatted: each level multiplies the time to lay it out. */
const DEEPEST = 24;

/** Renders markdown for a terminal of this width. Returns text unchanged if it cannot be parsed. */
export function renderMarkdown(text: string, width: number): string {
  const marked = new Marked(
    markedTerminal(
      { width, reflowText: true, tab: 2, showSectionPrefix: false, emoji: false, listitem: same },
      { ignoreIllegals: true },
    ),
    {
      walkTokens: prepare,
      hooks: {
        processAllTokens(tokens) {
          if (isDeeper(tokens, DEEPEST)) throw new RangeError("nested too deep");
          return tokens;
        },
      },
      renderer: {
        // The package prints the text of list items without their markup. Entities are already decoded here,
        // so the text must be cleaned again: `&#27;` is an ESC.
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
    // In lists, the package leaves its own markers for hard line breaks.
    return typeof rendered === "string" ? rendered.replaceAll("\r", "\n").trimEnd() : text;
  } catch {
    // Nested too deep for us, or for the parser.
    return text;
  }
}

/**
 * By default, each enclosing list doubles the colour resets: rendering a list that is 30 levels deep would never end.
 */
function same(text: string): string {
  return text;
}

function prepare(token: Token): void {
  // By default, the package prints a second checkbox, beside the one that has its own token.
  if (token.type === "list_item") token["task"] = false;
  if (token.type !== "code") return;
  // Without a known language, the highlighter would try every language.
  const isColoured = LANGUAGES.has(String(token["lang"]).toLowerCase());
  if (!isColoured || String(token["text"]).length > COLOURED_CHARACTERS) token["lang"] = "plaintext";
}

function isDeeper(tokens: readonly Token[], levels: number): boolean {
  return tokens.some((token) => {
    const { tokens: inner = [], items = [] } = token as { tokens?: Token[]; items?: Token[] };
    return [inner, items].some((each) => each.length > 0 && (levels === 0 || isDeeper(each, levels - 1)));
  });
}

/**
 * The width of a table with its frame. A table that does not fit is shown unformatted, which is easier to
 * read.
 */
function widthOf({ header, rows }: Tokens.Table): number {
  const columns = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => stringWidth(row[column]?.text ?? ""))),
  );
  return columns.reduce((sum, column) => sum + column + 3, 1);
}
