import { Marked, type Token, type Tokens } from "marked";
import { markedTerminal } from "marked-terminal";
import stringWidth from "string-width";
import { clean } from "../shared/text.ts";

/** Longer code is shown without colours: they would take seconds, in which no key is heard. */
const COLOURED_CHARACTERS = 4_000;
/** Languages that are coloured. The package that does it prints a complaint, past us, about those that it does not know. */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    "bash c clojure cmake cpp cs csharp css dart diff dockerfile elixir elm erlang fsharp go graphql groovy haskell html ini " +
    "java javascript js json jsx julia kotlin kt latex less lisp lua makefile markdown md nginx nix objectivec ocaml patch perl " +
    "php plaintext powershell protobuf py python r rb rs ruby rust scala scheme scss sh shell sql swift toml ts tsx typescript " +
    "vim xml yaml yml zsh"
  ).split(" "),
);
/** Deeper nesting is shown as it was written: to lay it out takes many times as long for every level. */
const DEEPEST = 24;

/** Markdown for a terminal of this width; what cannot be parsed comes back as it is. */
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
    // Quotes in quotes in quotes: too many for us, or for the parser.
    return text;
  }
}

/** The default, a reset of all colours, is doubled by every list around it: one that is 30 deep would never end. */
function same(text: string): string {
  return text;
}

function prepare(token: Token): void {
  // Else the package prints a second box, beside the one that is a token of its own.
  if (token.type === "list_item") token["task"] = false;
  if (token.type !== "code") return;
  // To guess a language means trying all there are.
  const isColoured = LANGUAGES.has(String(token["lang"]).toLowerCase());
  if (!isColoured || String(token["text"]).length > COLOURED_CHARACTERS) token["lang"] = "plaintext";
}

function isDeeper(tokens: readonly Token[], levels: number): boolean {
  return tokens.some((token) => {
    const { tokens: inner = [], items = [] } = token as { tokens?: Token[]; items?: Token[] };
    return [inner, items].some((each) => each.length > 0 && (levels === 0 || isDeeper(each, levels - 1)));
  });
}

/** Columns a table takes with its frame; one that does not fit reads better as it was written. */
function widthOf({ header, rows }: Tokens.Table): number {
  const columns = header.map((_, column) =>
    Math.max(...[header, ...rows].map((row) => stringWidth(row[column]?.text ?? ""))),
  );
  return columns.reduce((sum, column) => sum + column + 3, 1);
}
