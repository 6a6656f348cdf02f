import { OutgoingCall, REQUEST_OPTIONS, type CallHost, type RequestOptions } from "./call.ts";
import { ConnectionClosedError, InvalidArgumentError, ResponseError, type CloseReason } from "./errors.ts";
import { InFlightLimit } from "./in-flight-limit.ts";
import { WithdrawableRequest, type IncomingRequest } from "./incoming-request.ts";
import { jsonText } from "./json.ts";
import { classify, type RequestId, type WireMessage } from "./message.ts";
import * as is from "./options/check.ts";
import { checkOptions, needed, type Table } from "./options/table.ts";
import { Outbox } from "./outbox.ts";
import { RecentMap } from "./recent-map.ts";
import { TRANSPORT, type Transport } from "./transport.ts";
import { hasTooManyValues, TOO_MANY_VALUES } from "./values.ts";

/** A line that the connection skipped. The connection stays open. */
export interface BadLine {
  readonly why: string;
  /** Length of the line in UTF-16 units. The text itself may contain secrets, so only a wire tap receives it. */
  readonly length: number;
}

/** How long a broken channel may take to report its close reason. */
const BROKEN_MS = 1_000;

/** Number of answered requests to remember. The peer may send a request again before it receives our answer. */
const ANSWERED_KEPT = 64;

/** Maximum characters of the remembered requests. The most recent request is kept at any length. */
const ANSWERED_LENGTH = 4 * 1024 * 1024;

/** Maximum number of requests from the peer that wait for our answer. A well-behaved peer stays below this limit. */
const MAX_INCOMING = 16_384;

/** Maximum total characters of the requests that wait for our answer, not counting the most recent one. */
const MAX_INCOMING_LENGTH = 64 * 1024 * 1024;

/**
 * Maximum total bytes of answers that the peer has not read yet. It equals the maximum length of a line. It is large
 * because many tool calls may return large results at the same moment, before even a fast peer has read the first one.
 */
const MAX_UNSENT = 256 * 1024 * 1024;

/** The callbacks of a connection. All except `request` run inside the read loop and must return immediately. */
export interface ConnectionHandlers {
  /**
   * Reads a notification without parsing it. Returns `null` if no listener needs the notification, and `undefined` if
   * the line must be parsed.
   */
  peek?(line: string): WireMessage | null | undefined;
  notification(method: string, params: unknown, message: WireMessage): void;
  /**
   * Runs outside the read loop, in parallel with other requests. The return value is the result; throw a
   * `ResponseError` to answer with a specific error.
   */
  request(method: string, params: unknown, request: IncomingRequest): unknown;
  badLine(bad: BadLine): void;
  closed(reason: CloseReason): void;
}

export interface ConnectionOptions {
  readonly transport: Transport;
  readonly handlers: ConnectionHandlers;
  /** Maximum number of our requests that wait for an answer at the same time. */
  readonly maxInFlight: number;
}

const OPTIONS: Table<ConnectionOptions> = {
  transport: needed(TRANSPORT),
  handlers: needed(is.object),
  maxInFlight: needed(is.integerOrInfinity(1)),
};

/**
 * JSON-RPC over a transport: matches answers to our requests and routes incoming messages. It does not treat any
 * method specially.
 *
 * Once closed it stays closed: all pending calls have been rejected, and later calls reject immediately.
 */
export class Connection {
  readonly #transport: Transport;
  readonly #handlers: ConnectionHandlers;
  readonly #inFlight: InFlightLimit;
  readonly #calls = new Set<OutgoingCall>();
  readonly #pending = new Map<RequestId, OutgoingCall>();
  readonly #incoming = new Map<RequestId, WithdrawableRequest>();
  /** Total characters of all requests that are being answered. */
  #incomingLength = 0;
  /** The lines of recently answered requests. The peer may send a request again while our answer is on its way. */
  readonly #answered = new RecentMap<RequestId, string>(ANSWERED_KEPT, ANSWERED_LENGTH);
  readonly #host: CallHost;
  /**
   * Messages that the peer causes us to send. Our own requests are not included, because the caller controls how many
   * there are.
   */
  readonly #answers: Outbox;
  #nextId = 0;
  #broken: ReturnType<typeof setTimeout> | undefined;
  #closed: CloseReason | undefined;

