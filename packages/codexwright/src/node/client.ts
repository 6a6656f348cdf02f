import { CodexClient as NeutralClient } from "../client/client.ts";
import type { ClientOptions } from "../client/options.ts";
import { InvalidArgumentError } from "../rpc/errors.ts";
import type { TransportFactory } from "../rpc/transport.ts";
import { stdio, type StdioOptions } from "../transports/stdio.ts";

type SpawnOptions = Pick<StdioOptions, "codexPath" | "codexHome" | "env" | "config">;

/** Options of a client: how to start a server of its own, or a transport to one, not both. */
export type CodexClientOptions = Omit<ClientOptions, "transport"> &
  (
    | (SpawnOptions & { readonly transport?: undefined })
    | ({ readonly transport: TransportFactory } & { readonly [K in keyof SpawnOptions]?: undefined })
  );

/** A client that starts `codex app-server` by itself where it is given no transport. */
export class CodexClient extends NeutralClient {
  constructor(options: CodexClientOptions = {}) {
    // The transport is made before `this` exists and speaks only after `connect()`.
    let self: CodexClient | undefined;
    super({ ...options, transport: transportOf(options, (text) => self?.emit("stderr", text)) });
    // oxlint-disable-next-line typescript/no-this-alias
    self = this;
  }

  /** A connected client; disposing it ends the connection. */
  static override async connect(options: CodexClientOptions = {}): Promise<CodexClient> {
    const client = new CodexClient(options);
    await client.connect();
    return client;
  }
}

function transportOf(options: CodexClientOptions, onStderr: (text: string) => void): TransportFactory {
  const { codexPath, codexHome, env, config, cwd } = options;
  if (!options.transport) return stdio({ codexPath, codexHome, env, config, cwd, onStderr });
  for (const [name, value] of Object.entries({ codexPath, codexHome, env, config })) {
    if (value === undefined) continue;
    throw new InvalidArgumentError(
      `${name} is for a server that the client starts: give it or transport, not both`,
    );
  }
  return options.transport;
}
