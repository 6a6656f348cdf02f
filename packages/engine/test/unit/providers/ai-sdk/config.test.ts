import { expect } from "vitest";
import type { ModelError } from "@codexwright/engine";
import { ConfigError, providerOf } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { makeHome } from "../../config/home.ts";
import { read } from "../model-server.ts";
import { APIS, configured, MODELS, serveApi } from "./apis.ts";

const KEY_HEADERS = { chat: "authorization", anthropic: "x-api-key", google: "x-goog-api-key" } as const;

/** Variables in which the packages look for a key by themselves. */
const FOREIGN = {
  ANTHROPIC_API_KEY: "foreign-key",
  ANTHROPIC_AUTH_TOKEN: "foreign-key",
  GOOGLE_GENERATIVE_AI_API_KEY: "foreign-key",
  GEMINI_API_KEY: "foreign-key",
  OPENAI_API_KEY: "foreign-key",
};

verifies("engine.ai-sdk.config", "sends the key, headers and parameters of the configuration", async () => {
  const before = { ...process.env };
  Object.assign(process.env, FOREIGN);
  try {
    for (const api of APIS) {
      await using server = await serveApi(api, [{ text: "ok" }]);
      const more = `env_key = "OWN_KEY"
http_headers = { x-team = "blue" }
env_http_headers = { x-user = "WHO" }
query_params = { api-version = "1 2" }`;
      const env = { OWN_KEY: "own-key", WHO: "ann", ...FOREIGN };
      const request = { model: MODELS[api], input: [] };
      await read(await configured(api, server, { more, env }), request);
      await read(await configured(api, server, { env }), request);
      const [first, second] = server.requests;
      expect(first?.headers).toMatchObject({
        [KEY_HEADERS[api]]: api === "chat" ? "Bearer own-key" : "own-key",
        "x-team": "blue",
        "x-user": "ann",
      });
      expect(first?.url).toContain("api-version=1+2");
      // Without a key, no other key and nothing in its place is sent.
      expect(JSON.stringify([second?.headers, second?.url])).not.toMatch(/foreign-key|set-by-codexwright/);
      expect(second?.headers[KEY_HEADERS[api]]).toBeUndefined();
    }
  } finally {
    for (const name of Object.keys(FOREIGN)) delete process.env[name];
    Object.assign(process.env, before);
  }
});

verifies("engine.ai-sdk.config", "says what is wrong with a configuration", async () => {
  const load = async (text: string): Promise<unknown> => {
    await using world = await makeHome({
      "home/config.toml": `model_provider = "p"\n[model_providers.p]\n${text}\n`,
    });
    return await rejection(world.load().then(providerOf));
  };
  for (const [text, told] of [
    ['codexwright_api = "smoke"', "one of responses, chat, anthropic, google"],
    ['codexwright_api = "chat"', "base_url"],
    ['wire_api = "chat"\nbase_url = "http://127.0.0.1:9"', "set codexwright_api to chat, anthropic, google"],
    ['codexwright_api = "google"\nbase_url = "ftp://x"', "base_url"],
    ['codexwright_api = "google"\ncodexwright_models = 5', "codexwright_models"],
    ['codexwright_api = "google"\n[model_providers.p.codexwright_models]\nm = 5', "must be a table"],
    ['codexwright_api = "google"\n[model_providers.p.codexwright_models.m]\nimages = 5', "images"],
  ] as const) {
    const error = await load(text);
    expect([text, error instanceof ConfigError]).toEqual([text, true]);
    expect((error as ConfigError).message).toContain(told);
  }
});

verifies("engine.ai-sdk.config", "describes its models", async () => {
  const more = `[model_providers.own.codexwright_models."tiny"]
context_window = 8192
images = false
reasoning = false`;
  const provider = await configured("chat", { baseUrl: "http://127.0.0.1:9/v1" }, { more });
  const models = await provider.models(new AbortController().signal);
  expect(
    models.map(({ id, isDefault, inputModalities, supportedReasoningEfforts }) => [
      id,
      isDefault,
      inputModalities,
      supportedReasoningEfforts.length,
    ]),
  ).toEqual([
    ["qwen3-coder", true, ["text", "image"], 3],
    ["tiny", false, ["text"], 0],
  ]);
  expect([provider.takesImages?.("tiny"), provider.takesImages?.("other")]).toEqual([false, true]);
  expect(provider.contextWindow?.("tiny")?.tokens).toBe(8_192);
  expect(provider.contextWindow?.("constructor")?.tokens).toBe(128_000);
});

verifies("engine.ai-sdk.config", "says how to set a key that is missing", async () => {
  for (const api of APIS) {
    await using server = await serveApi(api, [{ text: "ok" }]);
    const provider = await configured(api, server, { more: 'env_key = "OWN_KEY"' });
    const error = (await rejection(read(provider))) as ModelError;
    expect([error.details.phase, error.message]).toEqual([
      "request",
      "Missing environment variable: `OWN_KEY`.",
    ]);
    expect(server.requests).toHaveLength(0);
  }
});