  constructor(options: ConnectionOptions) {
    checkOptions("new Connection()", options, OPTIONS);
    this.#transport = options.transport;
    this.#handlers = options.handlers;
    this.#inFlight = new InFlightLimit(options.maxInFlight);
    this.#answers = new Outbox(
      options.transport,
      { broke: (cause) => this.#broke(cause), full: (reason) => this.#cut(reason) },
      MAX_UNSENT,
    );
    this.#host = {
      write: (call) => this.#writeCall(call),
      forget: (call, id) => {
        this.#calls.delete(call);
        if (id !== undefined) this.#pending.delete(id);
      },
      enter: (go) => this.#inFlight.acquire(go),
      leave: () => {
        // After the connection has closed, releasing a slot of the in-flight limit must not start a waiting call.
        if (!this.#closed) this.#inFlight.release();
      },
    };
    this.#transport.open({
      line: (text) => this.#read(text),
      closed: (reason) => this.#latch(reason),
    });
  }

  /** Why the connection ended, or `undefined` while it is open. */
  get closeReason(): CloseReason | undefined {
    return this.#closed;
  }

  request(method: string, params: unknown, options: RequestOptions = {}): Promise<unknown> {
    if (this.#closed) return Promise.reject(new ConnectionClosedError(this.#closed, "notSent"));
    let body: string;
    try {
      checkOptions("connection.request()", options, REQUEST_OPTIONS);
      body = encodeBody(method, params);
    } catch (error) {
      return Promise.reject(error);
    }
    const call = new OutgoingCall(this.#host, method, body, options);
    this.#calls.add(call);
    call.start();
    return call.promise;
  }

  /** Resolves when the line is handed to the channel. A notification has no answer. */
  async notify(method: string, params: unknown): Promise<void> {
    if (this.#closed) throw new ConnectionClosedError(this.#closed, "notSent");
    const line = `{${encodeBody(method, params)}}`;
    try {
      await this.#send(line);
    } catch (cause) {
      const broke = { message: "the connection broke while writing a notification", cause };
      throw new ConnectionClosedError(this.#closed ?? broke, "unknown");
    }
  }

  /**
   * Withdraws a request from the peer: the signal of its handler aborts, and the result of the handler is not sent.
   */
  dismiss(id: RequestId): void {
    const request = this.#incoming.get(id);
    if (request) this.#release(request);
    request?.withdraw();
    this.#answered.delete(id);
  }

  /** Rejects pending calls, then closes the channel. Safe to call twice. */
  async close(reason: CloseReason = { message: "the connection was closed by this end" }): Promise<void> {
    this.#latch(reason);
    await this.#transport.close();
  }

  #cut(reason: CloseReason): void {
    this.close(reason).catch(() => {});
  }

  #writeCall(call: OutgoingCall): RequestId {
    const id = this.#nextId++;
    this.#pending.set(id, call);
    this.#send(`{"id":${id},${call.body}}`).catch((cause: unknown) => this.#broke(cause));
    return id;
  }

  /** The channel usually reports a better reason shortly afterwards. If it does not, this closes the connection. */
  #broke(cause: unknown): void {
    if (this.#closed) return;
    this.#broken ??= setTimeout(() => {
      void this.close({ message: "the connection broke while writing to it", cause });
    }, BROKEN_MS);
  }

  #send(text: string): Promise<void> {
    try {
      return this.#transport.send(text);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #read(text: string): void {
    // The peer may keep sending while it is being closed. There is no handler left to receive or answer its messages.
    if (this.#closed) return;
    const seen = this.#handlers.peek?.(text);
    if (seen === null) return;
    if (seen?.method !== undefined) return this.#notify(seen.method, seen, text);
    if (hasTooManyValues(text)) return this.#cut({ message: TOO_MANY_VALUES });
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#handlers.badLine({ why: "not JSON", length: text.length });
    }
    const incoming = classify(value);
    switch (incoming.kind) {
      case "notification":
        return this.#notify(incoming.method, incoming.message, text);
      case "response":
        return this.#settle(incoming.id, incoming.message);
      case "request":
        return this.#serve(incoming.id, incoming.method, incoming.message.params, text);
      case "malformed":
        return this.#handlers.badLine({ why: incoming.why, length: text.length });
    }
  }

  #notify(method: string, message: WireMessage, text: string): void {
    try {
      this.#handlers.notification(method, message.params, message);
    } catch {
      // A peer of another version may send an unexpected shape. One line must not end the process.
      this.#handlers.badLine({ why: `${method} has an unknown shape`, length: text.length });
    }
  }

  #settle(id: RequestId, message: WireMessage): void {
    const call = this.#pending.get(id);
    // Delete the id in any case. If an overloaded peer refused the request, the retry uses a new id. A call that was
    // given up is not in the map.
    this.#pending.delete(id);
    call?.answer(message);
  }

  #serve(id: RequestId, method: string, params: unknown, line: string): void {
    // The peer may send the same request again while we answer it, or just after; we then ignore the copy. After
    // our answer, only an identical line counts as a copy, because a peer may reuse an id for another request.
    if (this.#incoming.has(id) || this.#answered.get(id) === line) return;
    if (this.#incoming.size >= MAX_INCOMING || this.#incomingLength > MAX_INCOMING_LENGTH) {
      return this.#refuse(id);
    }
    const request = new WithdrawableRequest(id, line.length);
    this.#incoming.set(id, request);
    this.#incomingLength += line.length;
    // Leave the read loop first: a slow or throwing handler must not delay the lines behind it.
    queueMicrotask(() => {
      if (!request.withdrawn) void this.#answer(request, method, params, line);
    });
  }

  #refuse(id: RequestId): void {
    const error = { code: -32001, message: "too many requests wait for an answer" };
    this.#answers.send(JSON.stringify({ id, error }));
  }

  async #answer(request: WithdrawableRequest, method: string, params: unknown, line: string): Promise<void> {
    const { id } = request;
    let text: string;
    try {
      const result = jsonText(await this.#handlers.request(method, params, request));
      text = `{"id":${JSON.stringify(id)},"result":${result}}`;
    } catch (error) {
      text = errorLine(id, error);
    }
    if (this.#closed || request.withdrawn) return;
    this.#release(request);
    this.#answered.set(id, line, line.length);
    this.#answers.send(text);
  }

  #release(request: WithdrawableRequest): void {
    this.#incoming.delete(request.id);
    this.#incomingLength -= request.length;
  }

  #latch(reason: CloseReason): void {
    if (this.#closed) return;
    this.#closed = reason;
    clearTimeout(this.#broken);
    for (const call of this.#calls) call.closed(reason);
    for (const request of this.#incoming.values()) request.withdraw();
    this.#handlers.closed(reason);
  }
}

function encodeBody(method: string, params: unknown): string {
  // A line without a method is not a request, so the peer would never answer it.
  if (typeof method !== "string")
    throw new InvalidArgumentError(`method must be a string (got ${typeof method})`);
  try {
    return `"method":${JSON.stringify(method)},"params":${jsonText(params)}`;
  } catch (cause) {
    throw new InvalidArgumentError(`the params of ${method} cannot be serialized as JSON`, { cause });
  }
}

function errorLine(id: RequestId, error: unknown): string {
  try {
    return JSON.stringify({ id, error: toErrorObject(error) });
  } catch {
    // The data cannot be serialized as JSON, but the peer still needs an answer.
    return JSON.stringify({ id, error: toErrorObject(undefined) });
  }
}

function toErrorObject(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof ResponseError) {
    return { code: error.rpcCode, message: error.message, data: error.data };
  }
  return { code: -32603, message: "the handler of this request failed" };
}
