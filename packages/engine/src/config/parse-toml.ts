import { ConfigError } from "./config-error.ts";
import type { ConfigTable, ConfigValue } from "../core/config-table.ts";

/** Deeper tables are refused, because merging them could exceed the stack. */
const DEEPEST = 64;

/** Parses TOML. Errors name the line, but do not quote it. */
export async function parseToml(source: string, text: string): Promise<ConfigTable> {
  // The parser is loaded only if there is a configuration.
  const { parse, TomlError } = await import("smol-toml");
  let table: unknown;
  try {
    table = parse(text, { maxDepth: DEEPEST });
  } catch (error) {
    if (error instanceof TomlError) throw new ConfigError(source, `invalid TOML in line ${error.line}`);
    throw new ConfigError(source, "invalid TOML");
  }
  return plain(source, table, 0) as ConfigTable;
}

/** Replaces dates by texts. */
function plain(source: string, value: unknown, depth: number): ConfigValue {
  if (depth > DEEPEST) throw new ConfigError(source, `tables must not be nested deeper than ${DEEPEST}`);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map((each) => plain(source, each, depth + 1));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, plain(source, each, depth + 1)]),
    );
  }
  return typeof value === "bigint" ? Number(value) : (value as ConfigValue);
}
