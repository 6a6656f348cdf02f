import { ConfigError } from "./config-error.ts";
import { tableOf, type ConfigLayer } from "./layers/index.ts";
import { at, isTable, type ConfigTable, type ConfigValue } from "../core/config-table.ts";

/** Reads settings of the right type from layers. An error names the layer that holds the wrong value. */
export class SettingsReader {
  readonly table: ConfigTable;
  readonly #layers: readonly ConfigLayer[];

  constructor(layers: readonly ConfigLayer[]) {
    this.#layers = layers;
    this.table = tableOf(layers);
  }

  text(...keys: string[]): string | undefined {
    return this.#read(keys, "a string", (value) => typeof value === "string");
  }

  flag(...keys: string[]): boolean | undefined {
    return this.#read(keys, "true or false", (value) => typeof value === "boolean");
  }

  count(least: number, ...keys: string[]): number | undefined {
    const fits = (value: ConfigValue): value is number =>
      Number.isSafeInteger(value) && (value as number) >= least;
    return this.#read(keys, `an integer of at least ${least}`, fits);
  }

  seconds(...keys: string[]): number | undefined {
    const fits = (value: ConfigValue): value is number => typeof value === "number" && value >= 0;
    return this.#read(keys, "a number of seconds", fits);
  }

  oneOf<W extends string>(words: readonly W[], ...keys: string[]): W | undefined {
    const fits = (value: ConfigValue): value is W => (words as readonly ConfigValue[]).includes(value);
    return this.#read(keys, `one of ${words.join(", ")}`, fits);
  }

  texts(...keys: string[]): readonly string[] | undefined {
    const fits = (value: ConfigValue): value is readonly string[] =>
      Array.isArray(value) && value.every((each) => typeof each === "string");
    return this.#read(keys, "a list of strings", fits);
  }

  /** A list of strings and tables; empty if it is not set. */
  list(...keys: string[]): readonly (string | ConfigTable)[] {
    const fits = (value: ConfigValue): value is readonly (string | ConfigTable)[] =>
      Array.isArray(value) && value.every((each) => typeof each === "string" || isTable(each));
    return this.#read(keys, "a list of strings or tables", fits) ?? [];
  }

  textTable(...keys: string[]): Readonly<Record<string, string>> | undefined {
    const fits = (value: ConfigValue): value is Readonly<Record<string, string>> & ConfigTable =>
      isTable(value) && Object.values(value).every((each) => typeof each === "string");
    return this.#read(keys, "a table of strings", fits);
  }

  sub(...keys: string[]): ConfigTable | undefined {
    return this.#read(keys, "a table", isTable);
  }

  /** The error for a value that has the right type but is not allowed. */
  wrong(problem: string, ...keys: string[]): ConfigError {
    const holders = this.#layers.filter(
      ({ table, disabledReason }) => disabledReason === null && at(table, keys) !== undefined,
    );
    return new ConfigError(holders.at(-1)?.source ?? "config.toml", problem, keys.join("."));
  }

  #read<V>(
    keys: readonly string[],
    expected: string,
    fits: (value: ConfigValue) => value is V & ConfigValue,
  ): V | undefined {
    const value = at(this.table, keys);
    if (value === undefined) {
      // A parent that is not a table hides the key.
      for (let depth = 1; depth < keys.length; depth++) {
        const parent = at(this.table, keys.slice(0, depth));
        if (parent !== undefined && !isTable(parent))
          throw this.wrong("must be a table", ...keys.slice(0, depth));
      }
      return undefined;
    }
    if (!fits(value)) throw this.wrong(`must be ${expected}`, ...keys);
    return value;
  }
}
