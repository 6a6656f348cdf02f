import { loadConfig } from "../config/index.ts";
import type { EngineConfig } from "../core/engine-config.ts";
import type { ThreadConfigs } from "../core/ports.ts";
import { readInstructions } from "../instructions/index.ts";

export interface ThreadConfigsOptions {
  readonly home: string;
  /** Overrides of the whole server, in the words of `config.toml`. */
  readonly overrides: readonly string[];
  /** Settings of the whole server that take precedence over files and `overrides`. */
  readonly config: Partial<EngineConfig>;
  /** The id of the server's own provider, if it does not come from the configuration. */
  readonly provider: string | undefined;
}

/** The settings that the keys of a `config.toml` set. */
const SETTINGS: Readonly<Record<string, keyof EngineConfig>> = {
  model: "model",
  approval_policy: "approvalPolicy",
  approvals_reviewer: "approvalsReviewer",
  sandbox_mode: "sandboxMode",
  sandbox_workspace_write: "workspaceWrite",
  default_permissions: "permissions",
  model_reasoning_effort: "effort",
  model_reasoning_summary: "summary",
  developer_instructions: "developerInstructions",
  model_context_window: "contextWindow",
  model_auto_compact_token_limit: "compactAt",
};

/** Reads the configuration again for each thread: with the project of its folder, and the settings of its client. */
export function threadConfigs({ home, overrides, config, provider }: ThreadConfigsOptions): ThreadConfigs {
  return {
    async find({ cwd, overrides: request }) {
      const loaded = await loadConfig({ home, cwd, overrides, request });
      const keys = new Set(Object.keys(request).map((key) => key.split(".", 1)[0] ?? ""));
      const overridden: Partial<EngineConfig> = Object.fromEntries(
        Object.entries(SETTINGS)
          .filter(([key, setting]) => keys.has(key) && loaded.config[setting] !== undefined)
          .map(([, setting]) => [setting, loaded.config[setting]]),
      );
      const providerOverridden = keys.has("model_provider");
      return {
        settings: above(above(loaded.config, config), overridden),
        overridden,
        modelProvider: providerOverridden ? loaded.provider.id : (provider ?? loaded.provider.id),
        providerOverridden,
        providers: [...loaded.providers, ...(provider === undefined ? [] : [provider])],
        profiles: Object.keys(loaded.table["permissions"] ?? {}),
        folders: loaded.folders,
        overrides: request,
        instructions: await readInstructions(loaded),
        mcpServers: loaded.mcpServers,
      };
    },
  };
}

/** A sandbox mode replaces a permission profile of the settings below. */
function above(below: EngineConfig, settings: Partial<EngineConfig>): EngineConfig {
  const { permissions, ...rest } = below;
  const keeps = settings.sandboxMode === undefined && permissions !== undefined;
  return { ...rest, ...(keeps && { permissions }), ...settings };
}
