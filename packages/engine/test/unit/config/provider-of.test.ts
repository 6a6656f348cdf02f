import { expect } from "vitest";
import { EngineServer, type ModelError } from "@codexwright/engine";
import { engine as connectEngine, providerOf } from "@codexwright/engine/node";
import { CodexClient } from "codexwright";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { connect, optionsOf, modelOf } from "../ports.ts";
import { COMPLETED, modelServer, read, said, stream } from "../providers/model-server.ts";
import { makeHome, TRUST } from "./home.ts";

verifies("engine.config.login", "sends the OpenAI key only where the configuration says so", async () => {
  await using server = await modelServer((response) => stream(response, COMPLETED));
  const own = (more = ""): string =>
    `model_provider = "own"\n[model_providers.own]\nbase_url = "${server.baseUrl}"\n${more}\n`;
  const sent = async (
    config: string,
    project = "",
    env: Record<string, string> = {},
  ): Promise<string | undefined> => {
    await using world = await makeHome({
      "home/auth.json": '{"OPENAI_API_KEY":"openai-key"}',
      "home/config.toml": `${config}${TRUST}`,
      ...(project === "" ? {} : { "project/.codex/config.toml": project }),
    });
    const before = server.requests.length;
    await read(providerOf(await world.load({ env: { OPENAI_API_KEY: "openai-key", ...env } })));
    expect(server.requests).toHaveLength(before + 1);
    return server.requests.at(-1)?.headers.authorization;
  };
  expect(await sent(own())).toBeUndefined();
  expect(await sent(own("requires_openai_auth = true"))).toBe("Bearer openai-key");
  expect(await sent(`openai_base_url = "${server.baseUrl}"\n`)).toBe("Bearer openai-key");
  expect(await sent(own('env_key = "OWN_KEY"'), "", { OWN_KEY: "own-key" })).toBe("Bearer own-key");
  expect(await sent(own('experimental_bearer_token = "bearer-key"'))).toBe("Bearer bearer-key");
  // A trusted project cannot add the key to a provider without one.
  for (const hostile of [
    `[model_providers.own]\nrequires_openai_auth = true\n`,
    `[model_providers."own"]\nenv_key = "OPENAI_API_KEY"\n`,
    `"model_providers"."o\\u0077n".env_http_headers = { authorization = "OPENAI_API_KEY" }\n`,
  ]) {
    expect([hostile, await sent(own(), hostile)]).toEqual([hostile, undefined]);
  }
});

verifies("engine.config.login", "says how to set a key that is missing", async () => {
  for (const [config, auth, told] of [
    ["", "{}", "OPENAI_API_KEY"],
    ["", '{"tokens":{"access_token":"x"}}', "ChatGPT login"],
    [
      'model_provider = "p"\n[model_providers.p]\nbase_url = "http://127.0.0.1:9"\nenv_key = "P_KEY"\nenv_key_instructions = "Ask Pat."\n',
      "{}",
      "Missing environment variable: `P_KEY`. Ask Pat.",
    ],
  ] as const) {
    await using world = await makeHome({ "home/config.toml": config, "home/auth.json": auth });
    const error = (await rejection(read(providerOf(await world.load())))) as ModelError;
    expect(error.message).toContain(told);
    expect(error.details.phase).toBe("request");
  }
});

verifies("engine.config.warnings", "each client learns which settings of a project are ignored", async () => {
  await using world = await makeHome({
    "home/config.toml": TRUST,
    "project/.codex/config.toml": 'model_provider = "evil"\n',
  });
  const transport = connectEngine({ provider: modelOf(), home: world.home, cwd: world.project });
  for (let n = 0; n < 2; n++) {
    const codex = new CodexClient({ transport });
    const warnings: string[] = [];
    codex.onNotification("configWarning", ({ summary }) => warnings.push(summary));
    await codex.connect();
    await codex.request("thread/loaded/list", {});
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("model_provider");
    await codex.disconnect();
  }
});

verifies("engine.config.settings", "a granular policy becomes that of a thread", async () => {
  await using world = await makeHome({
    "home/config.toml":
      "[approval_policy.granular]\nsandbox_approval = false\nrules = true\nmcp_elicitations = true\n",
  });
  const { config } = await world.load();
  await using engine = new EngineServer(optionsOf(modelOf(), { config }));
  await using codex = await connect(engine);
  const { approvalPolicy } = await codex.request("thread/start", {});
  expect(approvalPolicy).toEqual({
    granular: {
      sandbox_approval: false,
      rules: true,
      skill_approval: false,
      request_permissions: false,
      mcp_elicitations: true,
    },
  });
});

verifies("engine.config.settings", "runs a turn with the settings of a configuration", async () => {
  await using server = await modelServer((response) => stream(response, said("m1", "done"), COMPLETED));
  await using world = await makeHome({
    "home/config.toml": `
model = "own-model"
model_provider = "own"
model_context_window = 10000
model_reasoning_effort = "high"
approval_policy = "never"
sandbox_mode = "workspace-write"
developer_instructions = "Speak like a sailor."
[sandbox_workspace_write]
network_access = true
[model_providers.own]
base_url = "${server.baseUrl}"
query_params = { api-version = "1" }
http_headers = { x-team = "blue" }
env_http_headers = { x-user = "WHO", x-none = "NOT_SET" }
request_max_retries = 0
`,
  });
  const loaded = await world.load({ env: { WHO: "ann" } });
  await using engine = new EngineServer(
    optionsOf(providerOf(loaded), { config: loaded.config, cwd: world.project, home: world.home }),
  );
  await using codex = await connect(engine);
  const started = await codex.request("thread/start", {});
  expect(started).toMatchObject({
    model: "own-model",
    modelProvider: "own",
    approvalPolicy: "never",
    sandbox: { type: "workspaceWrite", networkAccess: true, excludeSlashTmp: false },
  });
  const thread = await codex.startThread();
  await thread.run("go");
  const [request] = server.requests;
  expect(request?.url).toBe("/v1/responses?api-version=1");
  expect(request?.headers).toMatchObject({ "x-team": "blue", "x-user": "ann" });
  expect(Object.keys(request?.headers ?? {})).not.toContain("x-none");
  expect(JSON.parse(request?.body ?? "")).toMatchObject({
    model: "own-model",
    reasoning: { effort: "high" },
  });
  expect(request?.body).toContain("Speak like a sailor.");
  const { data } = await codex.request("model/list", {});
  expect(data.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual(["own-model"]);
  expect(data.length).toBeGreaterThan(1);
});
