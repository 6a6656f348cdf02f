import path from "node:path";
import { CODEX_VERSION } from "codexwright/protocol";
import type { TransportFactory } from "codexwright/rpc";
import { stdio } from "codexwright/stdio";
import { unixSocket } from "codexwright/unix";
import { websocket } from "codexwright/websocket";
import { fakeAppServer, type FakeAppServer } from "../fake-app-server.ts";
import type { FakeMcpServer, FakeMcpTool } from "../fake/mcp-servers.ts";
import type { ConformanceTarget, ScenarioMcpTool, TargetTransport } from "./scenario.ts";
import { MCP_COLOUR, MCP_TOOLS } from "./mcp-tools.ts";
import * as is from "codexwright/internal/options";
import { checkOptions, type Table } from "codexwright/internal";

/** Options of {@link fakeTarget}. */
export interface FakeTargetOptions {
  /** The transport; default memory. */
  readonly transport?: TargetTransport;
  /** The Codex version whose protocol it speaks; default: the version that this library was generated from. */
  readonly dialect?: "current" | "0.98";
}

const OPTIONS: Table<FakeTargetOptions> = {
  transport: is.oneOf("memory", "stdio", "websocket", "unix"),
  dialect: is.oneOf("current", "0.98"),
};

/** Behaviour of 0.98 that its dialect does not reproduce. */
const NOT_IN_DIALECT_098: readonly string[] = [
  "approval.nonsense",
  "error.overloaded-until",
  "error.unauthorized-until",
  "history.resume-early-until",
  "history.resume-loaded-until",
  "history.revert-count",
  "interrupt.refused-until",
  "review.detached-until",
  "steer.running-until",
  "thread.archive",
  "tool.parallel-until",
  "turn.remote-image-until",
];

/** The library's own fake app-server, over any of its transports. */
export function fakeTarget(options: FakeTargetOptions = {}): ConformanceTarget {
  checkOptions("fakeTarget()", options, OPTIONS);
  const { transport = "memory", dialect = "current" } = options;
  return {
    name: `fake${dialect === "current" ? "" : ` of ${dialect}`} over ${transport}`,
    version: dialect === "current" ? CODEX_VERSION : `${dialect}.0`,
    transport,
    unsupported: ({ id }) =>
      dialect === "0.98" && NOT_IN_DIALECT_098.includes(id)
        ? "the dialect changes names and shapes, but not how turns and threads behave"
        : undefined,
    async open({ model, mcpTools, commands, openaiAuth, streamRetries }) {
      const fake = fakeAppServer({
        model,
        dialect,
        ...(openaiAuth !== undefined && { openaiAuth }),
        ...(streamRetries !== undefined && { streamRetries }),
        ...(mcpTools && { mcpServers: { small: small(mcpTools) } }),
        ...(commands && { commands: (command) => commands[command] }),
      });
      return {
        transport: await REACHED_BY[transport](fake),
        workspace: fake.cwd,
        model: fake,
        close: () => fake.close(),
        [Symbol.asyncDispose]: () => fake.close(),
      };
    },
  };
}

const REACHED_BY: Readonly<
  Record<TargetTransport, (fake: FakeAppServer) => TransportFactory | Promise<TransportFactory>>
> = {
  memory: ({ transport }) => transport,
  stdio: ({ executable, cwd }) => stdio({ codexPath: executable, cwd }),
  websocket: async (fake) => at(fake, websocket((await fake.listen("ws://127.0.0.1:0")).url)),
  unix: async (fake) => {
    const socket = path.join(fake.cwd, "..", "app-server.sock");
    await fake.listen(`unix://${socket}`);
    return at(fake, unixSocket(socket));
  },
};

/** Adds the server's folder to the transport, so that clients do not have to set it. */
function at({ cwd }: FakeAppServer, transport: TransportFactory): TransportFactory {
  return Object.assign(transport, { cwd });
}

/** The behaviour of each tool of the MCP server, as in `mcp-process.ts`. */
const CALLS: Readonly<Record<ScenarioMcpTool, NonNullable<FakeMcpTool["call"]>>> = {
  echo: ({ text }) => `echo: ${String(text)}`,
  ask: async (_args, { elicit }) => `ask: ${JSON.stringify(await elicit(MCP_COLOUR))}`,
};

function small(tools: readonly ScenarioMcpTool[]): FakeMcpServer {
  return { version: "1.0.0", tools: tools.map((name) => ({ ...MCP_TOOLS[name], call: CALLS[name] })) };
}
