import type { EngineConfig } from "../engine-config.ts";
import type { McpServerSettings } from "./mcp-settings.ts";

/** Finds the settings of threads. A folder can have settings of its own, such as those of a project. */
export interface ThreadConfigs {
  /** Rejects with an error whose `code` is "config_invalid" if the configuration cannot be used. */
  find(place: ConfigPlace): Promise<ThreadConfig>;
}

export interface ConfigPlace {
  /** The folder of the thread. */
  readonly cwd: string;
  /** The settings of a client, with the keys of `config.toml`. A key may be dotted. They take precedence. */
  readonly overrides: Readonly<Record<string, unknown>>;
}

/** The settings of a thread, as a configuration has them. */
export interface ThreadConfig {
  readonly settings: EngineConfig;
  /** The settings that the client's overrides set. */
  readonly overridden: Partial<EngineConfig>;
  /** The provider that the configuration chooses. */
  readonly modelProvider: string;
  /** Whether the client's overrides choose the provider. */
  readonly providerOverridden: boolean;
  /** The providers that are configured. */
  readonly providers: readonly string[];
  /** The permission profiles that the configuration defines. */
  readonly profiles: readonly string[];
  /** The configuration folders of the trusted project that the thread is in. Their rules apply to its commands. */
  readonly folders: readonly string[];
  /** The MCP servers by name. */
  readonly mcpServers: Readonly<Record<string, McpServerSettings>>;
  /** The client's overrides, to find the settings of another folder for the same thread. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** The instructions for agents in the folder of the thread. */
  readonly instructions: FoundInstructions;
}

/** The instructions that were found for work in a folder. */
export interface FoundInstructions {
  readonly cwd: string;
  /** Those of the user first, then those of the project from its root down. */
  readonly files: readonly InstructionFile[];
  /** Why files were left out. */
  readonly warnings: readonly string[];
}

/** A file with instructions, such as AGENTS.md. */
export interface InstructionFile {
  readonly path: string;
  readonly text: string;
  readonly scope: "user" | "project";
}
