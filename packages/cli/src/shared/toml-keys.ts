/**
 * The keys of a TOML file with their values, both flattened: `[a.b]` and `c = 1` give `a.b` and `a.b.c`.
 *
 * It only looks: strings lose their quotes, every other value stays as it is written, and text that is not TOML
 * gives fewer keys, never an error. Enough for reading a setting, not for understanding a file.
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

/** `left = right`, or a table's header without a right side. */
interface Statement {
  readonly left: string;
  readonly right?: string;
}

/** A comment, a string of one of the four kinds, or one character. */
const TOKEN = /#[^\n]*|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|[\s\S]/g;

/** Strings and arrays run over several lines, and what stands in them looks like keys and tables at times. */
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
