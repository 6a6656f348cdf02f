export { ConfigError } from "./config-error.ts";
export type { Login } from "./auth/index.ts";
export type { ConfigLayer } from "./layers/index.ts";
export { loadConfig, type LoadConfigOptions, type LoadedConfig } from "./load-config.ts";
export { providerOf } from "./provider-of.ts";
export type { ProviderSettings } from "./provider-settings.ts";
export type { ProjectDocs } from "./project-docs.ts";
export type { ConfigTable, ConfigValue } from "./table.ts";
export { userHome } from "./user-home.ts";
