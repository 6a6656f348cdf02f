import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { loadConfig, type LoadedConfig } from "@codexwright/engine/node";
import { verifies } from "@codexwright/test-support/verifies";

async function load(text: string): Promise<LoadedConfig> {
  const home = await mkdtemp(path.join(tmpdir(), "codexwright-mcp-config-"));
  try {
    await writeFile(path.join(home, "config.toml"), text);
    return await loadConfig({ home, cwd: home, env: {}, systemFile: path.join(home, "none") });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

verifies("engine.mcp.config", "reads all keys of servers", async () => {
  const { mcpServers } = await load(`
[mcp_servers.near]
command = "program"
args = ["a", "b"]
env = { ONE = "1" }
env_vars = ["TWO", { name = "THREE", source = "local" }]
cwd = "/tmp"
enabled = false
required = true
startup_timeout_sec = 1.5
tool_timeout_sec = 2
supports_parallel_tool_calls = true
default_tools_approval_mode = "writes"
enabled_tools = ["x"]
disabled_tools = ["y"]
[mcp_servers.near.tools.x]
approval_mode = "approve"
[mcp_servers.far]
url = "https://example.com/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { A = "b" }
env_http_headers = { C = "D" }
scopes = ["read"]
oauth_resource = "https://example.com"
startup_timeout_ms = 3_000_000_000
[mcp_servers.far.oauth]
client_id = "id"
`);
  expect(mcpServers).toEqual({
    near: {
      transport: {
        type: "stdio",
        command: "program",
        args: ["a", "b"],
        env: { ONE: "1" },
        envVars: ["TWO", "THREE"],
        cwd: "/tmp",
      },
      enabled: false,
      required: true,
      startupTimeoutMs: 1_500,
      toolTimeoutMs: 2_000,
      parallel: true,
      approval: "writes",
      approvals: { x: "approve" },
      enabledTools: ["x"],
      disabledTools: ["y"],
    },
    far: {
      transport: {
        type: "http",
        url: "https://example.com/mcp",
        bearerTokenEnvVar: "TOKEN",
        headers: { A: "b" },
        envHeaders: { C: "D" },
        scopes: ["read"],
        clientId: "id",
        oauthResource: "https://example.com",
      },
      enabled: true,
      required: false,
      // A timer takes no longer time.
      startupTimeoutMs: 2_147_483_000,
      toolTimeoutMs: 300_000,
      parallel: false,
      approval: "auto",
      approvals: {},
      disabledTools: [],
    },
  });
});

verifies("engine.mcp.config", "names a wrong key, and no value", async () => {
  const secret = "secret-value-123";
  for (const [key, lines] of Object.entries({
    "": "",
    command: `command = 7`,
    url: `command = "a"\nurl = "https://${secret}"`,
    http_headers: `command = "a"\nhttp_headers = { A = "${secret}" }`,
    args: `url = "https://a"\nargs = ["${secret}"]`,
    bearer_token: `url = "https://a"\nbearer_token = "${secret}"`,
    env: `command = "a"\nenv = ["${secret}"]`,
    startup_timeout_sec: `command = "a"\nstartup_timeout_sec = -1`,
    tool_timeout_sec: `command = "a"\ntool_timeout_sec = "${secret}"`,
    default_tools_approval_mode: `command = "a"\ndefault_tools_approval_mode = "${secret}"`,
    env_vars: `command = "a"\nenv_vars = [{ name = "${secret}", source = "remote" }]`,
    enabled_tools: `command = "a"\nenabled_tools = "${secret}"`,
  })) {
    const loaded = load(`[mcp_servers.one]\n${lines}\n`);
    const where = key === "" ? "mcp_servers.one" : `mcp_servers.one.${key}`;
    await expect(loaded).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining(where) as string,
    });
    await expect(loaded).rejects.not.toMatchObject({ message: expect.stringContaining(secret) as string });
  }
});
