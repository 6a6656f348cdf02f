import { homedir } from "node:os";
import path from "node:path";
import { checkOptions, needed, shape, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import { ENGINE_CONFIG, type EngineConfig } from "../core/engine-config.ts";
import type { EngineServerOptions } from "../core/server.ts";
import { nodeFiles } from "./files.ts";
import { nodePlatform } from "./platform.ts";
import { spawningShell } from "./stand-ins/shell.ts";

/** Options of {@link engine}. */
export interface EngineOptions extends Partial<Omit<EngineServerOptions, "config" | "provider">> {
  /** Answers model requests, for example `responses({ baseUrl, apiKey })`. */
  readonly provider: EngineServerOptions["provider"];
  /** Settings that take precedence over the defaults. */
  readonly config?: Partial<EngineConfig> | undefined;
}

const OPTIONS: Table<EngineOptions> = {
  provider: needed(is.object),
  config: shape({ ...ENGINE_CONFIG, model: is.text }),
  home: is.nonEmptyText,
  cwd: is.nonEmptyText,
  shell: is.object,
  sandbox: is.object,
  files: is.object,
  platform: is.object,
  store: is.object,
  mcp: is.object,
  pace: is.object,
  dialect: is.object,
  version: is.text,
};

/** Throws if an option is unknown or of the wrong type. */
export function checkEngineOptions(caller: string, options: EngineOptions): void {
  checkOptions(caller, options, OPTIONS);
}

/** The home of Codex: CODEX_HOME, or `.codex` in the user's home. */
export function codexHome(env: NodeJS.ProcessEnv = process.env): string {
  return path.resolve(env["CODEX_HOME"] || path.join(homedir(), ".codex"));
}

/**
 * Completes the options of an `EngineServer` with the defaults of this machine. Options that are given are not
 * changed.
 */
export async function engineDefaults(options: EngineOptions): Promise<EngineServerOptions> {
  checkEngineOptions("engineDefaults()", options);
  await Promise.resolve();
  const { config, home, cwd, shell, files, platform, ...rest } = options;
  return {
    ...rest,
    home: home ?? codexHome(),
    cwd: path.resolve(cwd ?? process.cwd()),
    config: { model: "mock-model", ...config },
    shell: shell ?? spawningShell(),
    files: files ?? nodeFiles(),
    platform: platform ?? nodePlatform(),
  };
}
