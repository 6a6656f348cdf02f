import { lstat, readFile, readdir, stat, symlink, chmod } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { verifies } from "@codexwright/test-support/verifies";
import { TRUST } from "./home.ts";
import { configWorld } from "./world.ts";

const USER = `# my settings
model = "one" # the model
dotted.key = 1 # c

# a provider
[model_providers.own] # here
name = "own"
base_url = "http://127.0.0.1:9/v1"
# the end
`;

verifies("engine.config.write", "changes a value and keeps the rest of the file, comments too", async () => {
  await using world = await configWorld({ "home/config.toml": USER });
  expect((await world.set("model", "two")).result).toEqual({
    status: "ok",
    version: expect.stringMatching(/^sha256:[\da-f]{64}$/) as unknown,
    filePath: path.join(world.home, "config.toml"),
    overriddenMetadata: null,
  });
  expect(await world.text()).toBe(USER.replace('"one"', '"two"'));
  await world.set("model_providers.own.base_url", "http://127.0.0.1:8/v1", { mergeStrategy: "upsert" });
  await world.set("dotted.key", null);
  const text = await world.text();
  expect(text).toContain('model = "two" # the model');
  expect(text).toContain('[model_providers.own] # here\nname = "own"\nbase_url = "http://127.0.0.1:8/v1"');
  expect(text).toContain("# my settings");
  expect(text).toContain("# the end");
  expect(text).not.toContain("dotted.key");
});

verifies("engine.config.write", "replaces a table, or merges into it, and removes with null", async () => {
  await using world = await configWorld({ "home/config.toml": USER });
  const read = async (): Promise<unknown> => {
    const { result } = await world.client.call("config/read");
    return (result as { config: Record<string, unknown> }).config["mine"];
  };
  await world.set("mine", { a: 1, b: { c: [1, 2] } });
  await world.set("mine", { b: { d: 2 } }, { mergeStrategy: "upsert" });
  expect(await read()).toEqual({ a: 1, b: { c: [1, 2], d: 2 } });
  await world.set("mine.list", [{ n: 1 }, { n: 2, deep: { x: [true] } }]);
  expect(await read()).toMatchObject({ list: [{ n: 1 }, { n: 2, deep: { x: [true] } }] });
  await world.set("mine", { b: 1 });
  expect(await read()).toEqual({ b: 1 });
  await world.set("mine", null);
  expect(await read()).toBeUndefined();
});

verifies(
  "engine.config.write",
  "makes all edits of a batch or none, and refuses an old version",
  async () => {
    await using world = await configWorld({ "home/config.toml": USER });
    const edit = (keyPath: string, value: unknown): object => ({ keyPath, value, mergeStrategy: "replace" });
    const refused = await world.client.call("config/batchWrite", {
      edits: [edit("model", "two"), edit("sandbox_mode", "s3cr3t")],
    });
    expect(refused.error).toMatchObject({
      code: -32600,
      data: { config_write_error_code: "configValidationError" },
    });
    expect(refused.error?.message).toContain("sandbox_mode: must be one of");
    expect(refused.error?.message).not.toContain("s3cr3t");
    expect(await world.text()).toBe(USER);
    const { result } = await world.client.call("config/batchWrite", {
      edits: [edit("model", "two"), edit("model", "three")],
    });
    const { version } = result as { version: string };
    expect((await world.set("model", "four", { expectedVersion: version })).error).toBeUndefined();
    expect((await world.set("model", "five", { expectedVersion: version })).error).toMatchObject({
      data: { config_write_error_code: "configVersionConflict" },
    });
    // Another program changes the file.
    const { version: now } = (await world.set("model", "six")).result as { version: string };
    await world.write("home/config.toml", `${await world.text()}\nadded = 1\n`);
    expect((await world.set("model", "seven", { expectedVersion: now })).error).toMatchObject({
      data: { config_write_error_code: "configVersionConflict" },
    });
    expect(await world.text()).toContain('model = "six"');
  },
);

verifies("engine.config.write", "refuses keys and values as Codex does", async () => {
  await using world = await configWorld({ "home/config.toml": USER });
  const cases: readonly (readonly [string, unknown, string])[] = [
    ["", 1, "keyPath must not be empty"],
    ["a..b", 1, "keyPath segments must not be empty"],
    ['"".b', 1, "keyPath segments must not be empty"],
    ['a"b".c', 1, "invalid quoted keyPath segment"],
    ['"a.b', 1, "unterminated quoted keyPath segment"],
    ['"a\\', 1, "unterminated quoted keyPath segment"],
    ["model.x", 1, "cannot set value on non-table parent"],
    ["x", [1, null], "invalid value: invalid type: null, expected any valid TOML value"],
    ["profile", "x", "`profile` is a legacy config selector"],
    ["profiles.x.model", "x", "`profiles` contains legacy config profile tables"],
    ["a.".repeat(40) + "b", 1, "keyPath must have at most"],
    ["half", "\uD800", "text must be valid Unicode"],
    ["huge", "x".repeat(2_000_000), "at most 1048576 bytes"],
  ];
  for (const [keyPath, value, message] of cases) {
    const { error } = await world.set(keyPath, value);
    expect(error?.message).toContain(message);
    expect(error).toMatchObject({
      code: -32600,
      data: { config_write_error_code: "configValidationError" },
    });
  }
  for (const filePath of ["relative.toml", path.join(world.root, "system.toml")]) {
    expect((await world.set("model", "x", { filePath })).error).toMatchObject({
      data: { config_write_error_code: "configLayerReadonly" },
    });
  }
  expect(await world.text()).toBe(USER);
  expect(await readdir(world.home)).toEqual(["config.toml"]);
  expect(world.server.failures).toEqual([]);
});

