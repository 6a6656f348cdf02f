import { chmod, readFile, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { EngineServer } from "@codexwright/engine";
import { engineDefaults } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";
import { begin, COMPLETED, modelServer, said } from "../providers/model-server.ts";
import { RawClient } from "../raw-client.ts";
import { makeHome } from "./home.ts";

interface AccountWorld extends AsyncDisposable {
  readonly server: EngineServer;
  readonly client: RawClient;
  /** The authorization headers of the requests to the model. */
  readonly keys: readonly (string | undefined)[];
  readonly home: string;
  readonly file: string;
  turn(): Promise<void>;
}

async function accountWorld(): Promise<AccountWorld> {
  const model = await modelServer((response) => {
    begin(response);
    response.end(said("m", "hi") + COMPLETED);
  });
  const world = await makeHome({
    "home/config.toml": `model = "one"\nmodel_provider = "own"\n[model_providers.own]\nname = "own"\nbase_url = "${model.baseUrl}"\nrequires_openai_auth = true\n`,
  });
  const server = new EngineServer(await engineDefaults({ home: world.home, cwd: world.project }));
  const client = await RawClient.connect(server);
  let turns = 0;
  return {
    server,
    client,
    home: world.home,
    file: path.join(world.home, "auth.json"),
    get keys() {
      return model.requests.map(({ headers }) => headers.authorization);
    },
    async turn() {
      await client.startTurn(await client.startThread(), "go");
      await client.told("turn/completed", ++turns);
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await model[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

const login = (apiKey: string): object => ({ type: "apiKey", apiKey });

verifies(
  "engine.account.key",
  "a login writes auth.json as Codex does, and the next request uses the key",
  async () => {
    await using world = await accountWorld();
    const { client } = world;
    expect((await client.call("account/read")).result).toMatchObject({
      account: null,
      requiresOpenaiAuth: true,
    });
    await world.turn();
    expect(world.keys).toEqual([]);

    expect((await client.call("account/login/start", login("sk-first"))).result).toEqual({ type: "apiKey" });
    expect((await client.told("account/login/completed")).params).toMatchObject({
      success: true,
      loginId: null,
    });
    expect((await client.told("account/updated")).params).toEqual({ authMode: "apikey", planType: null });
    expect(await readFile(world.file, "utf8")).toBe(
      '{\n  "auth_mode": "apikey",\n  "OPENAI_API_KEY": "sk-first"\n}',
    );
    expect((await stat(world.file)).mode & 0o777).toBe(0o600);
    await world.turn();
    expect(world.keys).toEqual(["Bearer sk-first"]);

    await chmod(world.file, 0o644);
    await client.call("account/login/start", login("sk-second"));
    expect((await stat(world.file)).mode & 0o777).toBe(0o600);
    await world.turn();
    expect(world.keys[1]).toBe("Bearer sk-second");
    expect((await client.call("account/read")).result).toMatchObject({ account: { type: "apiKey" } });
    expect((await client.call("getAuthStatus", { includeToken: true, refreshToken: false })).result).toEqual({
      authMethod: "apikey",
      authToken: null,
      requiresOpenaiAuth: true,
    });

    expect((await client.call("account/logout")).result).toEqual({});
    expect((await client.told("account/updated", 3)).params).toEqual({ authMode: null, planType: null });
    expect(await readdir(world.home)).not.toContain("auth.json");
    await world.turn();
    expect(world.keys).toHaveLength(2);
    expect((await client.call("account/read")).result).toMatchObject({ account: null });
    expect(world.server.failures).toEqual([]);
  },
);

verifies("engine.account.key", "sees a login that Codex wrote, and refuses other logins", async () => {
  await using world = await accountWorld();
  const { client } = world;
  await writeFile(world.file, '{"OPENAI_API_KEY":"sk-of-codex","auth_mode":"apikey"}', { mode: 0o600 });
  expect((await client.call("account/read")).result).toMatchObject({ account: { type: "apiKey" } });
  await world.turn();
  expect(world.keys).toEqual(["Bearer sk-of-codex"]);
  await writeFile(world.file, '{"tokens":{"access_token":"t"}}', { mode: 0o600 });
  expect((await client.call("account/read")).result).toMatchObject({ account: null });
  expect((await client.call("account/login/start", { type: "chatgpt" })).error).toMatchObject({
    code: -32600,
    data: { code: "not_supported" },
  });
  expect((await client.call("account/login/cancel", { loginId: "x" })).error).toMatchObject({ code: -32600 });
});

verifies(
  "security.s132",
  "the key is in no answer, notification, error or log, however it is sent",
  async () => {
    await using world = await accountWorld();
    const { client } = world;
    for (const key of [
      "s3cr3t\nx",
      "s3cr3t\u00E9",
      "s3cr3t\0",
      `s3cr3t${"x".repeat(10_000)}`,
      "s3cr3t\r\nHost: evil",
    ]) {
      expect((await client.call("account/login/start", login(key))).error).toMatchObject({ code: -32600 });
    }
    expect(await readdir(world.home)).not.toContain("auth.json");
    await client.call("account/login/start", { type: "apiKey", apiKey: ["s3cr3t"] });
    await client.call("account/login/start", { type: "s3cr3t" });
    await client.call("account/login/start", login("s3cr3t-key"));
    await world.turn();
    for (const [method, params] of [
      ["account/read", { refreshToken: true }],
      ["getAuthStatus", { includeToken: true, refreshToken: true }],
      ["config/read", { includeLayers: true }],
    ] as const) {
      await client.call(method, params);
    }
    await writeFile(world.file, '{ "OPENAI_API_KEY": s3cr3t', { mode: 0o600 });
    expect((await client.call("account/read")).error).toMatchObject({ code: -32603 });
    await writeFile(world.file, '{ "OPENAI_API_KEY": ["s3cr3t"] }', { mode: 0o600 });
    expect(
      (await client.call("getAuthStatus", { includeToken: true, refreshToken: false })).error,
    ).toMatchObject({
      code: -32603,
    });
    // A new login repairs the file.
    expect((await client.call("account/login/start", login("s3cr3t-key"))).error).toBeUndefined();
    await client.call("account/logout");
    const own = client.got.filter(({ error }) => !error?.message.startsWith("Invalid request"));
    expect(
      JSON.stringify([own, world.server.failures.map((each) => String((each as Error).stack))]),
    ).not.toContain("s3cr3t");
    expect(await readdir(world.home)).not.toContain("auth.json");
  },
);
