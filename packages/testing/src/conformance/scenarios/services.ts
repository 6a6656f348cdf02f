import { reply } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { collect, heard, scenario, send } from "../steps.ts";

export const SERVICES: readonly Scenario[] = [
  scenario("model.list", "lists models with their efforts, page by page, with one default", {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      const { data, nextCursor } = await codex.listModels();
      expectMatch(nextCursor, null, "the cursor");
      expectMatch(data.filter(({ isDefault }) => isDefault).length, 1, "the number of defaults");
      for (const model of data) {
        expectMatch(model, { id: /./, displayName: /./, defaultReasoningEffort: /./ }, "a model");
        expectThat(model.supportedReasoningEfforts.length > 0, `${model.id} has efforts`);
      }
      const paged: string[] = [];
      for await (const { id } of codex.models({ limit: 1 })) paged.push(id);
      expectMatch(
        paged,
        data.map(({ id }) => id),
        "the pages",
      );
    },
  }),
  scenario("account.none", "reports no account without a login, whether or not the provider needs one", {
    model: [],
    openaiAuth: true,
    run: async (world) => {
      const codex = await world.connect();
      expectMatch(await codex.account(), { account: null, requiresOpenaiAuth: true }, "the account");
    },
  }),
  scenario(
    "account.api-key",
    "announces a login with an API key, shows it as the account, and ends it on logout",
    {
      model: () => reply("done"),
      openaiAuth: true,
      run: async (world) => {
        const codex = await world.connect();
        const completed = heard(codex, "account/login/completed");
        const updates = collect(codex, "account/updated");
        await codex.login.apiKey("sk-conformance-scenario-key");
        expectMatch(await completed, { success: true, loginId: null, error: null }, "the notifications");
        expectMatch(await codex.account(), { account: { type: "apiKey" } }, "the account");
        await codex.logout();
        expectMatch(await codex.account(), { account: null }, "the account afterwards");
        expectMatch(
          updates.map(({ params }) => params.authMode),
          ["apikey", null],
          "the updates",
        );
      },
    },
  ),
  scenario("account.limits", "has no rate limits to read without a ChatGPT login", {
    model: [],
    openaiAuth: true,
    run: async (world) => {
      const codex = await world.connect();
      await expectRejection(
        codex.request("account/rateLimits/read", undefined),
        { rpcCode: -32600 },
        "the limits",
      );
    },
  }),
  scenario("config.read", "reads the configuration with its layers", {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      const { config, layers } = await codex.config.read({ includeLayers: true });
      expectMatch(config, { model: "mock-model", model_provider: "mock" }, "the configuration");
      expectThat((layers?.length ?? 0) > 0, "there are layers");
      const user = layers?.find(({ name }) => name.type === "user");
      expectMatch(user, { version: /^sha256:/, config: { model: "mock-model" } }, "the user's layer");
    },
  }),
  scenario("config.write", "writes a configuration value, reads it back, and removes it", {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      const written = await codex.config.write("model", "other-model");
      expectMatch(written, { status: "ok", version: /^sha256:/ }, "the answer");
      expectMatch((await codex.config.read()).config, { model: "other-model" }, "the configuration");
      await codex.config.write("model", null);
      expectMatch((await codex.config.read()).config, { model: null }, "the configuration afterwards");
    },
  }),
  scenario(
    "config.conflict",
    "rejects a write that expects another version as a conflict, and changes nothing",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        const { version } = await codex.config.write("model", "second-model");
        await codex.config.write("model", "third-model", { expectedVersion: version });
        await expectRejection(
          send(codex, "config/value/write", {
            keyPath: "model",
            value: "fourth-model",
            mergeStrategy: "replace",
            expectedVersion: version,
          }),
          { rpcCode: -32600, data: { config_write_error_code: "configVersionConflict" } },
          "the write",
        );
        expectMatch((await codex.config.read()).config, { model: "third-model" }, "the configuration");
      },
    },
  ),
  scenario("config.invalid", "rejects a value of the wrong type, and changes nothing", {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      await expectRejection(
        send(codex, "config/value/write", { keyPath: "model", value: 5, mergeStrategy: "replace" }),
        { rpcCode: -32600, data: { config_write_error_code: "configValidationError" } },
        "the write",
      );
      expectMatch((await codex.config.read()).config, { model: "mock-model" }, "the configuration");
    },
  }),
];
