import path from "node:path";
import { checkOptions, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { EngineConfig } from "../core/engine-config.ts";
import type { McpServerSettings } from "../core/ports.ts";
import { readLogin, type Login } from "./auth/index.ts";
import { engineSettings } from "./engine-settings.ts";
import { mcpSettings } from "./mcp-settings.ts";
import { readLayers, type ConfigLayer } from "./layers/index.ts";
import { providerIds, providerSettings, type ProviderSettings } from "./provider-settings.ts";
import { projectDocs, type ProjectDocs } from "./project-docs.ts";
import { SettingsReader } from "./reader.ts";
import { userHome } from "./user-home.ts";
import { requestTable } from "./layers/overrides.ts";
import type { ConfigTable } from "../core/config-table.ts";

/** Options of {@link loadConfig}. */
export interface LoadConfigOptions {
  /** The home of Codex; default: CODEX_HOME of `env`, or `.codex` in the user's home. */
  readonly home?: string | undefined;
  /** The working directory, whose project may have layers; default: that of the process. */
  readonly cwd?: string | undefined;
  /**
   * Settings of a client, with the keys of `config.toml`. A key may be dotted. They take precedence over `overrides`, and
   * cannot make a project trusted.
   */
  readonly request?: Readonly<Record<string, unknown>> | undefined;
  /** Overrides such as `model="some-model"`, as `codex -c` takes them. */
  readonly overrides?: readonly string[] | undefined;
  /** Reads `<profile>.config.toml` of the home, too. */
  readonly profile?: string | undefined;
  /** The environment for keys; default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The configuration of the machine; default `/etc/codex/config.toml`. */
  readonly systemFile?: string | undefined;
}

/** A configuration of Codex, as far as the engine uses it. It contains secrets: do not log it. */
export interface LoadedConfig {
  readonly home: string;
  readonly cwd: string;
  readonly config: EngineConfig;
  readonly provider: ProviderSettings;
  /** The ids of all providers that can be chosen. */
  readonly providers: readonly string[];
  readonly login: Login;
  /** The MCP servers by name. */
  readonly mcpServers: Readonly<Record<string, McpServerSettings>>;
  /** Whether the user trusts the project that `cwd` is in. */
  readonly trust: "trusted" | "untrusted" | undefined;
  /** The configuration folders of the project that are trusted. */
  readonly folders: readonly string[];
  /** The folders of the project, from its root down to `cwd`. */
  readonly project: readonly string[];
  /** The settings for instructions of the project. */
  readonly projectDocs: ProjectDocs;
  /** All layers, from the weakest to the strongest. */
  readonly layers: readonly ConfigLayer[];
  /** The merged layers, with keys that the engine does not know. */
  readonly table: ConfigTable;
  readonly warnings: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

const OPTIONS: Table<LoadConfigOptions> = {
  home: is.nonEmptyText,
  cwd: is.nonEmptyText,
  request: is.object,
  overrides: is.listOf(is.text),
  profile: is.nonEmptyText,
  env: is.recordOf(is.text),
  systemFile: is.nonEmptyText,
};

/**
 * Reads `config.toml` with all of its layers, and the login. Rejects with a `ConfigError` if a file or an override is
 * invalid. Files of a project cannot choose the provider or its key.
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<LoadedConfig> {
  checkOptions("loadConfig()", options, OPTIONS);
  const env = options.env ?? process.env;
  const home = path.resolve(options.home ?? (env["CODEX_HOME"] || path.join(userHome(), ".codex")));
  const cwd = path.resolve(options.cwd ?? process.cwd());
  const { layers, warnings, trust, folders, project } = await readLayers({
    home,
    cwd,
    overrides: options.overrides ?? [],
    request: requestTable(options.request ?? {}),
    profile: options.profile,
    systemFile: options.systemFile ?? "/etc/codex/config.toml",
  });
  const reader = new SettingsReader(layers);
  const own = new SettingsReader(layers.filter(({ name }) => name.type !== "project"));
  const provider = providerSettings(own);
  const { login, warnings: more } = await readLogin(home, env);
  return {
    home,
    cwd,
    config: engineSettings(reader, provider, trust),
    provider,
    providers: providerIds(own),
    login,
    mcpServers: mcpSettings(reader),
    trust,
    folders,
    project,
    projectDocs: projectDocs(reader),
    layers,
    table: reader.table,
    warnings: [...warnings, ...more],
    env,
  };
}
