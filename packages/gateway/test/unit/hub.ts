import { memoryPair } from "codexwright/rpc";
import { Endpoint, type HandlerContext } from "codexwright/server";
import { LineClient } from "@codexwright/test-support/line-client";
import { Gateway, type GatewayOptions } from "../../src/gateway.ts";

/** A request that reached the app-server behind the gateway. */
export interface Reached {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

type AnyHandler = (params: never, context: HandlerContext) => unknown;

/** A gateway in front of an app-server that the test plays with an endpoint. */
export class Hub implements AsyncDisposable {
  readonly reached: Reached[] = [];
  readonly warnings: string[] = [];
  readonly upstream: Endpoint;
  gateway!: Gateway;
  /** Disconnects the app-server. */
  cut: () => void = () => {};

  private constructor(handlers: Readonly<Record<string, AnyHandler>>) {
    const noted = Object.entries({ ...DEFAULTS, ...handlers }).map(([method, handle]) => [
      method,
      (params: never, context: HandlerContext) => {
        this.reached.push({ method, params });
        return handle(params, context);
      },
    ]);
    this.upstream = new Endpoint({
      handlers: Object.fromEntries(noted),
      validate: false,
    });
  }

  static async open(
    handlers: Readonly<Record<string, AnyHandler>> = {},
    options: Partial<GatewayOptions> = {},
  ): Promise<Hub> {
    const hub = new Hub(handlers);
    hub.gateway = await Gateway.open({
      transport: () => {
        const [client, server] = memoryPair();
        hub.cut = () => void server.close();
        hub.upstream.accept(server);
        return client;
      },
      onWarning: (message) => hub.warnings.push(message),
      ...options,
    });
    return hub;
  }

  /** Adds a client that has completed the handshake. */
  async client(capabilities: object = { experimentalApi: true }): Promise<LineClient> {
    const [near, far] = memoryPair();
    this.gateway.accept(far);
    const client = new LineClient(near);
    await client.hello({ capabilities });
    return client;
  }

  /** The params of the requests with this method that reached the app-server. */
  paramsOf(method: string): readonly Reached["params"][] {
    return this.reached.filter((each) => each.method === method).map(({ params }) => params);
  }

  methods(): readonly string[] {
    return this.reached.map(({ method }) => method);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway[Symbol.asyncDispose]();
    await this.upstream[Symbol.asyncDispose]();
  }
}

const open = ({ threadId = "t" }: { threadId?: string }, { subscribe }: HandlerContext): unknown => {
  subscribe(threadId);
  return { thread: { id: threadId } };
};

const DEFAULTS: Readonly<Record<string, AnyHandler>> = {
  "thread/start": open,
  "thread/resume": open,
  "thread/unsubscribe": ({ threadId }: { threadId: string }, { connection }) => ({
    status: connection.unsubscribe(threadId) ? "unsubscribed" : "notSubscribed",
  }),
  "turn/start": () => ({ turn: { id: "u" } }),
};
