import path from "node:path";
import { checkOptions, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { McpServers, McpServerSettings, McpThread } from "../core/ports.ts";
import { McpConnection, type ConnectionTransport } from "./connection.ts";
import { ThreadConnections } from "./connections.ts";
import { serverEnvironment } from "./environment.ts";
import { httpTransport } from "./http-transport.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** Options of {@link mcpServers}. */
export interface McpServersOptions {
  /** The environment that servers inherit a part of, and that holds tokens; default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The version that the engine reports to servers; default "0". */
  readonly version?: string | undefined;
}

const OPTIONS: Table<McpServersOptions> = { env: is.recordOf(is.text), version: is.text };

/**
 * Connects threads to the MCP servers of their configuration. Servers with a command run as processes of this machine,
 * outside of the sandbox.
 */
export function mcpServers(options: McpServersOptions = {}): McpServers {
  checkOptions("mcpServers()", options, OPTIONS);
  const { env = process.env, version = "0" } = options;
  return {
    open: (thread) =>
      new ThreadConnections(
        Object.entries(thread.servers)
          .filter(([, { enabled }]) => enabled)
          .map(([name, settings]) => {
            const transport = (): Promise<ConnectionTransport> => reach(name, settings, thread, env);
            return new McpConnection({ name, settings, version, transport });
          }),
      ),
  };
}

async function reach(
  name: string,
  { transport }: McpServerSettings,
  { cwd }: McpThread,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ConnectionTransport> {
  if (transport.type === "http") return await httpTransport(name, transport, env, undefined);
  const stdio = new StdioTransport({
    command: transport.command,
    args: transport.args,
    cwd: path.resolve(cwd, transport.cwd ?? "."),
    env: serverEnvironment(env, transport),
  });
  return { transport: stdio, failure: () => stdio.failure, secrets: secretsIn(Object.values(transport.env)) };
}

/** The values that are long enough to be secret. Removing short ones would make errors unreadable. */
function secretsIn(values: readonly string[]): string[] {
  return values.filter((value) => value.length >= 8);
}
