export { engine } from "./engine.ts";
export { engineDefaults, type EngineOptions } from "./engine-options.ts";
export { mcpServers, type McpServersOptions } from "../mcp/index.ts";
export { nodeFiles } from "./files.ts";
export { nodePlatform } from "./platform.ts";
export {
  aiSdkProvider,
  responses,
  type AiSdkCall,
  type AiSdkModel,
  type AiSdkProviderOptions,
  type AiSdkSettings,
  type KindName,
  type ModelCapabilities,
  type ResponsesOptions,
  type SupportedUrls,
} from "../providers/index.ts";
export { RulesError, ruleFiles, type RuleFilesOptions } from "../rules/index.ts";
export { nodeShell, type NodeShellOptions, type ShellEnvironmentPolicy } from "../shell/index.ts";
export { bubblewrap, type BubblewrapOptions } from "../sandbox/index.ts";
export {
  rolloutStore,
  sqliteStore,
  type RolloutStoreOptions,
  type SqliteStoreOptions,
  type SqliteThreadStore,
} from "../store/index.ts";
export {
  configFiles,
  type ConfigFilesOptions,
  ConfigError,
  loadConfig,
  providerOf,
  type ConfigLayer,
  type ConfigTable,
  type ConfigValue,
  type LoadConfigOptions,
  type LoadedConfig,
  type Login,
  type ProjectDocs,
  type ProviderSettings,
} from "../config/index.ts";
export { skillFolders, type SkillFoldersOptions } from "../instructions/index.ts";
