import {
  Connection,
  memoryPair,
  ResponseError,
  type ConnectionHandlers,
  type Transport,
  type WireMessage,
} from "codexwright/rpc";

/** A connection whose other end is controlled by the test. */
export function open(handlers: Partial<ConnectionHandlers> = {}, maxInFlight = 64) {
  const [ours, theirs] = memoryPair();
  const peer = new Peer(theirs);
  const connection = new Connection({
    transport: ours,
    maxInFlight,
    handlers: {
      notification: () => {},
      request: (method) => {
        throw new ResponseError(-32601, `Method not found: ${method}`);
      },
      badLine: () => {},
      closed: () => {},
      ...handlers,
    },
  });
  return { connection, peer };
}

export class Peer {
  readonly messages: WireMessage[] = [];
  readonly #transport: Transport;
  #wake: (() => void) | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.open({
      line: (text) => {
        this.messages.push(JSON.parse(text) as WireMessage);
        this.#wake?.();
      },
      closed: () => {},
    });
  }

  /** Resolves with the first `count` messages when they have arrived. */
  async got(count: number): Promise<WireMessage[]> {
    while (this.messages.length < count) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.messages.slice(0, count);
  }

  async send(message: WireMessage | string): Promise<void> {
    await this.#transport.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }
}
