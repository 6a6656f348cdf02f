import type { ConfigEdit, JsonValue } from "codexwright/protocol";
import { isTable, merged, type ConfigTable, type ConfigValue } from "../../config-table.ts";
import { keysOfPath, LONE_SURROGATE } from "./key-path.ts";
import { restored } from "./secrets.ts";
import { ConfigWriteError } from "./write-error.ts";

/** Deeper values are refused, because the parser refuses tables that deep. */
const DEEPEST = 32;
/** Each edit copies the tables above its key. */
const MOST_EDITS = 1_000;

/** The selectors of profiles, which are files of their own now. */
const LEGACY: Readonly<Record<string, string>> = {
  profile: "is a legacy config selector",
  profiles: "contains legacy config profile tables",
};

/** One change of a table. Without a value, it removes the key. */
export interface TableEdit {
  readonly keys: readonly string[];
  readonly value: ConfigValue | undefined;
  readonly upsert: boolean;
}

/** Checks the edits of a client. */
export function tableEdits(edits: readonly ConfigEdit[]): TableEdit[] {
  if (edits.length > MOST_EDITS) throw ConfigWriteError.invalid(`there must be at most ${MOST_EDITS} edits`);
  return edits.map(({ keyPath, value, mergeStrategy }) => {
    const keys = keysOfPath(keyPath);
    const [first = ""] = keys;
    if (value !== null && Object.hasOwn(LEGACY, first)) {
      throw ConfigWriteError.invalid(
        `\`${first}\` ${LEGACY[first]} and can no longer be written; use \`--profile <name>\` with \`<name>.config.toml\` instead`,
      );
    }
    return {
      keys,
      value: value === null ? undefined : valueOf(value, 0),
      upsert: mergeStrategy === "upsert",
    };
  });
}

/** Returns the table with this change. */
export function edited(table: ConfigTable, { keys, value, upsert }: TableEdit): ConfigTable {
  const [key = "", ...rest] = keys;
  const before = Object.hasOwn(table, key) ? table[key] : undefined;
  if (rest.length === 0) {
    if (value === undefined) return without(table, key);
    const whole = restored(value, before);
    const both = upsert && isTable(before) && isTable(whole);
    return withValue(table, key, both ? merged(before, whole) : whole);
  }
  if (before !== undefined && !isTable(before)) {
    throw ConfigWriteError.invalid("cannot set value on non-table parent");
  }
  // Removing a key makes no tables.
  if (before === undefined && value === undefined) return table;
  return withValue(table, key, edited(before ?? {}, { keys: rest, value, upsert }));
}

/** A value as TOML can have it. */
function valueOf(value: JsonValue | undefined, depth: number): ConfigValue {
  if (depth > DEEPEST) throw ConfigWriteError.invalid(`values must not be nested deeper than ${DEEPEST}`);
  if (value === null || value === undefined) {
    throw ConfigWriteError.invalid("invalid value: invalid type: null, expected any valid TOML value");
  }
  if (Array.isArray(value)) return value.map((each) => valueOf(each, depth + 1));
  if (typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [wellFormed(key), valueOf(each, depth + 1)]),
    );
  }
  return typeof value === "string" ? wellFormed(value) : value;
}

function wellFormed(text: string): string {
  if (LONE_SURROGATE.test(text)) throw ConfigWriteError.invalid("invalid value: text must be valid Unicode");
  return text;
}

/** Defines the key instead of assigning it, because it can be `__proto__`. */
function withValue(table: ConfigTable, key: string, value: ConfigValue): ConfigTable {
  return Object.fromEntries(new Map(Object.entries(table)).set(key, value));
}

function without(table: ConfigTable, key: string): ConfigTable {
  return Object.fromEntries(Object.entries(table).filter(([each]) => each !== key));
}
