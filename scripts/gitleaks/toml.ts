/** A gitleaks rule, as in its configuration. */
export interface Rule {
  readonly id: string;
  readonly regex: string | undefined;
  readonly secretGroup: number | undefined;
  readonly entropy: number | undefined;
  readonly keywords: readonly string[];
  readonly allowlists: readonly Allowlist[];
}

export interface Allowlist {
  readonly regexTarget: string | undefined;
  readonly regexes: readonly string[];
  readonly stopwords: readonly string[];
}

type Table = Record<string, unknown>;

/** Reads the rules of a `gitleaks.toml`. Supports the subset of TOML that this file uses. */
export function readRules(text: string): Rule[] {
  const tables = readTables(text);
  const rules: (Rule & { allowlists: Allowlist[] })[] = [];
  for (const { name, table } of tables) {
    if (name === "rules") {
      rules.push({
        id: String(table["id"]),
        regex: optional(table["regex"], "string"),
        secretGroup: optional(table["secretGroup"], "number"),
        entropy: optional(table["entropy"], "number"),
        keywords: list(table["keywords"]),
        allowlists: [],
      });
    } else if (name === "rules.allowlists") {
      rules.at(-1)?.allowlists.push({
        regexTarget: optional(table["regexTarget"], "string"),
        regexes: list(table["regexes"]),
        stopwords: list(table["stopwords"]),
      });
    }
  }
  return rules;
}

function readTables(text: string): { name: string; table: Table }[] {
  const tables: { name: string; table: Table }[] = [{ name: "", table: {} }];
  const token = /\s+|#[^\n]*|\[\[?([\w.]+)\]\]?[ \t]*\n|(\w+)[ \t]*=[ \t]*/y;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const found = token.exec(text);
    if (!found)
      throw new Error(`cannot read the configuration at ${JSON.stringify(text.slice(at, at + 60))}`);
    const [, name, key] = found;
    if (name !== undefined) tables.push({ name, table: {} });
    if (key === undefined) continue;
    const { value, end } = readValue(text, token.lastIndex);
    (tables.at(-1)?.table ?? {})[key] = value;
    token.lastIndex = end;
  }
  return tables;
}

function readValue(text: string, at: number): { value: unknown; end: number } {
  if (text[at] === "[") {
    const values: unknown[] = [];
    const gap = /(?:\s|,|#[^\n]*)*/y;
    for (let place = at + 1; ;) {
      gap.lastIndex = place;
      gap.exec(text);
      place = gap.lastIndex;
      if (text[place] === "]") return { value: values, end: place + 1 };
      const { value, end } = readValue(text, place);
      values.push(value);
      place = end;
    }
  }
  const scalar = /'''([^]*?)'''|"((?:[^"\\]|\\.)*)"|'([^']*)'|([\d.]+)|(true|false)/y;
  scalar.lastIndex = at;
  const found = scalar.exec(text);
  if (!found) throw new Error(`cannot read the value at ${JSON.stringify(text.slice(at, at + 60))}`);
  const [, long, quoted, literal, number, flag] = found;
  const value =
    long ??
    (quoted === undefined ? undefined : (JSON.parse(`"${quoted}"`) as string)) ??
    literal ??
    (number === undefined ? flag === "true" : Number(number));
  return { value, end: scalar.lastIndex };
}

function optional<T extends "string" | "number">(
  value: unknown,
  type: T,
): (T extends "string" ? string : number) | undefined {
  return typeof value === type ? (value as never) : undefined;
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
