import {
  StartupTimeoutError,
  VERSION,
  type CloseReason,
  type Transport,
  type TransportFactory,
} from "codexwright";
import { Connection, type IncomingRequest } from "codexwright/rpc";
import { paced } from "./paced.ts";

const NAME = "codexwright-serve";
const STARTUP_MS = 10_000;
const MAX_NOTIFYING = 1_024;

/** Handlers for messages of the app-server. */
export interface UpstreamHandlers {
  notification(method: string, params: unknown): void;
  request(method: string, params: unknown, request: IncomingRequest): unknown;
  /** Called when a line was skipped. */
  warning(message: string): void;
}

/** Options of one request. */
export interface UpstreamRequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Receives the id of the request at the app-server. */
  readonly sent?: ((id: number) => void) | undefined;
}

/** The app-server's description of itself. Older servers send less. */
export interface UpstreamInfo {
  readonly version: string;
  readonly codexHome?: string;
  readonly platformFamily?: string;
  readonly platformOs?: string;
}

/**
 * The gateway's connection to the app-server. It passes on any method in both directions, known to us or not. The
 * library's client does not fit here, because it follows threads, answers requests and has time limits itself.
 */
export class Upstream implements AsyncDisposable {
  /** Resolves when the app-server is gone, however it ended. */
  readonly ended: Promise<CloseReason>;
  readonly #connection: Connection;
  #info: UpstreamInfo = { version: "unknown" };
  #sent: ((id: number) => void) | undefined;
  #over = false;
  #notifying = 0;

  private constructor(transport: Transport, handlers: UpstreamHandlers) {
    let tellEnded: (reason: CloseReason) => void;
    this.ended = new Promise((resolve) => (tellEnded = resolve));
    this.#connection = new Connection({
      transport: this.#tapped(paced(transport)),
      // `FairShare` has already applied the limits.
      maxInFlight: Infinity,
      handlers: {
        notification: (method, params) => {
          if (method !== "serverRequest/resolved") return handlers.notification(method, params);
          // Clients receive this notification from the endpoint, with the endpoint's ids.
          this.#connection.dismiss((params as { requestId: number | string }).requestId);
        },
        request: (method, params, request) => handlers.request(method, params, request),
        badLine: ({ why, length }) =>
          handlers.warning(`skipped a line of ${length} characters from the app-server: ${why}`),
        closed: (reason) => {
          this.#over = true;
          tellEnded(reason);
        },
      },
    });
  }

  /** Starts the app-server and completes the handshake, unless the signal aborts. */
  static async open(
    factory: TransportFactory,
    handlers: UpstreamHandlers,
    stop?: AbortSignal,
  ): Promise<Upstream> {
    const late = new AbortController();
    const signal = stop ? AbortSignal.any([late.signal, stop]) : late.signal;
    const timer = setTimeout(() => late.abort(new StartupTimeoutError(STARTUP_MS)), STARTUP_MS);
    let upstream: Upstream | undefined;
    try {
      upstream = new Upstream(await factory(signal), handlers);
      await upstream.#shakeHands(signal);
      return upstream;
    } catch (error) {
      await upstream?.[Symbol.asyncDispose]();
      throw late.signal.aborted ? late.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  get info(): UpstreamInfo {
    return this.#info;
  }

  /** Whether the app-server is gone. */
  get isOver(): boolean {
    return this.#over;
  }

  request(method: string, params: unknown, { signal, sent }: UpstreamRequestOptions = {}): Promise<unknown> {
    // The id is assigned inside this call.
    this.#sent = sent;
    try {
      return this.#connection.request(method, params, { signal, uncapped: true });
    } finally {
      this.#sent = undefined;
    }
  }

  /**
   * Sends a notification. Drops it if the app-server does not read its input, because no caller waits for a
   * notification.
   */
  async notify(method: string, params: unknown): Promise<void> {
    if (this.#notifying >= MAX_NOTIFYING) return;
    this.#notifying++;
    try {
      await this.#connection.notify(method, params);
    } catch {
      // `ended` reports the failure.
    } finally {
      this.#notifying--;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true;
    await this.#connection.close({ message: "the server has shut down" });
  }

  async #shakeHands(signal: AbortSignal): Promise<void> {
    const hello = {
      clientInfo: { name: NAME, title: null, version: VERSION },
      // We declare both capabilities for all clients. The endpoint checks the capabilities of each client.
      capabilities: { experimentalApi: true, requestAttestation: true },
    };
    const answer = await this.#connection.request("initialize", hello, { signal });
    const { userAgent = "", ...rest } = answer as Partial<UpstreamInfo> & { userAgent?: string };
    const [, version = "unknown"] = /^[^/]*\/(\d[^\s(]*)/.exec(userAgent) ?? [];
    this.#info = { ...rest, version };
    await this.#connection.notify("initialized", {});
  }

  #tapped(inner: Transport): Transport {
    return {
      open: (sink) => inner.open(sink),
      send: (text) => {
        this.#sent?.(Number(/^\{"id":(\d+)/.exec(text)?.[1]));
        return inner.send(text);
      },
      close: () => inner.close(),
    };
  }
}
