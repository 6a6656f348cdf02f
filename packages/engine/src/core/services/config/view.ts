import type { Config, ConfigLayer, ConfigLayerMetadata, JsonValue } from "codexwright/protocol";
import { at, isTable, merged, type ConfigTable, type ConfigValue } from "../../config-table.ts";
import type { ConfigFileLayer, Platform } from "../../ports.ts";
import { cleaned, withoutSecrets } from "./secrets.ts";

/** The settings that an answer always has, as the protocol asks for them. */
const SETTINGS: readonly string[] = [
  "model",
  "review_model",
  "model_context_window",
  "model_auto_compact_token_limit",
  "model_auto_compact_token_limit_scope",
  "model_provider",
  "approval_policy",
  "approvals_reviewer",
  "sandbox_mode",
  "sandbox_workspace_write",
  "forced_chatgpt_workspace_id",
  "forced_login_method",
  "web_search",
  "tools",
  "instructions",
  "developer_instructions",
  "compact_prompt",
  "model_reasoning_effort",
  "model_reasoning_summary",
  "model_verbosity",
  "service_tier",
  "analytics",
  "apps",
  "browser_use",
  "computer_use",
  "desktop",
];

/** The layers of a configuration as clients see them: with versions, and without secrets. */
export class ConfigView {
  /** From the weakest to the strongest, without those that do not count. */
  readonly #counting: readonly (ConfigFileLayer & { readonly version: string })[];
  readonly #all: readonly (ConfigFileLayer & { readonly version: string })[];

  constructor(layers: readonly ConfigFileLayer[], platform: Platform) {
    this.#all = layers.map((layer) => ({ ...layer, version: versionOf(layer.table, platform) }));
    this.#counting = this.#all.filter(({ disabledReason }) => disabledReason === null);
  }

  get config(): Config {
    const table = this.#counting.reduce<ConfigTable>((below, each) => merged(below, each.table), {});
    const unset = SETTINGS.map((key): [string, null] => [key, null]);
    return { ...Object.fromEntries(unset), ...withoutSecrets(table) } as unknown as Config;
  }

  /** The strongest layer of each value, by the dotted key. */
  get origins(): Record<string, ConfigLayerMetadata> {
    const origins = new Map<string, ConfigLayerMetadata>();
    for (const { name, version, table } of this.#counting) {
      for (const key of leaves(table)) origins.set(key.join("."), { name, version });
    }
    return Object.fromEntries(origins);
  }

  /** From the strongest to the weakest. */
  get layers(): ConfigLayer[] {
    return this.#all.toReversed().map(({ name, version, table, disabledReason }) => ({
      name,
      version,
      config: withoutSecrets(table) as JsonValue,
      ...(disabledReason !== null && { disabledReason }),
    })) as ConfigLayer[];
  }

  /** The value that takes precedence over one of the user, if another layer sets it differently. */
  override(
    keys: readonly string[],
  ): { readonly layer: ConfigLayerMetadata; readonly value: ConfigValue } | undefined {
    const user = this.#counting.findLastIndex(({ name }) => name.type === "user");
    const own = at(this.#counting[user]?.table ?? {}, keys);
    const above = this.#counting
      .slice(user + 1)
      .toReversed()
      .find(({ table }) => at(table, keys) !== undefined);
    const value = above && at(above.table, keys);
    if (!above || value === undefined || canonical(value) === canonical(own)) return undefined;
    return { layer: { name: above.name, version: above.version }, value: cleaned(value, keys) };
  }
}

/** The version of a layer, which Codex computes in the same way. */
export function versionOf(table: ConfigTable, platform: Pick<Platform, "digest">): string {
  return `sha256:${platform.digest("sha256", canonical(table))}`;
}

/** The JSON of a value, with sorted keys. */
export function canonical(value: ConfigValue | undefined): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each as ConfigValue)).join()}]`;
  if (!isTable(value)) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join()}}`;
}

function* leaves(table: ConfigTable, above: readonly string[] = []): Generator<readonly string[]> {
  for (const [key, value] of Object.entries(table)) {
    if (isTable(value)) yield* leaves(value, [...above, key]);
    else yield [...above, key];
  }
}
