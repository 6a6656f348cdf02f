import path from "node:path";
import { checkOptions, shape, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import { configFiles, loadConfig, LoginFile, providerOf, userHome } from "../config/index.ts";
import { ENGINE_CONFIG, type EngineConfig } from "../core/engine-config.ts";
import { SERVER_OPTIONS, type EngineServerOptions } from "../core/server.ts";
import { mcpServers } from "../mcp/index.ts";
import { nodeFiles } from "./files.ts";
import { nodePlatform } from "./platform.ts";
import { ruleFiles } from "../rules/index.ts";
import { skillFolders } from "../instructions/index.ts";
import { threadConfigs } from "./thread-configs.ts";
import { rolloutStore } from "../store/index.ts";
import { bubblewrap } from "../sandbox/index.ts";
import { nodeShell, shellSettings } from "../shell/index.ts";

/** Options of {@link engine}. All have defaults of this machine. */
export interface EngineOptions extends Partial<Omit<EngineServerOptions, "config">> {
  /** Settings that take precedence over `config.toml` and `overrides`. */
  readonly config?: Partial<EngineConfig> | undefined;
  /**
   * Settings in the words of `config.toml`, such as `model="o3"`, that take precedence over that file. A value that is
   * not TOML counts as a string.
   */
  readonly overrides?: readonly string[] | undefined;
  /** Variables that are added to the environment of commands. `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

const OPTIONS: Table<EngineOptions> = {
  ...SERVER_OPTIONS,
  provider: is.object,
  overrides: is.listOf(is.text),
  config: shape({ ...ENGINE_CONFIG, model: is.text }),
  shell: is.object,
  files: is.object,
  platform: is.object,
  home: is.nonEmptyText,
  cwd: is.nonEmptyText,
  env: is.recordOf(is.text),
};

/** Throws if an option is unknown or of the wrong type. */
export function checkEngineOptions(caller: string, options: EngineOptions): void {
  checkOptions(caller, options, OPTIONS);
}

/** The home of Codex: CODEX_HOME, or `.codex` in the user's home. */
function codexHome(): string {
  return path.resolve(process.env["CODEX_HOME"] || path.join(userHome(), ".codex"));
}

/**
 * Completes the options of an `EngineServer` with the defaults of this machine. Options that are given are not
 * changed.
 */
export async function engineDefaults(options: EngineOptions = {}): Promise<EngineServerOptions> {
  checkEngineOptions("engineDefaults()", options);
  const {
    config,
    configs,
    configFiles: ownConfigFiles,
    skills,
    logins,
    cwd,
    env,
    overrides = [],
    mcp,
    shell,
    sandbox,
    rules,
    store,
    files,
    platform,
    ...rest
  } = options;
  const home = path.resolve(options.home ?? codexHome());
  const folder = path.resolve(cwd ?? process.cwd());
  const loaded = await loadConfig({ home, cwd: folder, overrides });
  const login = new LoginFile(loaded);
  const provider = options.provider ?? providerOf(loaded, () => login.current);
  const settings = shellSettings(
    loaded.table,
    loaded.layers.map(({ table }) => table),
  );
  return {
    ...rest,
    provider,
    home,
    cwd: folder,
    config: { ...loaded.config, ...config },
    skills: skills ?? skillFolders({ home, overrides }),
    configs:
      configs ?? threadConfigs({ home, overrides, config: config ?? {}, provider: options.provider?.id }),
    configFiles: ownConfigFiles ?? configFiles({ home, cwd: folder, overrides }),
    logins: logins ?? login,
    configWarnings: options.configWarnings ?? loaded.warnings,
    shell: shell ?? nodeShell({ env: { ...process.env, ...env }, ...settings }),
    // A command that its policy confines never runs without a sandbox: where there is none, it is refused.
    sandbox: sandbox ?? bubblewrap(),
    rules: rules ?? ruleFiles({ home }),
    store: store ?? rolloutStore({ home }),
    mcp: mcp ?? mcpServers({ home, env: { ...process.env, ...env }, version: rest.version }),
    files: files ?? nodeFiles(),
    platform: platform ?? nodePlatform(),
  };
}
