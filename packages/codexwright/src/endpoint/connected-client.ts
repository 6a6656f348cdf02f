import type * as protocol from "../protocol/index.ts";
import type { ServerNotifications, ServerRequests } from "../protocol/index.ts";
import type { CloseReason } from "../rpc/errors.ts";
import { Outbox } from "../rpc/outbox.ts";
import type { Transport } from "../rpc/transport.ts";
import { hasTooManyValues, TOO_MANY_VALUES } from "../rpc/values.ts";
import type { Session } from "./handshake.ts";
import { readIncoming, type Incoming } from "./incoming.ts";
import { notificationLine, requestLine } from "./outgoing.ts";
import type { ClientConnection, ServerRequestOptions } from "./types.ts";
import { isHidden, visibleParams } from "./visible.ts";

/**
 * The maximum number of unsent bytes per client. It is lower than the limit on the client's side of a connection,
 * because an endpoint can have many clients.
 */
const MAX_UNSENT = 64 * 1024 * 1024;

/** The endpoint, as seen by one connection. All calls return immediately. */
export interface ConnectedClientHost {
  request(peer: ConnectedClient, request: Extract<Incoming, { kind: "request" }>): void;
  answer(peer: ConnectedClient, answer: Extract<Incoming, { kind: "answer" | "error" }>): void;
  notification(peer: ConnectedClient, method: string, params: unknown): void;
  /** Sends a request to this connection only. */
  ask(
    peer: ConnectedClient,
    method: string,
    params: unknown,
    options?: ServerRequestOptions,
  ): Promise<unknown>;
  subscribe(peer: ConnectedClient, threadId: string): void;
  unsubscribe(peer: ConnectedClient, threadId: string): boolean;
  closed(peer: ConnectedClient, reason: CloseReason): void;
  /** The timestamp of a notification. Undefined for server versions that do not send one. */
  now(): number | undefined;
  readonly version: string;
}

/** One connection: its transport, the result of its handshake, and the rules for which messages it may see. */
export class ConnectedClient implements ClientConnection {
  readonly id: number;
  readonly #host: ConnectedClientHost;
  readonly #transport: Transport;
  readonly #outbox: Outbox;
  readonly #controller = new AbortController();
  #session: Session | undefined;
  /** Closes the connection if the handshake is not completed in time. */
  #patience: ReturnType<typeof setTimeout> | undefined;
  #closing: Promise<void> | undefined;
  #ended = false;

  constructor(id: number, transport: Transport, host: ConnectedClientHost) {
    this.id = id;
    this.#transport = transport;
    // A transport that fails on a write must not affect the code that notifies all clients.
    this.#outbox = new Outbox(
      transport,
      {
        // A failed write means that the connection is broken, even if the transport does not report it.
        broke: () => this.#cut("the connection broke"),
        full: ({ message }) => this.#cut(message),
      },
      MAX_UNSENT,
    );
    this.#host = host;
  }

  /** Starts reading. Separate from the constructor, so that the endpoint has registered the connection by then. */
  open(initializeTimeoutMs = 0): void {
    if (initializeTimeoutMs > 0) {
      this.#patience = setTimeout(() => {
        this.close("the client did not send initialize in time").catch(() => {});
      }, initializeTimeoutMs);
    }
    this.#transport.open({
      line: (text) => this.#read(text),
      closed: (reason) => this.#end(reason),
    });
  }

  get session(): Session | undefined {
    return this.#session;
  }

  get clientInfo(): protocol.ClientInfo | undefined {
    return this.#session?.clientInfo;
  }

  get capabilities(): protocol.InitializeCapabilities | undefined {
    return this.#session?.capabilities;
  }

  get experimentalApi(): boolean {
    return this.#session?.experimentalApi === true;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Called when the handshake is complete. */
  initialized(session: Session): void {
    clearTimeout(this.#patience);
    this.#session = session;
  }

  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void {
    if (this.wants(method)) this.send(notificationLine(method, params, this.#host.now()));
  }

  request<M extends keyof ServerRequests>(
    method: M,
    params: ServerRequests[M]["params"],
    options?: ServerRequestOptions,
  ): Promise<ServerRequests[M]["result"]> {
    return this.#host.ask(this, method, params, options) as Promise<ServerRequests[M]["result"]>;
  }

  /**
   * Returns whether to send a notification to this client: the client has initialized, may see the notification, and
   * did not opt out of it.
   */
  wants(method: string): boolean {
    const session = this.#session;
    return (
      session !== undefined && !session.optedOut.has(method) && !isHidden(method, session, this.#host.version)
    );
  }

  sendRequest(id: number, method: string, params: unknown): void {
    this.send(requestLine(id, method, visibleParams(method, params, this.experimentalApi)));
  }

  send(line: string): void {
    if (!this.#ended && !this.#closing) this.#outbox.send(line);
  }

  #cut(reason: string): void {
    this.close(reason).catch(() => {});
  }

  subscribe(threadId: string): void {
    this.#host.subscribe(this, threadId);
  }

  unsubscribe(threadId: string): boolean {
    return this.#host.unsubscribe(this, threadId);
  }

  close(reason = "the server closed the connection"): Promise<void> {
    this.#closing ??= this.#transport.close();
    this.#end({ message: reason });
    return this.#closing;
  }

  #read(line: string): void {
    if (this.#ended) return;
    if (hasTooManyValues(line)) return this.#cut(TOO_MANY_VALUES);
    const incoming = readIncoming(line);
    if (incoming.kind === "request") this.#host.request(this, incoming);
    else if (incoming.kind === "notification") {
      if (this.#session) this.#host.notification(this, incoming.method, incoming.params);
    } else if (incoming.kind !== "ignored") this.#host.answer(this, incoming);
  }

  #end(reason: CloseReason): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#patience);
    this.#controller.abort();
    this.#host.closed(this, reason);
  }
}
