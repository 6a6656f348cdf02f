import path from "node:path";
import { checkOptions, needed, type Table } from "codexwright/internal";
import * as is from "codexwright/internal/options";
import type { McpServers, McpServerSettings, McpThread } from "../core/ports.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { McpConnection, type ConnectionTransport } from "./connection.ts";
import { ThreadConnections } from "./connections.ts";
import { serverEnvironment } from "./environment.ts";
import { headersOf, httpTransport, urlOf } from "./http-transport.ts";
import { CredentialFile } from "./oauth/credentials.ts";
import { login } from "./oauth/login.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** Options of {@link mcpServers}. */
export interface McpServersOptions {
  /** The folder with the logins to servers: the home of Codex. */
  readonly home: string;
  /** The environment that servers inherit a part of, and that holds tokens; default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The version that the engine reports to servers; default "0". */
  readonly version?: string | undefined;
}

const OPTIONS: Table<McpServersOptions> = {
  home: needed(is.nonEmptyText),
  env: is.recordOf(is.text),
  version: is.text,
};

/**
 * Connects threads to the MCP servers of their configuration. Servers with a command run as processes of this machine,
 * outside of the sandbox. Logins are kept in `.credentials.json` of the home.
 */
export function mcpServers(options: McpServersOptions): McpServers {
  checkOptions("mcpServers()", options, OPTIONS);
  const { home, env = process.env, version = "0" } = options;
  const file = new CredentialFile(home);
  const closing = new AbortController();
  return {
    open: (thread) =>
      new ThreadConnections((name, settings) => {
        const transport = (): Promise<ConnectionTransport> => reach(name, settings, thread, { env, file });
        return new McpConnection({ name, settings, version, transport });
      }, thread.servers),
    async login(name, settings, loginOptions) {
      const { origin } = urlOf(settings.url);
      const headers = headersOf(name, settings, env);
      const fetchFn = boundedFetch({ origin, headers, failed: () => {} });
      return await login(name, settings, loginOptions, { file, fetchFn, signal: closing.signal });
    },
    close() {
      closing.abort();
      return Promise.resolve();
    },
  };
}

interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: CredentialFile;
}

async function reach(
  name: string,
  { transport }: McpServerSettings,
  { cwd }: McpThread,
  { env, file }: Machine,
): Promise<ConnectionTransport> {
  if (transport.type === "http") return await httpTransport(name, transport, env, file);
  const stdio = new StdioTransport({
    command: transport.command,
    args: transport.args,
    cwd: path.resolve(cwd, transport.cwd ?? "."),
    env: serverEnvironment(env, transport),
  });
  const secrets = secretsIn(Object.values(transport.env));
  return { transport: stdio, failure: () => stdio.failure, secrets: () => secrets };
}

/** The values that are long enough to be secret. Removing short ones would make errors unreadable. */
function secretsIn(values: readonly string[]): string[] {
  return values.filter((value) => value.length >= 8);
}
