import { isTable, type ConfigTable, type ConfigValue } from "../../config-table.ts";

/** The text that clients see instead of a secret. If they write it back, the secret stays. */
export const HIDDEN = "[redacted]";

/** The keys whose texts are secrets. If the value is a table or a list, all texts in it are. */
const SECRET =
  /^(?:http_headers|env|headers|query_params|set)$|(?:token|password|passphrase|secret|api[_-]?key|private[_-]?key|authorization)$/i;

/** An address with a name and a password. Parsers of addresses do not need both slashes. */
const CREDENTIALS = /\/\/[^/?#]*@|^\s*(?:https?|wss?|ftp):[\\/]*[^\\/?#]*@/i;
/** Parsers of addresses leave these out. */
const LINES = /[\t\n\r]/g;

/** Returns the table with all secrets hidden. */
export function withoutSecrets(table: ConfigTable): ConfigTable {
  return hidden(table, false) as ConfigTable;
}

/** Returns the value at these keys with all secrets hidden. */
export function cleaned(value: ConfigValue, keys: readonly string[]): ConfigValue {
  return hidden(
    value,
    keys.some((key) => SECRET.test(key)),
  );
}

/** Returns the new value with the secrets of the old one, if it has the text that replaced them. */
export function restored(value: ConfigValue, before: ConfigValue | undefined): ConfigValue {
  if (value === HIDDEN) return before ?? value;
  if (Array.isArray(value)) {
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    return value.map((each, at) => restored(each as ConfigValue, old[at] as ConfigValue | undefined));
  }
  if (!isTable(value)) return value;
  const old = before !== undefined && isTable(before) ? before : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      restored(each, Object.hasOwn(old, key) ? old[key] : undefined),
    ]),
  );
}

function hidden(value: ConfigValue, secret: boolean): ConfigValue {
  if (Array.isArray(value)) return value.map((each) => hidden(each as ConfigValue, secret));
  if (isTable(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, hidden(each, secret || SECRET.test(key))]),
    );
  }
  if (typeof value === "boolean" || value === "") return value;
  const isAddress = typeof value === "string" && CREDENTIALS.test(value.replaceAll(LINES, ""));
  return secret || isAddress ? HIDDEN : value;
}
