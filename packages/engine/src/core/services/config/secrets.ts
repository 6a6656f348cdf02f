import { isTable, type ConfigTable, type ConfigValue } from "../../config-table.ts";

/** The text that clients see instead of a secret. If they write it back, the secret stays. */
export const HIDDEN = "[redacted]";

/** The keys whose texts are secrets. If the value is a table or a list, all texts in it are. */
const SECRET =
  /^(?:experimental_bearer_token|http_headers|env|bearer_token|api_key|token|password|secret|client_secret|headers|query_params|authorization|set)$/i;

/** An address with a name and a password. */
const CREDENTIALS = /\/\/[^/?#]*@/;

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
  if (typeof value !== "string" || value === "") return value;
  return secret || CREDENTIALS.test(value) ? HIDDEN : value;
}