verifies(
  "engine.config.write",
  "keeps the mode and the links of the file; a new file has mode 600",
  async () => {
    await using world = await configWorld({});
    await world.set("model", "one");
    const file = path.join(world.home, "config.toml");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await chmod(file, 0o640);
    await world.set("model", "two");
    expect((await stat(file)).mode & 0o777).toBe(0o640);

    await using linked = await configWorld({ "kept/real.toml": USER });
    await symlink("../kept/real.toml", path.join(linked.home, "config.toml"));
    await linked.set("model", "two");
    expect((await lstat(path.join(linked.home, "config.toml"))).isSymbolicLink()).toBe(true);
    expect(await readFile(path.join(linked.root, "kept/real.toml"), "utf8")).toContain(
      'model = "two" # the model',
    );

    await using looped = await configWorld({});
    await symlink("config.toml", path.join(looped.home, "config.toml"));
    expect((await looped.set("model", "two")).error).toMatchObject({ code: -32603 });
    await using dangling = await configWorld({ "kept/other.toml": "" });
    await symlink("../kept/new.toml", path.join(dangling.home, "config.toml"));
    await dangling.set("model", "two");
    expect(await readFile(path.join(dangling.root, "kept/new.toml"), "utf8")).toContain('model = "two"');
  },
);

verifies("engine.config.write", "says which layer takes precedence over a written value", async () => {
  await using world = await configWorld({ "home/config.toml": USER }, ['model="flag"']);
  expect((await world.set("model", "two")).result).toMatchObject({
    status: "okOverridden",
    overriddenMetadata: {
      message: "Overridden by session flags",
      overridingLayer: { name: { type: "sessionFlags" } },
      effectiveValue: "flag",
    },
  });
  expect((await world.set("model", "flag")).result).toMatchObject({ status: "ok", overriddenMetadata: null });
});

verifies("engine.config.read", "has layers with versions, and the origin of each value", async () => {
  await using world = await configWorld({
    "home/config.toml": `${USER}${TRUST}`,
    "project/.codex/config.toml": 'model = "project"\nmodel_provider = "evil"\n',
  });
  const { result } = await world.client.call("config/read", { includeLayers: true, cwd: world.project });
  expect(result).toMatchObject({
    config: { model: "project", model_provider: null, approval_policy: null, dotted: { key: 1 } },
    origins: {
      model: { name: { type: "project", dotCodexFolder: path.join(world.project, ".codex") } },
      "dotted.key": { name: { type: "user" }, version: expect.stringMatching(/^sha256:/) as unknown },
    },
    layers: [
      { name: { type: "project" }, config: { model: "project" } },
      { name: { type: "user" } },
      { name: { type: "system" }, config: {} },
    ],
  });
  const plain = (await world.client.call("config/read")).result;
  expect(plain).toMatchObject({ config: { model: "one" } });
  expect(plain).not.toHaveProperty("layers");
});

verifies(
  ["engine.config.read", "engine.config.projects"],
  "the files of a project do not count before the user trusts it",
  async () => {
    await using world = await configWorld({
      "home/config.toml": USER,
      "project/.codex/config.toml": 'model = "project" # s3cr3t\ntoken = "s3cr3t"',
    });
    const read = async (): Promise<string> =>
      JSON.stringify(await world.client.call("config/read", { includeLayers: true, cwd: world.project }));
    expect(await read()).toContain('"model":"one"');
    expect(await read()).toContain("add " + world.project);
    expect(await read()).not.toContain("s3cr3t");
    await world.set(`projects."${world.project}".trust_level`, "trusted");
    expect(await read()).toContain('"model":"project"');
  },
);

verifies("engine.config.write", "new threads have the new settings", async () => {
  await using world = await configWorld({ "home/config.toml": USER });
  const start = async (): Promise<unknown> => (await world.client.call("thread/start")).result;
  expect(await start()).toMatchObject({ model: "one", approvalPolicy: "on-request" });
  await world.set("model", "two");
  await world.set("approval_policy", "never");
  expect(await start()).toMatchObject({ model: "two", approvalPolicy: "never" });
});

verifies(
  "engine.config.write",
  "repairs a file with a wrong value, and leaves one that is not TOML",
  async () => {
    await using world = await configWorld({});
    await world.write("home/config.toml", "model = 5\n");
    expect((await world.client.call("config/read")).error).toMatchObject({ code: -32603 });
    expect((await world.set("model", "two")).error).toBeUndefined();
    expect((await world.client.call("config/read")).error).toBeUndefined();
    await world.write("home/config.toml", "model = [ s3cr3t\n");
    const { error } = await world.set("model", "three");
    expect(error).toMatchObject({ code: -32603 });
    expect(error?.message).not.toContain("s3cr3t");
    expect(await world.text()).toBe("model = [ s3cr3t\n");
    expect(world.server.failures).toEqual([]);
  },
);
