import type { ModelProvider } from "../core/ports.ts";
import { ModelError } from "../core/turn/model-error.ts";
import { modelsFor, packagedProvider, responses } from "../providers/index.ts";
import type { Login } from "./auth/index.ts";
import type { LoadedConfig } from "./load-config.ts";

/**
 * Returns the provider that a configuration chooses. The OpenAI key goes only to a provider whose configuration
 * requires it. `currentLogin` returns a login that can change; default: the login of the configuration. If the key is missing, each request fails with an error that says how to set it.
 */
export function providerOf(loaded: LoadedConfig, currentLogin?: () => Login): ModelProvider {
  const { provider, env, config } = loaded;
  const { envKey, bearerToken, requiresOpenaiAuth } = provider;
  const fromEnv = Object.entries(provider.envHeaders).flatMap(([name, variable]): [string, string][] => {
    const value = env[variable]?.trim();
    return value ? [[name, value]] : [];
  });
  const key = (): string | undefined => {
    if (bearerToken !== undefined) return bearerToken;
    if (envKey !== undefined) {
      const value = env[envKey]?.trim();
      if (value) return value;
      const how = provider.envKeyInstructions === undefined ? "" : ` ${provider.envKeyInstructions}`;
      throw missing(`Missing environment variable: \`${envKey}\`.${how}`);
    }
    if (!requiresOpenaiAuth) return undefined;
    const login = currentLogin?.() ?? loaded.login;
    if (login.kind === "apiKey") return login.key;
    throw missing(
      login.kind === "chatgpt"
        ? "This server cannot use a ChatGPT login: set OPENAI_API_KEY, or run codex login --with-api-key"
        : "There is no OpenAI key: set OPENAI_API_KEY, or run codex login --with-api-key",
    );
  };
  const needsKey = bearerToken !== undefined || envKey !== undefined || requiresOpenaiAuth;
  const shared = {
    id: provider.id,
    query: provider.query,
    headers: { ...provider.headers, ...Object.fromEntries(fromEnv) },
    ...(needsKey && { apiKey: key }),
  };
  const { api, baseUrl, models } = provider;
  if (api !== "responses") {
    return packagedProvider({ ...shared, api, baseUrl, model: config.model, models });
  }
  return responses({ ...shared, baseUrl: baseUrl ?? "", models: modelsFor(config.model) });
}

function missing(message: string): ModelError {
  return new ModelError(message, { phase: "request" });
}
