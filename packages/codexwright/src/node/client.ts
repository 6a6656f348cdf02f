import { CodexClient as NeutralClient, type ClientOptions } from "../client/index.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import * as is from "../rpc/options/check.ts";
import { checkOptions, type Table } from "../rpc/options/table.ts";
import type { TransportFactory } from "../rpc/transport.ts";
import { stdio, STDIO_OPTIONS, type StdioOptions } from "../transports/stdio.ts";

type SpawnOptions = Pick<
  StdioOptions,
  "codexPath" | "command" | "codexHome" | "env" | "config" | "lease" | "maxLineBytes"
>;

/** Options of a client: either how to start its own server, or a transport to an existing server. */
export type CodexClientOptions = Omit<ClientOptions, "transport"> &
  (
    | (SpawnOptions & { readonly transport?: undefined })
    | ({ readonly transport: TransportFactory } & { readonly [K in keyof SpawnOptions]?: undefined })
  );

/** A client that starts `codex app-server` itself unless it has a `transport`. */
export class CodexClient extends NeutralClient {
  static readonly #OPTIONS: Table<CodexClientOptions> = {
    ...NeutralClient.OPTIONS,
    transport: is.func,
    codexPath: STDIO_OPTIONS.codexPath,
    command: STDIO_OPTIONS.command,
    codexHome: STDIO_OPTIONS.codexHome,
    env: STDIO_OPTIONS.env,
    config: STDIO_OPTIONS.config,
    lease: STDIO_OPTIONS.lease,
    maxLineBytes: STDIO_OPTIONS.maxLineBytes,
  };

  constructor(options: CodexClientOptions = {}) {
    // The transport is created before `this` exists. It emits no stderr text before `connect()` is called.
    let self: CodexClient | undefined;
    checkOptions("CodexClient", options, CodexClient.#OPTIONS);
    super(neutral(options, (text) => self?.emit("stderr", text)));
    // oxlint-disable-next-line typescript/no-this-alias
    self = this;
  }

  /** Creates and connects a client. Disposing the client ends the connection. */
  static override async connect(options: CodexClientOptions = {}): Promise<CodexClient> {
    const client = new CodexClient(options);
    await client.connect();
    return client;
  }
}

/** Returns the options of the runtime-neutral client, with a transport. */
function neutral(options: CodexClientOptions, onStderr: (text: string) => void): ClientOptions {
  const { codexPath, command, codexHome, env, config, lease, maxLineBytes, transport, ...rest } = options;
  const start: SpawnOptions = { codexPath, command, codexHome, env, config, lease, maxLineBytes };
  if (!transport) return { ...rest, transport: stdio({ ...start, cwd: rest.cwd, onStderr }) };
  for (const [name, value] of Object.entries(start)) {
    if (value === undefined) continue;
    throw new InvalidArgumentError(
      `${name} configures a server that the client starts: set either it or transport`,
    );
  }
  return { ...rest, transport };
}
