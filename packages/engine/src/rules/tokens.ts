/** A token of a rules file. `line` counts from 1. */
export interface Token {
  readonly kind: "name" | "string" | "number" | "mark" | "end";
  /** The value of a string without quotes and escapes, or the token itself. */
  readonly text: string;
  readonly line: number;
}

/** Reports a problem at a line. */
export type Fail = (line: number, problem: string) => never;

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\",
  '"': '"',
  "'": "'",
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\n": "",
};
const CODE_ESCAPES: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const TOKEN = /[ \t\r\n]+|#[^\n]*|([A-Za-z_]\w*)|(-?\d+)|([()[\],=])/y;

/** Splits a rules file into tokens. White space only separates tokens. */
export function tokensOf(source: string, fail: Fail): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;
  while (at < source.length) {
    const quote = /(r?)("""|'''|"|')/y;
    quote.lastIndex = at;
    const opened = quote.exec(source);
    if (opened) {
      const [whole, raw = "", mark = ""] = opened;
      const string = readString(source, at + whole.length, mark, raw !== "", (why) => fail(line, why));
      tokens.push({ kind: "string", text: string.text, line });
      line += linesIn(source.slice(at, string.end));
      at = string.end;
      continue;
    }
    TOKEN.lastIndex = at;
    const [whole = "", name, number, mark] = TOKEN.exec(source) ?? [];
    if (whole === "") fail(line, `unexpected ${JSON.stringify(source[at])}`);
    if (name !== undefined) tokens.push({ kind: "name", text: name, line });
    else if (number !== undefined) tokens.push({ kind: "number", text: number, line });
    else if (mark !== undefined) tokens.push({ kind: "mark", text: mark, line });
    line += linesIn(whole);
    at += whole.length;
  }
  tokens.push({ kind: "end", text: "the end of the file", line });
  return tokens;
}

function readString(
  source: string,
  from: number,
  quote: string,
  raw: boolean,
  fail: (problem: string) => never,
): { readonly text: string; readonly end: number } {
  const parts: string[] = [];
  for (let at = from; at < source.length;) {
    if (source.startsWith(quote, at)) return { text: parts.join(""), end: at + quote.length };
    const char = source[at] ?? "";
    if (char === "\n" && quote.length === 1) break;
    if (char !== "\\") {
      parts.push(char);
      at++;
      continue;
    }
    const next = source[at + 1] ?? "";
    if (raw) {
      parts.push(char, next);
      at += 2;
      continue;
    }
    const digits = CODE_ESCAPES[next];
    if (digits !== undefined) {
      const code = source.slice(at + 2, at + 2 + digits);
      const point = /^[0-9A-Fa-f]+$/.test(code) && code.length === digits ? Number.parseInt(code, 16) : -1;
      if (point < 0 || point > 0x10_ff_ff) fail(`invalid escape \\${next}${code}`);
      parts.push(String.fromCodePoint(point));
      at += 2 + digits;
      continue;
    }
    const plain = Object.hasOwn(SIMPLE_ESCAPES, next) ? SIMPLE_ESCAPES[next] : undefined;
    if (plain === undefined) fail(`invalid escape \\${next}`);
    parts.push(plain ?? "");
    at += 2;
  }
  return fail("a string has no closing quote");
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}
