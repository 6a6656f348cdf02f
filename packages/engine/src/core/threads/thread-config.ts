import { ResponseError } from "codexwright/rpc";
import type { EngineConfig } from "../engine-config.ts";
import type { EngineHost } from "../host.ts";
import type { ThreadConfig, ThreadConfigs } from "../ports.ts";

/** The settings of an engine whose threads have no configuration of their own. */
export function fixedConfigs(settings: EngineConfig, modelProvider: string): ThreadConfigs {
  return {
    find: ({ cwd, overrides }) =>
      Promise.resolve({ ...fixedConfig(settings, modelProvider, cwd), overrides, ...chosen(overrides) }),
  };

  function chosen(overrides: Readonly<Record<string, unknown>>): Partial<ThreadConfig> {
    const model = textOf(overrides["model"]);
    const effort = textOf(overrides["model_reasoning_effort"]);
    const reviewer = overrides["approvals_reviewer"];
    const provider = textOf(overrides["model_provider"]);
    const overridden: Partial<EngineConfig> = {
      ...(model !== undefined && { model }),
      ...(effort !== undefined && { effort }),
      ...(reviewer !== undefined && { approvalsReviewer: reviewer === "user" ? "user" : "auto_review" }),
    };
    return {
      settings: { ...settings, ...overridden },
      overridden,
      ...(provider !== undefined && { modelProvider: provider, providerOverridden: true }),
    };
  }
}

export function fixedConfig(settings: EngineConfig, modelProvider: string, cwd: string): ThreadConfig {
  return {
    settings,
    overridden: {},
    modelProvider,
    providerOverridden: false,
    providers: [modelProvider],
    profiles: [],
    folders: [],
    overrides: {},
    instructions: { cwd, files: [], warnings: [] },
    mcpServers: {},
  };
}

/** Finds the settings of a thread. Rejects with the real server's error if they cannot be used. */
export async function configFor(
  { configs }: EngineHost,
  cwd: string,
  overrides: Readonly<Record<string, unknown>> | null | undefined,
): Promise<ThreadConfig> {
  try {
    return await configs.find({ cwd, overrides: overrides ?? {} });
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== "config_invalid") throw error;
    throw notLoaded((error as Error).message);
  }
}

export function notLoaded(problem: string): ResponseError {
  return new ResponseError(-32600, `failed to load configuration: ${problem}`);
}

/** Throws the real server's error if a new thread cannot have this provider. */
export function checkConfigured(config: ThreadConfig, provider: string): void {
  if (!config.providers.includes(provider)) throw notLoaded(`Model provider \`${provider}\` not found`);
}

/** Throws the real server's error if an old thread cannot go on, because its provider is not configured. */
export function checkStillConfigured(host: EngineHost, config: ThreadConfig, provider: string): void {
  if (!config.providers.includes(provider)) {
    throw new ResponseError(
      -32600,
      `This chat uses model provider “${provider}”, which is no longer configured. Restore this provider’s configuration to continue.`,
    );
  }
  checkCurrent(host, provider);
}

/** Throws the real server's error if the provider of a thread is not that of the server. */
export function checkCurrent(host: EngineHost, modelProvider: string): void {
  const current = host.provider.id;
  if (modelProvider === current) return;
  throw new ResponseError(
    -32600,
    `This chat uses ${modelProvider}, but your current provider is ${current}. Switch to ${modelProvider} to continue.`,
    { type: "modelProviderMismatch", modelProvider, currentModelProvider: current },
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
