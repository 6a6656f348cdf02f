import { engineSettings } from "../engine-settings.ts";
import type { ConfigLayer } from "../layers/index.ts";
import { mcpSettings } from "../mcp-settings.ts";
import { checkProviders, type ProviderSettings } from "../provider-settings.ts";
import { SettingsReader } from "../reader.ts";

/** The types of a layer do not depend on the provider that is chosen. */
const ANY_PROVIDER: ProviderSettings = {
  id: "any",
  name: "any",
  api: "responses",
  models: {},
  requiresOpenaiAuth: false,
  query: {},
  headers: {},
  envHeaders: {},
};

/** Throws a `ConfigError` if a setting of the merged layers has a wrong type. Unknown settings are not checked. */
export function checkLayers(layers: readonly ConfigLayer[]): void {
  const reader = new SettingsReader(layers);
  engineSettings(reader, ANY_PROVIDER, undefined);
  reader.text("model_provider");
  checkProviders(reader);
  mcpSettings(reader);
  for (const folder of Object.keys(reader.sub("projects") ?? {})) {
    reader.oneOf(["trusted", "untrusted"], "projects", folder, "trust_level");
  }
}
