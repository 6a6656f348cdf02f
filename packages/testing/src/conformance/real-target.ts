import { fileURLToPath } from "node:url";
import { stdio } from "codexwright/stdio";
import { realAppServer, type RealAppServerOptions } from "../real-app-server.ts";
import { scriptedModel } from "../scripted-model.ts";
import type {
  ConformanceServer,
  ConformanceTarget,
  ScenarioModelTool,
  ScenarioSetup,
  TargetTransport,
} from "./scenario.ts";
import * as is from "codexwright/internal/options";
import { checkOptions, needed, type Table } from "codexwright/internal";

/** Options of {@link realTarget}. */
export interface RealTargetOptions {
  /** The version of the binary, which determines the scenarios to run. */
  readonly version: string;
  /** The Codex executable; default: the one that the client finds. */
  readonly codexPath?: string;
  /** The transport; default stdio. */
  readonly transport?: Exclude<TargetTransport, "memory">;
}

const OPTIONS: Table<RealTargetOptions> = {
  version: needed(is.text),
  codexPath: is.text,
  transport: is.oneOf("stdio", "websocket", "unix"),
};

/** The real `codex app-server` with a scripted model, in a separate home for every scenario. */
export function realTarget(options: RealTargetOptions): ConformanceTarget {
  checkOptions("realTarget()", options, OPTIONS);
  const { version, codexPath, transport = "stdio" } = options;
  return {
    name: `codex ${version} over ${transport}`,
    version,
    transport,
    async open(setup) {
      const model = await scriptedModel(setup.model);
      const world = { model, config: configOf(setup), ...(codexPath !== undefined && { codexPath }) };
      try {
        const server = await start(world, transport);
        const close = async (): Promise<void> => {
          await server[Symbol.asyncDispose]();
          await model.close();
        };
        return { ...server, model, close, [Symbol.asyncDispose]: close };
      } catch (error) {
        await model.close();
        throw error;
      }
    },
  };
}

async function start(
  options: RealAppServerOptions,
  transport: TargetTransport,
): Promise<Omit<ConformanceServer, "model">> {
  if (transport !== "stdio") {
    const listen = transport === "unix" ? "unix" : "ws";
    const server = await realAppServer({ ...options, listen });
    const { workspace, clientOptions } = server;
    return {
      workspace,
      transport: clientOptions.transport,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }
  const server = await realAppServer(options);
  const { codexHome, cwd, env, codexPath } = server.clientOptions;
  return {
    workspace: server.workspace,
    transport: stdio({ codexHome, cwd, env, codexPath }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The settings that enable a tool, by their table. */
const MODEL_TOOLS: Readonly<Record<ScenarioModelTool, readonly [table: string, setting: string]>> = {
  update_plan: ["tools", "update_plan = { enabled = true }"],
  request_user_input: ["features", "default_mode_request_user_input = true"],
  request_permissions: ["features", "request_permissions_tool = true"],
};

/** The config.toml of a scenario's set-up. */
function configOf({ modelTools = [], openaiAuth, streamRetries, mcpTools }: ScenarioSetup): string {
  const tables: Record<string, string[]> = {};
  const set = (table: string, ...settings: string[]): void => void (tables[table] ??= []).push(...settings);
  for (const tool of modelTools) set(...MODEL_TOOLS[tool]);
  if (openaiAuth) set("model_providers.mock", "requires_openai_auth = true");
  if (streamRetries !== undefined) set("model_providers.mock", `stream_max_retries = ${streamRetries}`);
  if (mcpTools) {
    const program = fileURLToPath(new URL("mcp-process.js", import.meta.url));
    set(
      "mcp_servers.small",
      `command = ${JSON.stringify(process.execPath)}`,
      `args = ${JSON.stringify([program, ...mcpTools])}`,
      // A busy machine starts a program slowly.
      "startup_timeout_sec = 120",
    );
  }
  return Object.entries(tables)
    .map(([table, settings]) => [`[${table}]`, ...settings].join("\n"))
    .join("\n");
}
