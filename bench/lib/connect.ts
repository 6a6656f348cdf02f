import { CodexClient } from "codexwright";
import type { ClientOptions } from "codexwright/client";
import type { TransportFactory } from "codexwright/rpc";
import { Listening, type TransportName } from "./listening.ts";

/** A codexwright client and its server. */
export interface Connected extends AsyncDisposable {
  readonly codex: CodexClient;
}

export async function connect(
  transport: TransportName,
  server: string,
  options: Omit<ClientOptions, "transport"> = {},
): Promise<Connected> {
  if (transport === "stdio") {
    const codex = await CodexClient.connect({ ...options, codexPath: server });
    return { codex, [Symbol.asyncDispose]: () => codex.disconnect() };
  }
  const listening = await Listening.start(server, transport);
  const codex = await CodexClient.connect({
    ...options,
    transport: await dial(transport, listening.address),
  });
  return {
    codex,
    async [Symbol.asyncDispose]() {
      await codex.disconnect();
      await listening[Symbol.asyncDispose]();
    },
  };
}

/** Loads only the module of the requested transport. */
async function dial(transport: "unix" | "ws", address: string): Promise<TransportFactory> {
  if (transport === "ws") return (await import("codexwright/websocket")).websocket(address);
  return (await import("codexwright/unix")).unixSocket(address);
}
