import { atLeast } from "../protocol/release.ts";
import type { ServerNotifications, ServerRequests } from "../protocol/index.ts";
import { CODEX_VERSION } from "../protocol/version.gen.ts";
import { ConnectionClosedError } from "../rpc/errors.ts";
import { checkArgument } from "../rpc/options/check.ts";
import { checkOptions } from "../rpc/options/table.ts";
import { TRANSPORT, type Transport } from "../rpc/transport.ts";
import { Admission } from "./admission.ts";
import { Dispatcher } from "./dispatcher.ts";
import { OpenRequests } from "./open-requests.ts";
import { notificationLine } from "./outgoing.ts";
import { ConnectedClient, type ConnectedClientHost } from "./connected-client.ts";
import { Subscriptions } from "./subscriptions.ts";
import { ENDPOINT, SERVER_REQUEST, SHUTDOWN } from "./tables.ts";
import type {
  ClientConnection,
  EndpointOptions,
  ServerRequestOptions,
  ShutdownOptions,
  ThreadChannel,
} from "./types.ts";

/** The default limit of queued requests per connection. The real server has the same limit. */
const MAX_QUEUED = 128;

/**
 * The protocol side of an app-server. It serves any number of clients with the handlers that you provide.
 *
 * It performs the handshake and rejects invalid requests with the messages of the real server. It also manages the
 * subscriptions of each connection. When it sends a request to several clients, it uses the first answer. Your handlers
 * implement threads and turns.
 */
export class Endpoint implements AsyncDisposable {
  readonly #dispatcher: Dispatcher;
  readonly #subscriptions: Subscriptions;
  readonly #requests: OpenRequests;
  readonly #peers = new Set<ConnectedClient>();
  readonly #held = new Set<Promise<unknown>>();
  readonly #controller = new AbortController();
  readonly #options: EndpointOptions;
  readonly #version: string;
  readonly #host: ConnectedClientHost;
  #nextConnection = 0;
  #drained: (() => void) | undefined;
  #shutdown: Promise<void> | undefined;

