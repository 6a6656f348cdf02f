import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { EngineServer } from "@codexwright/engine";
import { engineDefaults, responses } from "@codexwright/engine/node";
import {
  realTarget,
  scriptedModel,
  type ConformanceTarget,
  type ScenarioMcpTool,
  type ScenarioSetup,
  type TargetTransport,
} from "@codexwright/testing";
import { CODEX_VERSION, type Model } from "codexwright/protocol";
import { memoryPair, type TransportFactory } from "codexwright/rpc";
import { listen, type Listener } from "codexwright/server";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";

/** The built command, which serves the engine as a process. */
export const COMMAND: string = path.resolve(import.meta.dirname, "../../cli/dist/codexwright.js");

/** The MCP server of the conformance kit. */
const MCP_PROCESS = path.resolve(import.meta.dirname, "../../testing/dist/lib/mcp-process.js");

/** `codexwright app-server`, started like the real server, with the same configuration file. */
export function commandTarget(transport: Exclude<TargetTransport, "memory">): ConformanceTarget {
  return {
    ...realTarget({ version: CODEX_VERSION, codexPath: COMMAND, transport }),
    name: `codexwright app-server over ${transport}`,
  };
}

export type EngineTargetTransport = Exclude<TargetTransport, "stdio">;

/**
 * The engine with the adapters of this machine: real shell and files, a scripted model over HTTP, and a home and a
 * workspace of its own for every scenario.
 */
export function engineTarget({
  transport = "memory",
}: { transport?: EngineTargetTransport } = {}): ConformanceTarget {
  return {
    name: `engine over ${transport}`,
    version: CODEX_VERSION,
    transport,
    async open(setup) {
      const root = mkdtempSync(path.join(realpathSync(tmpdir()), "codexwright-engine-"));
      const folder = (name: string): string => {
        const made = path.join(root, name);
        mkdirSync(made);
        return made;
      };
      const workspace = folder("workspace");
      const model = await scriptedModel(setup.model);
      const home = folder("codex-home");
      writeFileSync(path.join(home, "config.toml"), configFile(model.baseUrl, setup.mcpTools));
      const server = new EngineServer(
        await engineDefaults({
          provider: responses({ baseUrl: model.baseUrl, id: "mock", models: MODELS }),
          home,
          cwd: workspace,
          // Commands run in a login shell. The profile of the user who runs the tests must not run.
          env: { HOME: folder("home"), TMPDIR: folder("tmp") },
          config: configOf(setup),
        }),
      );
      let listener: Listener | undefined;
      const close = async (): Promise<void> => {
        await listener?.close();
        await server.close();
        await model.close();
        rmSync(root, { recursive: true, force: true });
        const [failure] = server.failures;
        if (failure !== undefined) throw new Error("the engine failed", { cause: failure });
      };
      try {
        const url = transport === "unix" ? `unix://${path.join(root, "engine.sock")}` : "ws://127.0.0.1:0";
        if (transport !== "memory") listener = await listen(server, url);
        const reached = reach(server, listener);
        return {
          transport: Object.assign(reached, { cwd: workspace }),
          workspace,
          model,
          close,
          [Symbol.asyncDispose]: close,
        };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

function reach(server: EngineServer, listener: Listener | undefined): TransportFactory {
  if (listener)
    return listener.url.startsWith("unix://")
      ? unixSocket(listener.url.slice("unix://".length))
      : websocket(listener.url);
  return () => {
    const [near, far] = memoryPair();
    server.accept(far);
    return near;
  };
}

const MODELS: readonly Model[] = ["mock-model", "mock-model-mini"].map((id, at) => ({
  id,
  model: id,
  upgrade: null,
  upgradeInfo: null,
  availabilityNux: null,
  displayName: id,
  description: "A scripted model.",
  modelSpecialty: null,
  hidden: false,
  supportedReasoningEfforts: [{ reasoningEffort: "medium", description: "Balances speed and depth" }],
  defaultReasoningEffort: "medium",
  inputModalities: ["text", "image"],
  supportsPersonality: false,
  multiAgentVersion: null,
  additionalSpeedTiers: [],
  serviceTiers: [],
  defaultServiceTier: null,
  availableAccessPrograms: null,
  isDefault: at === 0,
}));

/** The configuration of the real server in its world. */
function configFile(baseUrl: string, mcpTools?: readonly ScenarioMcpTool[]): string {
  const mcp = mcpTools
    ? `[mcp_servers.small]
command = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([MCP_PROCESS, ...mcpTools])}
startup_timeout_sec = 120
`
    : "";
  return `model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false
[analytics]
enabled = false
[feedback]
enabled = false
[features]
plugins = false
unbounded_connection_retries = false
[model_providers.mock]
name = "mock"
base_url = ${JSON.stringify(baseUrl)}
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[sandbox_workspace_write]
exclude_slash_tmp = true
exclude_tmpdir_env_var = true
${mcp}`;
}

function configOf({ openaiAuth, streamRetries }: ScenarioSetup): object {
  const retries = { streamRetries: streamRetries ?? 0, requestRetries: 0, connectionRetries: 0 };
  return { openaiAuth, ...retries };
}
