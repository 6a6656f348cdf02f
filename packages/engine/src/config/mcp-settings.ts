import type { McpApprovalMode, McpServerSettings } from "../core/ports.ts";
import type { SettingsReader } from "./reader.ts";

type Transport = McpServerSettings["transport"];

const APPROVALS: readonly McpApprovalMode[] = ["auto", "prompt", "writes", "approve"];
/** The keys of servers that run as a process, and of those that are reached over HTTP. */
const STDIO_KEYS = ["args", "env", "env_vars", "cwd"];
const HTTP_KEYS = [
  "url",
  "bearer_token_env_var",
  "http_headers",
  "env_http_headers",
  "oauth",
  "oauth_resource",
  "auth",
];

/** As in Codex. */
const STARTUP_SECONDS = 30;
const TOOL_SECONDS = 300;
/** A longer time is as good as for ever. */
const LONGEST_SECONDS = 2_147_483;

/** Reads `mcp_servers`. */
export function mcpSettings(reader: SettingsReader): Readonly<Record<string, McpServerSettings>> {
  const names = Object.keys(reader.sub("mcp_servers") ?? {});
  return Object.fromEntries(names.map((name) => [name, serverOf(reader, name)]));
}

function serverOf(reader: SettingsReader, name: string): McpServerSettings {
  const of = (...keys: string[]): string[] => ["mcp_servers", name, ...keys];
  reader.sub(...of());
  const tools = Object.keys(reader.sub(...of("tools")) ?? {});
  const startupMs = reader.count(0, ...of("startup_timeout_ms"));
  const startup =
    milliseconds(reader.seconds(...of("startup_timeout_sec"))) ??
    milliseconds(startupMs === undefined ? undefined : startupMs / 1_000);
  return {
    transport: transportOf(reader, of),
    enabled: reader.flag(...of("enabled")) ?? true,
    required: reader.flag(...of("required")) ?? false,
    startupTimeoutMs: startup ?? STARTUP_SECONDS * 1_000,
    toolTimeoutMs: milliseconds(reader.seconds(...of("tool_timeout_sec"))) ?? TOOL_SECONDS * 1_000,
    parallel: reader.flag(...of("supports_parallel_tool_calls")) ?? false,
    approval: reader.oneOf(APPROVALS, ...of("default_tools_approval_mode")) ?? "auto",
    approvals: Object.fromEntries(
      tools.flatMap((tool) => {
        const mode = reader.oneOf(APPROVALS, ...of("tools", tool, "approval_mode"));
        return mode === undefined ? [] : [[tool, mode]];
      }),
    ),
    enabledTools: reader.texts(...of("enabled_tools")),
    disabledTools: reader.texts(...of("disabled_tools")) ?? [],
  };
}

function transportOf(reader: SettingsReader, of: (...keys: string[]) => string[]): Transport {
  const refuse = (keys: readonly string[], kind: string): void => {
    const set = reader.sub(...of()) ?? {};
    const wrong = keys.find((key) => set[key] !== undefined);
    if (wrong !== undefined) throw reader.wrong(`is not supported for ${kind}`, ...of(wrong));
  };
  refuse(["bearer_token"], "MCP servers: set bearer_token_env_var");
  const command = reader.text(...of("command"));
  if (command !== undefined) {
    refuse(HTTP_KEYS, "servers with a command");
    return {
      type: "stdio",
      command,
      args: reader.texts(...of("args")) ?? [],
      env: reader.textTable(...of("env")) ?? {},
      envVars: envVars(reader, of("env_vars")),
      cwd: reader.text(...of("cwd")),
    };
  }
  const url = reader.text(...of("url"));
  if (url === undefined) throw reader.wrong("must have a command or a url", ...of());
  refuse(STDIO_KEYS, "servers with a url");
  return {
    type: "http",
    url,
    bearerTokenEnvVar: reader.text(...of("bearer_token_env_var")),
    headers: reader.textTable(...of("http_headers")) ?? {},
    envHeaders: reader.textTable(...of("env_http_headers")) ?? {},
    scopes: reader.texts(...of("scopes")),
    clientId: reader.text(...of("oauth", "client_id")),
    oauthResource: reader.text(...of("oauth_resource")),
  };
}

/** The variables that a server inherits: names, or tables with a name. */
function envVars(reader: SettingsReader, keys: readonly string[]): string[] {
  return reader.list(...keys).map((entry) => {
    if (typeof entry === "string") return entry;
    const { name, source = "local" } = entry;
    if (typeof name !== "string") throw reader.wrong("must be a list of names", ...keys);
    if (source !== "local") throw reader.wrong('can only have entries with the source "local"', ...keys);
    return name;
  });
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(Math.min(seconds, LONGEST_SECONDS) * 1_000);
}
