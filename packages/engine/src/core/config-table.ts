/** A value of a configuration, as in JSON. */
export type ConfigValue = string | number | boolean | readonly ConfigValue[] | ConfigTable;

export interface ConfigTable {
  readonly [key: string]: ConfigValue;
}

export function isTable(value: unknown): value is ConfigTable {
  // A date of a TOML parser is a value.
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/** Returns the value at a path of keys. Only own keys count, so a key such as "constructor" is absent. */
export function at(table: ConfigTable, keys: readonly string[]): ConfigValue | undefined {
  let value: ConfigValue = table;
  for (const key of keys) {
    if (!isTable(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key] as ConfigValue;
  }
  return value;
}

/** Merges two tables. Tables inside are merged, and any other value replaces the value below. */
export function merged(below: ConfigTable, above: ConfigTable): ConfigTable {
  const entries = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    const before = entries.get(key);
    entries.set(key, isTable(before) && isTable(value) ? merged(before, value) : value);
  }
  return Object.fromEntries(entries);
}

/** Returns a table without these top-level keys. */
export function without(table: ConfigTable, keys: ReadonlySet<string>): ConfigTable {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !keys.has(key)));
}

/** Returns the table that has one value at this path. */
export function nested(keys: readonly string[], value: ConfigValue): ConfigTable {
  const [key = "", ...rest] = keys;
  return Object.fromEntries([[key, rest.length === 0 ? value : nested(rest, value)]]);
}
