import { memoryPair, type TransportFactory } from "codexwright/rpc";
import { Endpoint } from "codexwright/server";
import { serveUntilStopped, type ServeEvent } from "../../../src/serve/lifecycle.ts";

export const token = "a-token-for-tests";

/** App-servers that can be disconnected, and the events about them. */
export class Serving {
  readonly events: ServeEvent[] = [];
  readonly stop = new AbortController();
  readonly ended: Promise<void>;
  /** The current app-server. */
  upstream!: Endpoint;
  cut: () => void = () => {};
  readonly #waiting = new Map<string, (event: ServeEvent) => void>();

  constructor(restart: boolean) {
    const transport: TransportFactory = () => {
      const [client, server] = memoryPair();
      this.cut = () => void server.close();
      this.upstream = new Endpoint({ handlers: { "model/list": () => ({ data: [], nextCursor: null }) } });
      this.upstream.accept(server);
      return client;
    };
    this.ended = serveUntilStopped({
      transport,
      url: "ws://127.0.0.1:0",
      auth: { capabilityToken: { token } },
      restart,
      stop: this.stop.signal,
      force: new AbortController().signal,
      onEvent: (event) => {
        this.events.push(event);
        this.#waiting.get(event.type)?.(event);
      },
    });
  }

  /** Resolves with the next event of this type. */
  next<T extends ServeEvent["type"]>(type: T): Promise<Extract<ServeEvent, { type: T }>> {
    return new Promise((resolve) => {
      this.#waiting.set(type, (event) => resolve(event as Extract<ServeEvent, { type: T }>));
    });
  }
}
