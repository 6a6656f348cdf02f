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

/** A request of the server's that waits for its first answer. */
interface OpenRequest {
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
  readonly threadId: string | undefined;
  /** Who was asked and may therefore answer. */
  readonly asked: Set<ConnectedClient>;
  /** Those of them that answered with an error: it counts when nobody is left who may do better. */
  readonly failed: Map<ConnectedClient, RpcError>;
  settle(outcome: Outcome): void;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** The open requests of all threads and connections, under one counter. */
export class OpenRequests {
  readonly #open = new Map<number, OpenRequest>();
  readonly #resolved: (threadId: string, requestId: number) => void;
  #nextId = 0;
  #closed: CloseReason | undefined;

  /** `resolved` tells the subscribers of a thread that a request needs no answer any more. */
  constructor(resolved: (threadId: string, requestId: number) => void) {
    this.#resolved = resolved;
  }

  /** Asks these connections; with a thread, those too that subscribe to it later. */
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
      // Open, it would fail again in the face of everybody who subscribes later.
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
   * The first result of somebody who was asked counts, and an error once all have failed: a client without a handler
   * must not answer for one with a person in front of it. Everything else is nobody's.
   */
  answer(peer: ConnectedClient, message: Extract<Incoming, { kind: "answer" | "error" }>): void {
    const request = typeof message.id === "number" ? this.#open.get(message.id) : undefined;
    if (!request?.asked.has(peer)) return;
    if (message.kind === "answer") return request.settle({ result: message.result });
    const error = new RpcError(request.method, message.error);
    request.failed.set(peer, error);
    if (request.failed.size === request.asked.size) request.settle({ error });
  }

  /** Takes note of what is open on a thread; calling the result sends a connection what is open still. */
  replay(peer: ConnectedClient, threadId: string): () => void {
    const requests = [...this.#open.values()].filter((request) => request.threadId === threadId);
    return () => {
      for (const request of requests) if (this.#open.has(request.id)) this.#send(request, peer);
    };
  }

  /** A connection has ended. What belongs to a thread waits for another; the rest waits for those that remain. */
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
