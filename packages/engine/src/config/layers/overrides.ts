import { ConfigError } from "../config-error.ts";
import { parseToml } from "../parse-toml.ts";
import { merged, nested, type ConfigTable, type ConfigValue } from "../../core/config-table.ts";

const SOURCE = "-c";
/** Deeper tables are refused, because merging them could exceed the stack. */
const DEEPEST = 64;

/** Reads overrides such as `model_providers.own.base_url="http://…"`. A value that is not TOML is a plain text. */
export async function overridesOf(overrides: readonly string[]): Promise<ConfigTable> {
  let table: ConfigTable = {};
  for (const override of overrides) {
    const end = override.indexOf("=");
    if (end === -1) throw new ConfigError(SOURCE, "an override must have the form key=value");
    const keys = keysOf(override.slice(0, end).trim());
    table = merged(table, nested(keys, await valueOf(override.slice(end + 1).trim())));
  }
  return table;
}

/** How many keys a client can set with one request. Each of them is merged into all others. */
const MOST_KEYS = 1_000;

/** The table of a client's settings. As in Codex, `null` is an empty text. */
export function requestTable(settings: Readonly<Record<string, unknown>>): ConfigTable {
  const entries = Object.entries(settings);
  if (entries.length > MOST_KEYS) throw new ConfigError("config", `must have at most ${MOST_KEYS} keys`);
  let table: ConfigTable = {};
  for (const [key, value] of entries) {
    const keys = key.split(".", DEEPEST + 1);
    if (keys.length > DEEPEST) throw new ConfigError("config", `keys must have at most ${DEEPEST} parts`);
    table = merged(table, nested(keys, plain(value, 0)));
  }
  return table;
}

function plain(value: unknown, depth: number): ConfigValue {
  if (depth > DEEPEST) throw new ConfigError("config", `tables must not be nested deeper than ${DEEPEST}`);
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((each) => plain(each, depth + 1));
  if (typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each, depth + 1)]));
  }
  return value as ConfigValue;
}

/** Splits a dotted key. A part may be quoted. */
function keysOf(text: string): string[] {
  const keys: string[] = [];
  const part = /(?:"((?:[^"\\]|\\["\\])*)"|'([^']*)'|([^."']+))(\.|$)/y;
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (!found) break;
    const [, double, single, bare, end] = found;
    keys.push(double?.replaceAll(/\\(.)/g, "$1") ?? single ?? bare?.trim() ?? "");
    if (end === "") {
      if (keys.length > 16) break;
      return keys;
    }
  }
  throw new ConfigError(
    SOURCE,
    "an override must begin with a key such as model or sandbox_workspace_write.network_access",
  );
}

async function valueOf(text: string): Promise<ConfigValue> {
  try {
    const { value } = await parseToml(SOURCE, `value = ${text.replaceAll(/\r?\n/g, " ")}`);
    if (value !== undefined) return value;
  } catch {
    // Not TOML, so it is a text.
  }
  return text.replace(/^(["'])(.*)\1$/s, "$2");
}
