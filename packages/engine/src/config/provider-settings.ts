import { KIND_NAMES, type KindName, type ModelCapabilities } from "../providers/index.ts";
import type { SettingsReader } from "./reader.ts";
import { isTable } from "../core/config-table.ts";

/** A provider of models, as `model_providers` configures it. */
export interface ProviderSettings {
  readonly id: string;
  readonly name: string;
  /** The API that it speaks. */
  readonly api: "responses" | KindName;
  /** Absent if the API has an address of its own. */
  readonly baseUrl?: string | undefined;
  /** The capabilities of its models, by their names. */
  readonly models: Readonly<Record<string, ModelCapabilities>>;
  /** The environment variable with the key. */
  readonly envKey?: string | undefined;
  readonly envKeyInstructions?: string | undefined;
  /** A key in the configuration itself. */
  readonly bearerToken?: string | undefined;
  /** Whether the provider gets the OpenAI key of `auth.json` or of the environment. */
  readonly requiresOpenaiAuth: boolean;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of headers, with the environment variables that hold their values. */
  readonly envHeaders: Readonly<Record<string, string>>;
  readonly requestRetries?: number | undefined;
  readonly streamRetries?: number | undefined;
  readonly streamIdleMs?: number | undefined;
}

const OPENAI = "https://api.openai.com/v1";
/** Providers that need no configuration. */
const BUILT_IN: Readonly<Record<string, { readonly name: string; readonly baseUrl: string }>> = {
  openai: { name: "OpenAI", baseUrl: OPENAI },
  ollama: { name: "Ollama", baseUrl: "http://localhost:11434/v1" },
  lmstudio: { name: "LM Studio", baseUrl: "http://localhost:1234/v1" },
};

/** The ids of the built-in and of the configured providers. */
export function providerIds(reader: SettingsReader): string[] {
  return [...Object.keys(BUILT_IN), ...Object.keys(reader.sub("model_providers") ?? {})];
}

/** Reads the chosen provider. The reader must not contain layers of projects. */
export function providerSettings(reader: SettingsReader): ProviderSettings {
  checkProviders(reader);
  const id = reader.text("model_provider") ?? "openai";
  const builtIn = Object.hasOwn(BUILT_IN, id) ? BUILT_IN[id] : undefined;
  if (builtIn) {
    const isOpenai = id === "openai";
    const baseUrl = (isOpenai ? reader.text("openai_base_url") : undefined) ?? builtIn.baseUrl;
    return {
      id,
      name: builtIn.name,
      api: "responses",
      baseUrl,
      models: {},
      requiresOpenaiAuth: isOpenai,
      query: {},
      headers: {},
      envHeaders: {},
    };
  }
  if (!reader.sub("model_providers", id)) {
    throw reader.wrong("is not a provider: model_providers does not have it", "model_provider");
  }
  const settings = configured(reader, id);
  const { api, baseUrl } = settings;
  const needsUrl = api === "responses" || api === "chat";
  if (baseUrl === undefined ? needsUrl : !isHttp(baseUrl)) {
    const key = ["model_providers", id, "base_url"];
    throw reader.wrong("must be set to a URL that begins with http:// or https://", ...key);
  }
  return settings;
}

/** Checks the types of all configured providers. A provider need not be complete before it is chosen. */
export function checkProviders(reader: SettingsReader): void {
  for (const id of Object.keys(reader.sub("model_providers") ?? {})) {
    if (!Object.hasOwn(BUILT_IN, id)) configured(reader, id);
    else throw reader.wrong("is the id of a built-in provider: use another id", "model_providers", id);
  }
}

function configured(reader: SettingsReader, id: string): ProviderSettings {
  const of = (key: string): string[] => ["model_providers", id, key];
  const wire = reader.text(...of("wire_api"));
  if (wire !== undefined && wire !== "responses") {
    const ours = `set ${API} to ${KIND_NAMES.join(", ")} for other APIs`;
    throw reader.wrong(`must be "responses": ${ours}`, ...of("wire_api"));
  }
  const api = reader.oneOf(["responses", ...KIND_NAMES], ...of(API)) ?? "responses";
  return {
    id,
    name: reader.text(...of("name")) ?? id,
    api,
    baseUrl: reader.text(...of("base_url")),
    models: modelTable(reader, id),
    envKey: reader.text(...of("env_key")),
    envKeyInstructions: reader.text(...of("env_key_instructions")),
    bearerToken: reader.text(...of("experimental_bearer_token")),
    requiresOpenaiAuth: reader.flag(...of("requires_openai_auth")) ?? false,
    query: reader.textTable(...of("query_params")) ?? {},
    headers: reader.textTable(...of("http_headers")) ?? {},
    envHeaders: reader.textTable(...of("env_http_headers")) ?? {},
    requestRetries: reader.count(0, ...of("request_max_retries")),
    streamRetries: reader.count(0, ...of("stream_max_retries")),
    streamIdleMs: reader.count(1, ...of("stream_idle_timeout_ms")),
  };
}

/**
 * The key that chooses the API. Codex ignores keys that it does not know, but does not start with a `wire_api` that it
 * does not know, so a shared `config.toml` needs a key of our own.
 */
const API = "codexwright_api";

function modelTable(reader: SettingsReader, id: string): Record<string, ModelCapabilities> {
  const path = ["model_providers", id, "codexwright_models"];
  const names = Object.keys(reader.sub(...path) ?? {});
  return Object.fromEntries(
    names.map((name): [string, ModelCapabilities] => {
      const of = (key: string): string[] => [...path, name, key];
      if (!isTable(reader.sub(...path)?.[name])) throw reader.wrong("must be a table", ...path, name);
      return [
        name,
        {
          images: reader.flag(...of("images")),
          reasoning: reader.flag(...of("reasoning")),
          parallelTools: reader.flag(...of("parallel_tools")),
          contextWindow: reader.count(1, ...of("context_window")),
          maxOutputTokens: reader.count(1, ...of("max_output_tokens")),
        },
      ];
    }),
  );
}

function isHttp(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text);
}
