import { homedir } from "node:os";
import path from "node:path";
import { checkOptions, shape, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import { ENGINE_CONFIG, type EngineConfig } from "../core/engine-config.ts";
import { SERVER_OPTIONS, type EngineServerOptions } from "../core/server.ts";
import { nodeFiles } from "./files.ts";
import { nodePlatform } from "./platform.ts";
import { ruleFiles } from "../rules/index.ts";
import { rolloutStore } from "../store/index.ts";
import { nodeShell } from "../shell/index.ts";

/** Options of {@link engine}. All except `provider` have defaults of this machine. */
export interface EngineOptions extends Partial<Omit<EngineServerOptions, "config" | "provider">> {
  /** Answers model requests, for example `responses({ baseUrl, apiKey })`. */
  readonly provider: EngineServerOptions["provider"];
  /** Settings that take precedence over the defaults. */
  readonly config?: Partial<EngineConfig> | undefined;
  /** Variables that are added to the environment of commands. `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

const OPTIONS: Table<EngineOptions> = {
  ...SERVER_OPTIONS,
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
  return path.resolve(process.env["CODEX_HOME"] || path.join(homedir(), ".codex"));
}

/**
 * Completes the options of an `EngineServer` with the defaults of this machine. Options that are given are not
 * changed.
 */
export async function engineDefaults(options: EngineOptions): Promise<EngineServerOptions> {
  checkEngineOptions("engineDefaults()", options);
  await Promise.resolve();
  const { config, home = codexHome(), cwd, env, shell, rules, files, platform, store, ...rest } = options;
  return {
    ...rest,
    home,
    rules: rules ?? ruleFiles({ home }),
    store: store ?? rolloutStore({ home }),
    cwd: path.resolve(cwd ?? process.cwd()),
    config: { model: "mock-model", ...config },
    shell: shell ?? nodeShell({ env: { ...process.env, ...env } }),
    files: files ?? nodeFiles(),
    platform: platform ?? nodePlatform(),
  };
}
