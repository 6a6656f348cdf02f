import { readFileSync } from "node:fs";
import path from "node:path";
import type { Model } from "codexwright/protocol";
import { parse } from "smol-toml";
import type { EngineConfig } from "../../core/engine-config.ts";
import type { ModelProvider } from "../../core/ports.ts";
import { responses } from "../../providers/index.ts";
import { shellSettings, type ShellSettings } from "../../shell/index.ts";

type Toml = Readonly<Record<string, unknown>>;

const MODELS: readonly Model[] = ["mock-model", "mock-model-mini"].map((id, at) => ({
  id,
  model: id,
  upgrade: null,
  upgradeInfo: null,
  availabilityNux: null,
  displayName: id,
  description: "A model of a stand-in.",
  modelSpecialty: null,
  hidden: false,
  supportedReasoningEfforts: [{ reasoningEffort: "medium", description: "Balances speed and depth" }],
  defaultReasoningEffort: "medium",
  inputModalities: ["text", "image"],
  supportsPersonality: false,
  multiAgentVersion: null,
  additionalSpeedTiers: [],
  serviceTiers: [],
  defaultServiceTier: null,
  availableAccessPrograms: null,
  isDefault: at === 0,
}));

/** A stand-in for the configuration of Codex: the model and its provider, and nothing else. */
export function settingsIn(
  home: string,
  overrides: readonly string[],
): {
  readonly config: EngineConfig;
  readonly provider: ModelProvider;
  readonly shell: ShellSettings;
} {
  let toml: Toml = {};
  try {
    toml = parse(readFileSync(path.join(home, "config.toml"), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  for (const each of overrides) toml = merged(toml, parsed(each));
  const id = typeof toml["model_provider"] === "string" ? toml["model_provider"] : "openai";
  const own = ((toml["model_providers"] as Toml | undefined)?.[id] ?? {}) as Toml;
  const baseUrl = typeof own["base_url"] === "string" ? own["base_url"] : "https://api.openai.com/v1";
  const apiKey = process.env[typeof own["env_key"] === "string" ? own["env_key"] : "OPENAI_API_KEY"];
  return {
    config: {
      model: typeof toml["model"] === "string" ? toml["model"] : "gpt-5",
      openaiAuth: own["requires_openai_auth"] === true,
      streamRetries: Number(own["stream_max_retries"] ?? 5),
      requestRetries: Number(own["request_max_retries"] ?? 4),
    },
    shell: shellSettings(toml),
    provider: responses({ id, baseUrl, apiKey, models: MODELS }),
  };
}

function parsed(override: string): Toml {
  try {
    return parse(override);
  } catch {
    const at = override.indexOf("=");
    return parse(`${override.slice(0, at)}=${JSON.stringify(override.slice(at + 1))}`);
  }
}

function merged(one: Toml, other: Toml): Toml {
  const isTable = (value: unknown): value is Toml =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const all: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = all[key];
    all[key] = isTable(before) && isTable(value) ? merged(before, value) : value;
  }
  return all;
}
