import { serverRequestTraits } from "../protocol/traits/server-requests.ts";
import {
  AbortedError,
  ConnectionClosedError,
  InvalidArgumentError,
  RpcError,
  type CloseReason,
} from "../rpc/errors.ts";
import { offAbort, onAbort } from "../rpc/on-abort.ts";
import type { Incoming } from "./incoming.ts";
import type { ConnectedClient } from "./connected-client.ts";
import type { ServerRequestOptions } from "./types.ts";

/** A server request that waits for its first answer. */
interface OpenRequest {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
  readonly threadId: string | undefined;
  /** The clients that received the request and may answer it. */
  readonly asked: Set<ConnectedClient>;
  /**
   * The clients that answered with an error, and their errors. If no other client can still answer, the request fails
   * with one of these errors.
   */
  readonly failed: Map<ConnectedClient, RpcError>;
  settle(outcome: Outcome): void;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** The open server requests of all threads and connections. All of them share one id counter. */
export class OpenRequests {
  readonly #open = new Map<number, OpenRequest>();
  readonly #resolved: (threadId: string, requestId: number) => void;
  #nextId = 0;
  #closed: CloseReason | undefined;

  /** @param resolved notifies the subscribers of a thread that a request no longer needs an answer */
  constructor(resolved: (threadId: string, requestId: number) => void) {
    this.#resolved = resolved;
  }

  /** Sends a request to these connections and, if it has a thread, to later subscribers of that thread. */
  ask(
    ask: { readonly method: string; readonly params: unknown; readonly threadId?: string },
    peers: Iterable<ConnectedClient>,
    { signal }: ServerRequestOptions = {},
  ): Promise<unknown> {
    if (this.#closed) return Promise.reject(new ConnectionClosedError(this.#closed, "notSent"));
    if (signal?.aborted) return Promise.reject(new AbortedError(ask.method, "notSent", signal.reason));
    try {
      JSON.stringify(ask.params);
    } catch (cause) {
      // Reject now. Otherwise the request would stay open and fail again for every later subscriber.
      const message = `the params of ${ask.method} cannot be written as JSON`;
      return Promise.reject(new InvalidArgumentError(message, { cause }));
    }
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        request.settle({ error: new AbortedError(ask.method, "unknown", signal?.reason) });
      };
      const request: OpenRequest = {
        id: this.#nextId++,
        method: ask.method,
        params: ask.params,
        threadId: ask.threadId,
        asked: new Set(),
        failed: new Map(),
        settle: (outcome) => {
          if (!this.#open.delete(request.id)) return;
          offAbort(signal, abort);
          if (ask.threadId !== undefined && serverRequestTraits(ask.method).tellsResolved) {
            this.#resolved(ask.threadId, request.id);
          }
          if ("error" in outcome) reject(outcome.error);
          else resolve(outcome.result);
        },
      };
      onAbort(signal, abort);
      this.#open.set(request.id, request);
      for (const peer of peers) this.#send(request, peer);
    });
  }

  /**
   * Handles an answer to a server request. The first result counts. An error counts only when all clients have failed,
   * because a client without a handler must not decide for a client whose user can still answer. Answers from clients
   * that did not receive the request are ignored.
   */
  answer(peer: ConnectedClient, message: Extract<Incoming, { kind: "answer" | "error" }>): void {
    const request = typeof message.id === "number" ? this.#open.get(message.id) : undefined;
    if (!request?.asked.has(peer)) return;
    if (message.kind === "answer") return request.settle({ result: message.result });
    const error = new RpcError(request.method, message.error);
    request.failed.set(peer, error);
    if (request.failed.size === request.asked.size) request.settle({ error });
  }

  /**
   * Collects the open requests of a thread. Returns a function that sends the connection those requests that are still
   * open when it is called.
   */
  replay(peer: ConnectedClient, threadId: string): () => void {
    const requests = [...this.#open.values()].filter((request) => request.threadId === threadId);
    return () => {
      for (const request of requests) if (this.#open.has(request.id)) this.#send(request, peer);
    };
  }

  /**
   * Called when a connection has ended. Its open requests about a thread wait for later subscribers. All other open
   * requests wait for the remaining clients.
   */
  drop(peer: ConnectedClient, reason: CloseReason): void {
    for (const request of this.#open.values()) {
      if (!request.asked.delete(peer)) continue;
      request.failed.delete(peer);
      if (request.threadId !== undefined || request.failed.size < request.asked.size) continue;
      const [failure] = request.failed.values();
      request.settle({ error: failure ?? new ConnectionClosedError(reason, "unknown") });
    }
  }

  close(reason: CloseReason): void {
    this.#closed = reason;
    for (const request of this.#open.values()) {
      request.settle({ error: new ConnectionClosedError(reason, "unknown") });
    }
  }

  #send(request: OpenRequest, peer: ConnectedClient): void {
    request.asked.add(peer);
    request.failed.delete(peer);
    peer.sendRequest(request.id, request.method, request.params);
  }
}
