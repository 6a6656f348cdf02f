import fc from "fast-check";
import { expect } from "vitest";
import { parse } from "smol-toml";
import { verifies } from "@codexwright/test-support/verifies";
import { configWorld, type ConfigWorld } from "./world.ts";

const USER = `# first
model = "one" # kept 1
"quoted.key" = [ 1, 2 ] # kept 2
when = 1979-05-27T07:32:00Z
[model_providers."a.b"] # kept 3
name = "n"
[[list]] # kept 4
x = 1
[[list]]
x = { y = 2 } # kept 5
# last
`;

const KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "a",
  "b",
  "x y",
  "é",
  "#",
  "]",
];

const key = fc.oneof(
  fc.constantFrom(...KEYS),
  fc.string({ minLength: 1, maxLength: 6 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 4 }),
);
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  leaf: fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: "binary", maxLength: 8 }),
    fc.constantFrom("'''", '"""', "\\", "\n\n[x]\n", "# no comment", "a = 1", "\u007F", "\0", "1979-05-27"),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
  ),
  table: fc.dictionary(key, tie("value"), { maxKeys: 3 }),
  list: fc.array(tie("value"), { maxLength: 3 }),
  value: fc.oneof({ depthSize: "small" }, tie("leaf"), tie("table"), tie("list")),
})).value;

/** The path of a client for these keys: each key in quotes. */
function pathOf(keys: readonly string[]): string {
  return keys.map((each) => `"${each.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(".");
}

verifies(
  "security.s126",
  "whatever keys and values a client writes, the file has them and all else that it had",
  async () => {
    await using world = await configWorld({ "home/config.toml": USER });
    let written = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(key, { minLength: 1, maxLength: 3 }), value, async (keys, given) => {
        const path = ["mine", ...keys];
        const before = await world.text();
        const { error, result } = await world.set(pathOf(path), given);
        if (error) {
          expect(error).toMatchObject({
            code: -32600,
            data: { config_write_error_code: "configValidationError" },
          });
          expect(await world.text()).toBe(before);
          return;
        }
        written++;
        expect(result).toMatchObject({ status: "ok" });
        const table = parse(await world.text());
        expect(JSON.stringify(normal(valueAt(table, path)))).toBe(JSON.stringify(normal(given)));
        await world.set("mine", null);
        expect(parse(await world.text())).toEqual(parse(USER));
        for (const comment of [
          "# first",
          "# kept 1",
          "# kept 2",
          "# kept 3",
          "# kept 4",
          "# kept 5",
          "# last",
        ]) {
          expect(await world.text()).toContain(comment);
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
        expect(({} as { x?: unknown }).x).toBeUndefined();
      }),
      { numRuns: 300, seed: 126 },
    );
    expect(written).toBeGreaterThan(200);
    expect(world.server.failures).toEqual([]);
  },
  { timeoutMs: 120_000 },
);

const SECRETS = `model = "one"
[model_providers.own]
name = "own"
base_url = "http://user:s3cr3t@127.0.0.1:9/v1"
experimental_bearer_token = "s3cr3t"
http_headers = { Authorization = "s3cr3t", "X-Other" = "s3cr3t" }
query_params = { key = "s3cr3t" }
[mcp_servers.one]
command = "one"
env = { KEY = "s3cr3t" }
[mcp_servers.two]
url = "http://127.0.0.1:9/mcp"
http_headers = { A = "s3cr3t" }
[shell_environment_policy]
set = { TOKEN = "s3cr3t" }
[[list]]
api_key = "s3cr3t"
`;

verifies(
  "security.s127",
  "no answer has a secret of the configuration, and writing an answer back keeps the secrets",
  async () => {
    await using world = await configWorld({ "home/config.toml": SECRETS }, [
      'model_providers.own.experimental_bearer_token="s3cr3t flag"',
    ]);
    const read = await world.client.call("config/read", { includeLayers: true, cwd: world.project });
    const { config } = read.result as { config: Record<string, Record<string, unknown>> };
    for (const table of ["model_providers", "mcp_servers", "shell_environment_policy", "list"]) {
      expect((await world.set(table, config[table])).error).toBeUndefined();
    }
    await world.set("model_providers.own.experimental_bearer_token", "s3cr3t new");
    await world.set("model_providers.own.http_headers", { Authorization: 5, "X-Other": "s3cr3t" });
    await world.set("mcp_servers.one.env", "s3cr3t");
    await world.set("s3cr3t..", "s3cr3t");
    const hidden = read.result as object;
    expect(JSON.stringify(hidden)).toContain("[redacted]");
    expect(sayings(world)).not.toContain("s3cr3t");
    expect(parse(await world.text())).toMatchObject({
      model_providers: {
        own: {
          base_url: "http://user:s3cr3t@127.0.0.1:9/v1",
          experimental_bearer_token: "s3cr3t new",
          http_headers: { Authorization: "s3cr3t", "X-Other": "s3cr3t" },
          query_params: { key: "s3cr3t" },
        },
      },
      shell_environment_policy: { set: { TOKEN: "s3cr3t" } },
      list: [{ api_key: "s3cr3t" }],
    });
  },
);

const MORE_SECRETS = `model = "one"
[unknown]
access_token = "s3cr3t"
refreshToken = "s3cr3t"
"X-Api-Key" = "s3cr3t"
apikey = ["s3cr3t"]
private_key = "s3cr3t"
db_password = "s3cr3t"
passphrase = { inner = "s3cr3t" }
pin_secret = 733100733100
address = "https:user:s3cr3t@127.0.0.1/"
second = "\\u0009HTTPS:\\\\user:s3cr3t@127.0.0.1/"
third = "ht\\ntps:/user:s3cr3t@127.0.0.1/"
shown = "https://host/@scope:other/package"
model_auto_compact_token_limit = 5
bearer_token_env_var = "NAME"
`;

verifies(
  "security.s127",
  "secrets are hidden in keys of any section, and in addresses of any form",
  async () => {
    await using world = await configWorld({ "home/config.toml": MORE_SECRETS });
    const read = await world.client.call("config/read", { includeLayers: true, cwd: world.project });
    const { config } = read.result as { config: Record<string, Record<string, unknown>> };
    expect(config["unknown"]).toMatchObject({
      shown: "https://host/@scope:other/package",
      model_auto_compact_token_limit: 5,
      bearer_token_env_var: "NAME",
    });
    expect((await world.set("unknown", config["unknown"])).error).toBeUndefined();
    expect(sayings(world)).not.toMatch(/s3cr3t|733100733100/);
    expect(parse(await world.text())).toEqual(parse(MORE_SECRETS));
  },
);

/** All that the server sent, and its unexpected errors. */
function sayings({ client, server }: ConfigWorld): string {
  return JSON.stringify([client.got, server.failures.map((each) => String((each as Error).stack))]);
}

function valueAt(table: unknown, keys: readonly string[]): unknown {
  let found = table;
  for (const each of keys) found = Object.getOwnPropertyDescriptor(found ?? {}, each)?.value as unknown;
  return found;
}

/** Sorts keys, and makes -0 and 0 the same. */
function normal(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(normal);
  if (typeof given === "number" && given === 0) return 0;
  if (typeof given !== "object" || given === null) return given;
  const entries = Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([each, inner]) => [each, normal(inner)]);
}
