import { memoryPair } from "codexwright/rpc";
import type { ClientConnection, Endpoint } from "codexwright/server";
import { LineClient, type Hello } from "@codexwright/test-support/line-client";

/** A client that sends raw lines to an endpoint in this process. */
export class RawClient extends LineClient {
  /** The endpoint's side of the connection. */
  readonly connection: ClientConnection;

  constructor(endpoint: Endpoint) {
    const [ours, theirs] = memoryPair();
    super(ours);
    this.connection = endpoint.accept(theirs);
  }
}

/** A client that has initialized. */
export async function rawClient(endpoint: Endpoint, hello?: Hello): Promise<RawClient> {
  const client = new RawClient(endpoint);
  await client.hello(hello);
  return client;
}

/** A client that opted in to experimental methods. */
export const EXPERIMENTAL: Hello = { capabilities: { experimentalApi: true } };
