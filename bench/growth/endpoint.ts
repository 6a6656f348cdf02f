import { memoryPair, type Transport } from "codexwright/rpc";
import { Endpoint } from "codexwright/server";
import { must, times, type GrowthCase } from "./case.ts";

const NOTIFICATIONS = 64;
const SHARED = "shared";

/**
 * Clients of one endpoint: each performs the handshake, subscribes to its own thread and to a shared one, and
 * disconnects.
 */
export const clients: GrowthCase = (count) => {
  const endpoint = new Endpoint({
    handlers: {
      "thread/loaded/list": (_params, { connection, subscribe }) => {
        subscribe(SHARED);
        subscribe(`own-${connection.id}`);
        return { data: [], nextCursor: null };
      },
    },
  });
  return {
    async run() {
      const all = times(count, () => new Client(endpoint));
      await Promise.all(all.map((client) => client.ready));
      const delta = { threadId: SHARED, turnId: "turn", itemId: "item", delta: "some text" };
      for (let n = 0; n < NOTIFICATIONS; n++)
        endpoint.thread(SHARED).notify("item/agentMessage/delta", delta);
      await Promise.all(all.map((client) => client.full));
      await Promise.all(all.map((client) => client.leave()));
      must("connections", endpoint.connections.length, 0);
    },
    end: () => endpoint[Symbol.asyncDispose](),
  };
};

/** A minimal client, so that the sample measures the endpoint. */
class Client {
  readonly ready: Promise<void>;
  /** Resolves when every message has been received. */
  readonly full: Promise<void>;
  readonly #transport: Transport;
  #heard = 0;

  constructor(endpoint: Endpoint) {
    const [mine, theirs] = memoryPair();
    this.#transport = mine;
    let isReady = (): void => {};
    let isFull = (): void => {};
    this.ready = new Promise((resolve) => (isReady = resolve));
    this.full = new Promise((resolve) => (isFull = resolve));
    mine.open({
      line: (text) => {
        if (text.startsWith('{"id":1,')) isReady();
        else if (text.startsWith('{"method"') && ++this.#heard === NOTIFICATIONS) isFull();
      },
      closed: () => {},
    });
    endpoint.accept(theirs);
    const clientInfo = { name: "bench", version: "0", title: null };
    this.#send({ id: 0, method: "initialize", params: { clientInfo, capabilities: null } });
    this.#send({ method: "initialized" });
    this.#send({ id: 1, method: "thread/loaded/list", params: {} });
  }

  leave(): Promise<void> {
    return this.#transport.close();
  }

  #send(message: object): void {
    void this.#transport.send(JSON.stringify(message));
  }
}
