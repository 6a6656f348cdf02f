/**
 * Returns the keys of a TOML file with their values, both flattened: `[a.b]` and `c = 1` become `a.b` and
 * `a.b.c`.
 *
 * This is not a full parser: strings lose their quotes, every other value stays as it is written, and invalid
 * TOML yields fewer keys, never an error. It is enough to read a setting.
 */
export function tomlKeys(text: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  let table = "";
  for (const { left, right } of statements(text)) {
    if (right === undefined) {
      table = segments(left).join(".");
      keys.set(table, "");
    } else {
      keys.set([...(table === "" ? [] : [table]), ...segments(left)].join("."), unquoted(right.trim()));
    }
  }
  return keys;
}

/** `left = right`, or the header of a table, which has no right side. */
interface Statement {
  readonly left: string;
  readonly right?: string;
}

/** A comment, a string of one of the four kinds, or one character. */
const TOKEN = /#[^\n]*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[\s\S]/g;

/**
 * Splits the text into statements. Strings and arrays can span several lines, and their content can look like
 * keys and tables.
 */
function* statements(text: string): Generator<Statement> {
  let left = "";
  let right: string | undefined;
  let depth = 0;
  for (const [token] of `${text}\n`.matchAll(TOKEN)) {
    if (token.startsWith("#")) continue;
    if (token === "\n" && depth <= 0) {
      if (left.trim() !== "") yield right === undefined ? { left } : { left, right };
      left = "";
      right = undefined;
      depth = 0;
    } else if (right === undefined) {
      if (token === "=") right = "";
      else left += token;
    } else {
      if (token === "[" || token === "{") depth++;
      if (token === "]" || token === "}") depth--;
      right += token;
    }
  }
}

function segments(key: string): string[] {
  return (key.match(/"[^"]*"|'[^']*'|[\w-]+/g) ?? []).map(unquoted);
}

function unquoted(value: string): string {
  const [, text = value] = /^(?:"""|'''|["'])([\s\S]*?)(?:"""|'''|["'])$/.exec(value) ?? [];
  return text;
}