  constructor(options: EndpointOptions) {
    checkOptions("new Endpoint()", options, ENDPOINT);
    this.#options = options;
    this.#version = options.version ?? CODEX_VERSION;
    const admission = new Admission(options);
    this.#subscriptions = new Subscriptions((threadId) => {
      try {
        options.onAbandoned?.(threadId);
      } catch (error) {
        this.#failed(error, "thread/unsubscribe");
      }
    });
    this.#requests = new OpenRequests((threadId, requestId) => {
      if (!atLeast(this.#version, "0.110.0")) return;
      this.thread(threadId).notify("serverRequest/resolved", { threadId, requestId });
    });
    this.#dispatcher = new Dispatcher(
      {
        admit: (peer, method, params) => admission.admit(peer, method, params),
        follow: (peer, threadId) => {
          this.#subscriptions.add(peer, threadId);
          return this.#requests.replay(peer, threadId);
        },
        failed: (error, method) => this.#failed(error, method),
      },
      options.maxQueued ?? MAX_QUEUED,
    );
    this.#host = this.#peerHost();
  }

  /** Aborts when the endpoint has ended: when held work is done after `shutdown()`, or immediately after `close()`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Open connections, oldest first, including those that have not initialized yet. */
  get connections(): readonly ClientConnection[] {
    return [...this.#peers];
  }

  /** Serves a client over this transport. The endpoint owns the transport from now on. */
  accept(transport: Transport): ClientConnection {
    checkArgument("endpoint.accept()", "transport", transport, TRANSPORT);
    const peer = new ConnectedClient(this.#nextConnection++, transport, this.#host);
    this.#peers.add(peer);
    peer.open(this.#options.initializeTimeoutMs);
    if (this.#controller.signal.aborted) void peer.close("the server has shut down");
    return peer;
  }

  /** Sends a notification to every initialized client. */
  broadcast<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void {
    this.#tell(this.#peers, method, params);
  }

  /**
   * Sends a request to every initialized client. Resolves with the first result. Rejects when all clients have failed.
   * Use this for requests that do not belong to a thread.
   */
  request<M extends keyof ServerRequests>(
    method: M,
    params: ServerRequests[M]["params"],
    options?: ServerRequestOptions,
  ): Promise<ServerRequests[M]["result"]> {
    return this.#ask([...this.#peers], method, params, options) as Promise<ServerRequests[M]["result"]>;
  }

  /** The current and future subscribers of a thread. */
  thread(threadId: string): ThreadChannel {
    const peers = (): ReadonlySet<ConnectedClient> => this.#subscriptions.of(threadId);
    return {
      get subscribers() {
        return [...peers()];
      },
      notify: (method, params) => this.#tell(peers(), method, params),
      request: async <M extends keyof ServerRequests>(
        method: M,
        params: ServerRequests[M]["params"],
        options: ServerRequestOptions = {},
      ) => {
        checkOptions(method, options, SERVER_REQUEST);
        const answer = this.#requests.ask({ method, params, threadId }, peers(), options);
        return (await answer) as ServerRequests[M]["result"];
      },
    };
  }

  /** Makes a graceful shutdown wait until this work, such as a running turn, has succeeded or failed. */
  hold(work: Promise<unknown>): void {
    this.#held.add(work);
    const release = (): void => {
      this.#held.delete(work);
      if (this.#held.size === 0) this.#drained?.();
    };
    work.then(release, release);
  }

  /**
   * Waits for all work that was passed to `hold`, then ends every connection. Until then, clients are still served,
   * because a turn may need their answers. If the signal of any `shutdown` call aborts, the wait ends.
   */
  shutdown(options: ShutdownOptions = {}): Promise<void> {
    try {
      checkOptions("endpoint.shutdown()", options, SHUTDOWN);
    } catch (error) {
      return Promise.reject(error);
    }
    const { signal } = options;
    this.#shutdown ??= this.#drain().then(() => this.#end());
    const force = (): void => this.#drained?.();
    if (signal?.aborted) force();
    else signal?.addEventListener("abort", force, { once: true });
    return this.#shutdown.finally(() => signal?.removeEventListener("abort", force));
  }

  /** Ends every connection without waiting for work that was passed to `hold`. */
  close(): Promise<void> {
    return this.shutdown({ signal: AbortSignal.abort() });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #drain(): Promise<void> {
    if (this.#held.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#drained = resolve;
    });
  }

  async #end(): Promise<void> {
    const message = "the server has shut down";
    this.#controller.abort();
    this.#requests.close({ message });
    await Promise.allSettled([...this.#peers].map((peer) => peer.close(message)));
  }

  async #ask(
    peers: readonly ConnectedClient[],
    method: string,
    params: unknown,
    options: ServerRequestOptions = {},
  ): Promise<unknown> {
    checkOptions(method, options, SERVER_REQUEST);
    const open = peers.filter((peer) => peer.session && !peer.signal.aborted);
    if (open.length > 0) return await this.#requests.ask({ method, params }, open, options);
    throw new ConnectionClosedError({ message: "no client is connected" }, "notSent");
  }

  #tell(peers: Iterable<ConnectedClient>, method: string, params: unknown): void {
    let line: string | undefined;
    for (const peer of peers) {
      if (!peer.wants(method)) continue;
      line ??= notificationLine(method, params, this.#now());
      peer.send(line);
    }
  }

  #failed(error: unknown, method: string): void {
    try {
      this.#options.onError?.(error, method);
    } catch {
      // An error thrown by `onError` is ignored.
    }
  }

  #now(): number | undefined {
    return !atLeast(this.#version, "0.145.0") ? undefined : (this.#options.clock ?? Date.now)();
  }

  #peerHost(): ConnectedClientHost {
    return {
      request: (peer, request) => this.#dispatcher.accept(peer, request),
      answer: (peer, answer) => this.#requests.answer(peer, answer),
      notification: (peer, method, params) => {
        try {
          this.#options.onNotification?.(method, params, peer);
        } catch (error) {
          this.#failed(error, method);
        }
      },
      ask: (peer, method, params, options) => this.#ask([peer], method, params, options),
      subscribe: (peer, threadId) => {
        if (this.#subscriptions.add(peer, threadId)) this.#requests.replay(peer, threadId)();
      },
      unsubscribe: (peer, threadId) => this.#subscriptions.remove(peer, threadId),
      closed: (peer, reason) => {
        this.#peers.delete(peer);
        this.#dispatcher.drop(peer);
        this.#subscriptions.drop(peer);
        this.#requests.drop(peer, reason);
      },
      now: () => this.#now(),
      version: this.#version,
    };
  }
}
