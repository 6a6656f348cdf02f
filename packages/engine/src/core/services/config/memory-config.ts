import type { ConfigEdit } from "codexwright/protocol";
import type { ConfigTable, ConfigValue } from "../../config-table.ts";
import type {
  ConfigFileLayer,
  ConfigFiles,
  ConfigWriteOptions,
  ConfigWritten,
  Platform,
} from "../../ports.ts";
import { edited, tableEdits } from "./edit-table.ts";
import { versionOf } from "./view.ts";
import { ConfigWriteError } from "./write-error.ts";

/** Settings whose values must be text. */
const TEXTS: readonly string[] = ["model", "model_provider", "model_reasoning_effort"];

/** A configuration in memory. Clients can read and write it, but it does not affect the engine. */
export class MemoryConfig implements ConfigFiles {
  readonly #file: string;
  readonly #platform: Platform;
  #table: ConfigTable;

  constructor(table: ConfigTable, home: string, platform: Platform) {
    this.#table = table;
    this.#platform = platform;
    this.#file = platform.paths.join(home, "config.toml");
  }

  layers(): Promise<readonly ConfigFileLayer[]> {
    return Promise.resolve([this.#layer]);
  }

  async write(
    edits: readonly ConfigEdit[],
    { file, expectedVersion }: ConfigWriteOptions,
  ): Promise<ConfigWritten> {
    await Promise.resolve();
    if (file !== undefined && file !== this.#file) throw ConfigWriteError.readonly();
    if (expectedVersion !== undefined && expectedVersion !== versionOf(this.#table, this.#platform)) {
      throw ConfigWriteError.conflict();
    }
    const table = tableEdits(edits).reduce((below, edit) => edited(below, edit), this.#table);
    for (const key of TEXTS) checkText(key, table[key]);
    this.#table = table;
    return { file: this.#file, layer: this.#layer };
  }

  get #layer(): ConfigFileLayer {
    return {
      name: { type: "user", file: this.#file, profile: null },
      table: this.#table,
      disabledReason: null,
    };
  }
}

function checkText(key: string, value: ConfigValue | undefined): void {
  if (value === undefined || typeof value === "string") return;
  const type = typeof value === "number" ? "integer" : typeof value;
  throw ConfigWriteError.invalid(
    `Invalid configuration: invalid type: ${type} \`${JSON.stringify(value)}\`, expected a string\nin \`${key}\`\n`,
  );
}
