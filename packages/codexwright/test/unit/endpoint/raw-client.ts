import { memoryPair } from "codexwright/rpc";
import type { ClientConnection, Endpoint } from "codexwright/server";
import { LineClient, type Hello } from "@codexwright/test-support/line-client";

/** A client of lines of an endpoint in this process. */
export class RawClient extends LineClient {
  /** The endpoint's side of the channel. */
  readonly connection: ClientConnection;

  constructor(endpoint: Endpoint) {
    const [ours, theirs] = memoryPair();
    super(ours);
    this.connection = endpoint.accept(theirs);
  }
}

/** A client that has shaken hands. */
export async function rawClient(endpoint: Endpoint, hello?: Hello): Promise<RawClient> {
  const client = new RawClient(endpoint);
  await client.hello(hello);
  return client;
}

/** Opted in. */
export const EXPERIMENTAL: Hello = { capabilities: { experimentalApi: true } };
