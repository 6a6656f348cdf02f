import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { realAppServer, scriptedModel, type ScriptedModel } from "@codexwright/testing";
import { unlessLinux } from "@codexwright/test-support/skips";
import { verifies } from "@codexwright/test-support/verifies";
import { failure } from "./model-client.ts";

const SERVER = "testing.real-app-server";

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

verifies(SERVER, "a world has its own folders and settings and leaves nothing behind", async () => {
  await using model = await scriptedModel([]);
  const server = await realAppServer({ model, codexPath: "/bin/codex", sandbox: "workspace-write" });
  expect((await readdir(server.root)).toSorted()).toEqual(["codex-home", "home", "tmp", "workspace"]);
  expect(server.codexHome).toBe(join(server.root, "codex-home"));
  const config = await readFile(join(server.codexHome, "config.toml"), "utf8");
  expect(config).toContain(`base_url = "${model.baseUrl}"`);
  expect(config).toContain("exclude_slash_tmp = true");
  const { env, ...options } = server.clientOptions;
  expect(options).toEqual({
    codexPath: "/bin/codex",
    codexHome: server.codexHome,
    cwd: server.workspace,
    startupTimeoutMs: 60_000,
    sandbox: "workspace-write",
  });
  expect([env["CODEX_HOME"], env["HOME"], env["TMPDIR"]]).toEqual([
    server.codexHome,
    server.home,
    join(server.root, "tmp"),
  ]);
  await mkdir(join(server.workspace, "deep", "er"), { recursive: true });
  await server[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  expect(await exists(server.root)).toBe(false);
  expect(await exists(dirname(server.root))).toBe(true);
});

verifies(SERVER, "disposal waits for a process that is still writing", async () => {
  await using model = await scriptedModel([]);
  const server = await realAppServer({ model });
  const writing = (async () => {
    for (let count = 0; count < 300; count++)
      await writeFile(join(server.codexHome, `late-${count}`), "x").catch(() => {});
  })();
  await server[Symbol.asyncDispose]();
  await writing;
  expect(await exists(server.root)).toBe(false);
});

/**
 * Checks many times whether its world exists, and then ends. If the world is gone when its stdin ends, it creates the
 * home again.
 */
const ENDING = `
root=\${CODEX_HOME%/*}
looks=30000
while [ -d "$root" ] && [ "$looks" -gt 0 ]; do looks=$((looks - 1)); done
[ -d "$root" ] || { read -r _; mkdir -p "$CODEX_HOME"; }
`;

verifies(
  SERVER,
  "disposal waits for processes of the world that are still running",
  async () => {
    await using model = await scriptedModel([]);
    const server = await realAppServer({ model });
    const env = { ...process.env, ...server.clientOptions.env };
    const ending = spawn("/bin/sh", ["-c", ENDING], { env });
    const ended = once(ending, "exit");
    await once(ending, "spawn");
    await server[Symbol.asyncDispose]();
    ending.stdin.on("error", () => {}).end();
    await ended;
    expect(await exists(server.root)).toBe(false);
  },
  // Other systems do not show the environment of a process.
  { skip: unlessLinux },
);

verifies(SERVER, "removes the caller's own set-up from the environment", async () => {
  await using model = await scriptedModel([]);
  process.env["CODEX_TEST_LEAK"] = "1";
  try {
    await using server = await realAppServer({ model });
    const { env } = server.clientOptions;
    for (const name of ["CODEX_TEST_LEAK", "OPENAI_API_KEY", "CODEX_API_KEY"]) {
      expect(Object.hasOwn(env, name)).toBe(true);
      expect(env[name]).toBe(undefined);
    }
    expect(env["OPENAI_BASE_URL"]).toBe(model.baseUrl);
  } finally {
    delete process.env["CODEX_TEST_LEAK"];
  }
});

verifies(SERVER, "merges more TOML, so that no table appears twice", async () => {
  await using model = await scriptedModel([]);
  const config = '[features] # mine\nplugins = true\n[mcp_servers.x]\ncommand = "true"\n';
  await using server = await realAppServer({ model, config: `model = "other"\n${config}` });
  const written = await readFile(join(server.codexHome, "config.toml"), "utf8");
  expect(written.match(/^\[.*$/gm)).toEqual([
    "[features] # mine",
    "[mcp_servers.x]",
    "[analytics]",
    "[feedback]",
    "[sandbox_workspace_write]",
    "[model_providers.mock]",
  ]);
  expect(written.match(/^(model|plugins|unbounded_connection_retries) = .*$/gm)).toEqual([
    'model = "other"',
    "unbounded_connection_retries = false",
    "plugins = true",
  ]);
  await using tableFirst = await realAppServer({ model, config });
  expect(await readFile(join(tableFirst.codexHome, "config.toml"), "utf8")).toMatch(
    /^model_provider = "mock"\n/m,
  );
});

verifies(SERVER, "rejects a world without a running model", async () => {
  const options = { model: scriptedModel([]) } as unknown as Parameters<typeof realAppServer>[0];
  expect(await failure(realAppServer(options))).toMatchObject({ code: "invalid_argument" });
  await (await (options.model as unknown as Promise<ScriptedModel>)).close();
});
