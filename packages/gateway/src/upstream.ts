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

/** What the app-server says. */
export interface UpstreamHandlers {
  notification(method: string, params: unknown): void;
  request(method: string, params: unknown, request: IncomingRequest): unknown;
  /** A line was skipped. */
  warning(message: string): void;
}

/** How one request waits. */
export interface UpstreamRequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Is told the id that the app-server knows the request by. */
  readonly sent?: ((id: number) => void) | undefined;
}

/** What the app-server said of itself; older ones say less. */
export interface UpstreamInfo {
  readonly version: string;
  readonly codexHome?: string;
  readonly platformFamily?: string;
  readonly platformOs?: string;
}

/**
 * The one app-server as the gateway sees it: any method, known to us or not, either way. A client of the library is of
 * no use here, since it takes sides: it follows threads, answers questions and has time limits.
 */
export class Upstream implements AsyncDisposable {
  /** Resolves when the app-server is gone, whoever ended it. */
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
      // Who may ask how much is decided before.
      maxInFlight: Infinity,
      handlers: {
        notification: (method, params) => {
          if (method !== "serverRequest/resolved") return handlers.notification(method, params);
          // The one that is passed on comes from the endpoint, whose ids are its own.
          this.#connection.dismiss((params as { requestId: number | string }).requestId);
        },
        request: (method, params, request) => handlers.request(method, params, request),
        badLine: ({ why, length }) =>
          handlers.warning(`skipped a line of ${length} characters of the app-server's: ${why}`),
        closed: (reason) => {
          this.#over = true;
          tellEnded(reason);
        },
      },
    });
  }

  /** Starts the app-server and shakes hands, until the signal aborts. */
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

  /** There is no app-server to talk to any more. */
  get isOver(): boolean {
    return this.#over;
  }

  request(method: string, params: unknown, { signal, sent }: UpstreamRequestOptions = {}): Promise<unknown> {
    // It is written inside the call.
    this.#sent = sent;
    try {
      return this.#connection.request(method, params, { signal, uncapped: true });
    } finally {
      this.#sent = undefined;
    }
  }

  /** Dropped where the app-server does not read them: nobody waits for their end. */
  async notify(method: string, params: unknown): Promise<void> {
    if (this.#notifying >= MAX_NOTIFYING) return;
    this.#notifying++;
    try {
      await this.#connection.notify(method, params);
    } catch {
      // `ended` tells.
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
      // Attestations are asked of the clients that say they can; the gates are theirs, too.
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
