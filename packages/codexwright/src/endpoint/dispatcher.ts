import type { ClientRequests } from "../protocol/index.ts";
import { requestTraits } from "../protocol/traits/client-requests.ts";
import { laneOf } from "../protocol/traits/lane-of.ts";
import { ResponseError } from "../rpc/errors.ts";
import type { Admitted } from "./admission.ts";
import { Lanes } from "./lanes.ts";
import type { Incoming } from "./incoming.ts";
import { errorLine, overloaded, resultLine } from "./outgoing.ts";
import type { ConnectedClient } from "./connected-client.ts";
import type { Handler, HandlerContext } from "./types.ts";

type Request = Extract<Incoming, { kind: "request" }>;

/** Any handler. Its params have been checked. */
export type AnyHandler = Handler<keyof ClientRequests>;

/** The endpoint, as seen by the dispatcher. */
export interface DispatcherHost {
  /** If the request is rejected, throws the error to answer with. */
  admit(peer: ConnectedClient, method: string, params: unknown): Admitted;
  /**
   * Subscribes the connection to a thread. Returns a function that sends the connection the server requests that were
   * open at that time.
   */
  follow(peer: ConnectedClient, threadId: string): () => void;
  failed(error: unknown, method: string): void;
}

/**
 * Queues requests and runs them. Connections take turns. Requests in the same lane (a queue, for example of one thread)
 * run one after the other. The number of queued requests per connection is limited, so if a client sends too many
 * requests, they are rejected without affecting other clients.
 */
export class Dispatcher {
  readonly #host: DispatcherHost;
  readonly #maxQueued: number;
  readonly #lanes = new Lanes();
  /** Queued requests by connection. The map's order is the order in which connections are served. */
  readonly #ingress = new Map<ConnectedClient, Request[]>();
  /**
   * An iterator that points at the next connection. It is kept, because a new iterator for each request would have to
   * skip every deleted entry again.
   */
  #line = this.#ingress.entries();
  readonly #queued = new Map<ConnectedClient, number>();
  #scheduled = false;

  constructor(host: DispatcherHost, maxQueued: number) {
    this.#host = host;
    this.#maxQueued = maxQueued;
  }

  accept(peer: ConnectedClient, request: Request): void {
    const queued = this.#queued.get(peer) ?? 0;
    if (queued >= this.#maxQueued) return peer.send(errorLine(request.idText, overloaded()));
    this.#queued.set(peer, queued + 1);
    const requests = this.#ingress.get(peer);
    if (requests) requests.push(request);
    else this.#ingress.set(peer, [request]);
    this.#schedule();
  }

  /** Forgets the queued requests of a connection that has ended. */
  drop(peer: ConnectedClient): void {
    this.#ingress.delete(peer);
    this.#queued.delete(peer);
    this.#lanes.drop(peer);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#serveNext();
    });
  }

  #serveNext(): void {
    const next = this.#first();
    if (!next) return;
    const [peer, requests] = next;
    const request = requests.shift();
    // The connection moves to the end, so that a connection with many requests does not delay a connection with few.
    this.#ingress.delete(peer);
    if (requests.length > 0) this.#ingress.set(peer, requests);
    if (this.#ingress.size > 0) this.#schedule();
    if (request) this.#dispatch(peer, request);
  }

  #first(): [ConnectedClient, Request[]] | undefined {
    const here = this.#line.next();
    if (!here.done) return here.value;
    // A finished iterator does not see connections that are added later.
    this.#line = this.#ingress.entries();
    return this.#line.next().value;
  }

  #dispatch(peer: ConnectedClient, request: Request): void {
    let admitted: Admitted;
    try {
      admitted = this.#host.admit(peer, request.method, request.params);
    } catch (error) {
      this.#begun(peer);
      return this.#refuse(peer, request, error);
    }
    if ("result" in admitted) {
      this.#begun(peer);
      peer.send(resultLine(request.idText, admitted.result));
      return this.#attempt(request.method, () => admitted.after());
    }
    const { handler, params } = admitted;
    this.#lanes.enter(laneOf(request.method, params, peer.id), peer, (leave) => {
      this.#begun(peer);
      if (peer.signal.aborted) return leave();
      void this.#run(peer, { ...request, params }, handler).then(leave);
      if (requestTraits(request.method).late) leave();
    });
  }

  #begun(peer: ConnectedClient): void {
    const queued = this.#queued.get(peer);
    if (queued !== undefined) this.#queued.set(peer, queued - 1);
  }

  async #run(
    peer: ConnectedClient,
    { id, idText, method, params }: Request,
    handler: AnyHandler,
  ): Promise<void> {
    const after: (() => void)[] = [];
    const replays: (() => void)[] = [];
    const context: HandlerContext = {
      id,
      connection: peer,
      signal: peer.signal,
      subscribe: (threadId) => void replays.push(this.#host.follow(peer, threadId)),
      afterAnswer: (then) => void after.push(then),
    };
    let line: string;
    try {
      line = resultLine(idText, await handler(params as never, context));
    } catch (error) {
      return this.#refuse(peer, { idText, method }, error);
    }
    peer.send(line);
    for (const then of [...after, ...replays]) this.#attempt(method, then);
  }

  #attempt(method: string, then: () => void): void {
    try {
      then();
    } catch (error) {
      this.#host.failed(error, method);
    }
  }

  #refuse(
    peer: ConnectedClient,
    { idText, method }: Pick<Request, "idText" | "method">,
    error: unknown,
  ): void {
    if (error instanceof ResponseError) return peer.send(errorLine(idText, error));
    peer.send(errorLine(idText, new ResponseError(-32603, `${method} failed in the server`)));
    this.#host.failed(error, method);
  }
}
