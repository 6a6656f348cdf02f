import { threadsOf } from "../lib/load.ts";
import { MOST_BYTES, type OpenPeer, type Took } from "./peer.ts";

interface Client {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  ping(): Promise<unknown>;
  callTool(
    params: object,
    schema?: undefined,
    options?: { readonly timeout: number },
  ): Promise<{ readonly _meta?: object }>;
  setNotificationHandler(schema: unknown, handler: (notification: Logged) => void): void;
  setRequestHandler(schema: unknown, handler: () => Promise<object>): void;
}
interface Logged {
  readonly params: { readonly data: { readonly threadId: string; readonly delta: string } };
}
const SDK = "@modelcontextprotocol/sdk";
const TIMEOUT_MS = 120_000;

/** Deltas arrive as log messages of a running tool, and approvals as elicitations. */
export const open: OpenPeer = async (load, server) => {
  const { Client: Make } = (await load(`${SDK}/client/index.js`)) as {
    Client: new (info: object, options: object) => Client;
  };
  const { StdioClientTransport } = (await load(`${SDK}/client/stdio.js`)) as {
    StdioClientTransport: new (options: object) => object;
  };
  const types = (await load(`${SDK}/types.js`)) as Record<string, unknown>;
  const client = new Make({ name: "bench", version: "0" }, { capabilities: { elicitation: {} } });
  await client.connect(new StdioClientTransport({ command: server, args: [], maxBufferSize: MOST_BYTES }));
  const call = (): Promise<{ readonly _meta?: object }> =>
    client.callTool({ name: "go", arguments: {} }, undefined, { timeout: TIMEOUT_MS });
  return {
    async stream(toCome, checks) {
      client.setNotificationHandler(types["LoggingMessageNotificationSchema"], ({ params }) =>
        checks.take(params.data.threadId, params.data.delta),
      );
      return async () => void (await Promise.all(threadsOf(toCome).map(call)));
    },
    request: () => client.ping(),
    async answer() {
      client.setRequestHandler(types["ElicitRequestSchema"], async () => ({ action: "accept", content: {} }));
      return async () => (await call())["_meta"] as Took;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
};
