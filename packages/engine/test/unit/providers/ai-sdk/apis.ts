import { EngineServer, type ModelProvider } from "@codexwright/engine";
import { providerOf, type LoadConfigOptions } from "@codexwright/engine/node";
import { anthropicApi } from "@codexwright/test-support/model-apis/anthropic";
import { chatApi } from "@codexwright/test-support/model-apis/chat";
import { geminiApi } from "@codexwright/test-support/model-apis/gemini";
import type { Answer, ModelApi, Received } from "@codexwright/test-support/model-apis/server";
import { makeHome } from "../../config/home.ts";
import { connect, optionsOf } from "../../ports.ts";

export type Api = "chat" | "anthropic" | "google";

export const APIS: readonly Api[] = ["chat", "anthropic", "google"];

const SERVE = { chat: chatApi, anthropic: anthropicApi, google: geminiApi };

/** A model of each API whose name the packages know. */
export const MODELS: Readonly<Record<Api, string>> = {
  chat: "qwen3-coder",
  anthropic: "claude-sonnet-4-5",
  google: "gemini-3-pro",
};

export function serveApi(
  api: Api,
  script: readonly Answer[] | ((received: Received, position: number) => Answer),
): Promise<ModelApi> {
  return SERVE[api](script);
}

/** The provider of a configuration that names this server. */
export async function configured(
  api: Api,
  { baseUrl }: { readonly baseUrl: string },
  {
    more = "",
    top = "",
    ...options
  }: { readonly more?: string; readonly top?: string } & LoadConfigOptions = {},
): Promise<ModelProvider> {
  await using world = await makeHome({
    "home/config.toml": `model = "${MODELS[api]}"
model_provider = "own"
${top}
[model_providers.own]
codexwright_api = "${api}"
base_url = "${baseUrl}"
${more}
`,
  });
  return providerOf(await world.load(options));
}

/** A client of an engine with this provider. Requests are not repeated unless the configuration says so. */
export async function clientOf(
  api: Api,
  provider: ModelProvider,
  options: Partial<ConstructorParameters<typeof EngineServer>[0]> = {},
) {
  const engine = new EngineServer(
    optionsOf(provider, {
      ...options,
      config: { model: MODELS[api], requestRetries: 0, streamRetries: 0, ...options.config },
    }),
  );
  const codex = await connect(engine);
  return {
    codex,
    async [Symbol.asyncDispose]() {
      await codex.disconnect();
      await engine.close();
    },
  };
}
