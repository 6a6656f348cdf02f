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

/** Any handler; its params were checked. */
export type AnyHandler = Handler<keyof ClientRequests>;

/** What the dispatcher asks of the endpoint. */
export interface DispatcherHost {
  /** Throws what a request is refused with. */
  admit(peer: ConnectedClient, method: string, params: unknown): Admitted;
  /** Subscribes, and gives what sends the requests that were open then. */
  follow(peer: ConnectedClient, threadId: string): () => void;
  failed(error: unknown, method: string): void;
}

/**
 * Takes requests off the read loop and works on them: connections in turns, requests of one lane one after the
 * other. What waits is bounded for each connection, so that one that floods is refused and others notice nothing.
 */
export class Dispatcher {
  readonly #host: DispatcherHost;
  readonly #maxQueued: number;
  readonly #lanes = new Lanes();
  /** Requests not yet looked at, by connection; the connections in the order in which they are served next. */
  readonly #ingress = new Map<ConnectedClient, Request[]>();
  /** Stands before the connection that is next: to look for it from the start costs a step for each that was. */
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

  /** The connection has ended: what it asked for and nobody began is forgotten. */
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
    // To the end of the line: whoever sends much does not come before whoever sends little.
    this.#ingress.delete(peer);
    if (requests.length > 0) this.#ingress.set(peer, requests);
    if (this.#ingress.size > 0) this.#schedule();
    if (request) this.#dispatch(peer, request);
  }

  #first(): [ConnectedClient, Request[]] | undefined {
    const here = this.#line.next();
    if (!here.done) return here.value;
    // One that has come to the end does not see who comes later.
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
    const context: HandlerContext = {
      id,
      connection: peer,
      signal: peer.signal,
      subscribe: (threadId) => void after.push(this.#host.follow(peer, threadId)),
      afterAnswer: (then) => void after.push(then),
    };
    let line: string;
    try {
      line = resultLine(idText, await handler(params as never, context));
    } catch (error) {
      return this.#refuse(peer, { idText, method }, error);
    }
    peer.send(line);
    for (const then of after) this.#attempt(method, then);
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
