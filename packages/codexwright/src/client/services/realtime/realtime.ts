import type { ServerNotifications, ThreadRealtimeClosedNotification } from "../../../protocol/index.ts";
import {
  AbortedError,
  CodexError,
  ConnectionClosedError,
  InvalidArgumentError,
  RequestTimeoutError,
  RpcError,
  type Delivery,
} from "../../../rpc/errors.ts";
import { offAbort, onAbort } from "../../../rpc/on-abort.ts";
import { EventQueue } from "../../../rpc/queue.ts";
import { within } from "../../../rpc/delay.ts";
import { ThreadBusyError } from "../../errors.ts";
import { UnsupportedError } from "../../connection/server/server-errors.ts";
import type { ServiceHost } from "../service-host.ts";
import { RealtimeFailedError } from "./errors.ts";
import { REALTIME_METHODS, realtimeCoalescer, type RealtimeEvent } from "./events.ts";
import { checkOptions } from "../../../rpc/options/table.ts";
import {
  REALTIME_OPTIONS,
  REALTIME_TEXT,
  type RealtimeOptions,
  type RealtimeTextOptions,
} from "./options.ts";

/** Default time limit for the start of a conversation: the server waits for its upstream without a limit. */
const START_MS = 30_000;
/** How long the server may take to report the end of a conversation that is being stopped. */
const STOP_MS = 5_000;
/** Maximum number of events that wait for a reader. The queue joins deltas long before this limit is reached. */
const KEPT = 4_096;

/**
 * Notifications about the end of a thread. When a thread ends, the server does not report the end of its conversation.
 */
const THREAD_ENDS = ["thread/closed", "thread/archived", "thread/deleted"] as const;

/** The thread of a conversation. */
interface RealtimeThread {
  readonly threadId: string;
  /** The running conversation, or one whose end the server has not reported yet. */
  realtime: Realtime | undefined;
  /** Subscribes to the thread if it is not subscribed. */
  load(): Promise<void>;
}

/** Starts a text conversation. Resolves when the conversation runs. A thread has one conversation at a time. */
export async function openRealtime(
  host: ServiceHost,
  route: RealtimeThread,
  options: RealtimeOptions,
): Promise<Realtime> {
  checkOptions("thread.realtime()", options, REALTIME_OPTIONS);
  // Without a subscription, no event of the conversation would arrive.
  await route.load();
  const before = route.realtime;
  if (before?.live) {
    throw new ThreadBusyError(route.threadId, "already has a realtime conversation: stop it first");
  }
  const realtime = new Realtime(host, route);
  route.realtime = realtime;
  await realtime.start(options, before?.over);
  return realtime;
}

/**
 * A realtime text conversation. Work that it hands over to Codex runs as turns of its thread.
 *
 * Iterate it for the wire notifications. Each is delivered once: leaving a loop does not stop the conversation, and the
 * next loop continues at the same place. If a reader lags, deltas are joined. If thousands of events are unread, the
 * oldest are dropped with a warning. The conversation ends exactly once; iterating and {@link closed} report the
 * outcome.
 */
export class Realtime implements AsyncIterable<RealtimeEvent>, AsyncDisposable {
  readonly threadId: string;
  /** Resolves with the server's closing notification. Rejects with the same error as iterating. */
  readonly closed: Promise<ThreadRealtimeClosedNotification>;
  /** @internal Resolves when the server will send nothing more about this conversation. */
  readonly over: Promise<void>;
  readonly #host: ServiceHost;
  readonly #route: RealtimeThread;
  readonly #running: Promise<void>;
  readonly #queue = new EventQueue<RealtimeEvent>(realtimeCoalescer);
  readonly #release: (() => void)[] = [];
  #sent = false;
  #ran = false;
  #end: { readonly error: CodexError | undefined } | undefined;
  #stopping: Promise<void> | undefined;
  #dropped = false;
  #markRunning!: () => void;
  #markOver!: () => void;
  #resolve!: (closed: ThreadRealtimeClosedNotification) => void;
  #reject!: (error: CodexError) => void;

  constructor(host: ServiceHost, route: RealtimeThread) {
    this.threadId = route.threadId;
    this.#host = host;
    this.#route = route;
    this.#running = new Promise((resolve) => (this.#markRunning = resolve));
    this.over = new Promise((resolve) => (this.#markOver = resolve));
    this.closed = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A caller may only iterate and never await `closed`. Iterating reports a failure too.
    this.closed.catch(() => {});
  }

  /** @internal False once the conversation has ended for its users, even if the server may still send events. */
  get live(): boolean {
    return this.#end === undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<RealtimeEvent, undefined> {
    // Has no `return`: events that arrive after a loop was left are for the next loop.
    return { next: () => this.#queue.next() };
  }

  /**
   * Adds text to the conversation. Resolves when the server has accepted the text; it does not wait for an answer.
   * Rejects after the conversation has ended.
   */
  async appendText(text: string, options: RealtimeTextOptions = {}): Promise<void> {
    checkOptions("realtime.appendText()", options, REALTIME_TEXT);
    const { role, ...call } = options;
    // After the end, a server would accept the text, drop it, and mark the whole thread as failed.
    if (this.#end) {
      throw this.#end.error ?? new InvalidArgumentError("the realtime conversation has ended: start another");
    }
    const params = { threadId: this.threadId, text, ...(role !== undefined && { role }) };
    await this.#host.request("thread/realtime/appendText", params, call);
  }

  /** Ends the conversation. Resolves when it has ended. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  /** Ends the conversation and ignores errors of the server. Resolves when it has ended. */
  async close(): Promise<void> {
    await this.stop().catch((error: unknown) => {
      // The conversation has ended on this side in any case.
      if (!(error instanceof CodexError)) throw error;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal Waits until an earlier conversation is over, then starts this one. Resolves when it runs. */
  async start(options: RealtimeOptions, before: Promise<void> = Promise.resolve()): Promise<void> {
    const { signal, timeoutMs = START_MS, ...params } = options;
    if (signal) this.#follow(signal);
    const expire = (): void =>
      this.#giveUp((delivery) => new RequestTimeoutError("thread/realtime/start", delivery, timeoutMs));
    const timer = timeoutMs > 0 ? setTimeout(expire, timeoutMs) : undefined;
    // Waits for the earlier conversation: the late outcome of its abandoned start would be mistaken for the outcome of
    // this start.
    void before.then(() => (this.live ? this.#begin(params) : this.#leave()));
    try {
      await Promise.race([this.#running, this.closed]);
    } finally {
      clearTimeout(timer);
    }
    if (!this.#ran) throw new AbortedError("the realtime conversation", "unknown", "it was stopped");
  }

  #begin(params: Omit<RealtimeOptions, "signal" | "timeoutMs">): void {
    this.#sent = true;
    // Listens before the request is written: the outcome can arrive before the answer.
    for (const method of REALTIME_METHODS) {
      this.#listen(method, (event) => this.#heard({ method, params: event } as RealtimeEvent));
    }
    for (const method of THREAD_ENDS) {
      const how = method.slice("thread/".length);
      this.#listen(method, () => this.#finish(new RealtimeFailedError(`its thread was ${how}`)));
    }
    this.#release.push(
      this.#host.onClosed((reason) => this.#finish(new ConnectionClosedError(reason, "unknown"))),
    );
    const { threadId } = this;
    this.#host
      .request("thread/realtime/start", { ...params, threadId, outputModality: "text" }, { timeoutMs: 0 })
      .catch((error: unknown) => this.#finish(refusal(error)));
  }

  #listen<M extends (typeof REALTIME_METHODS | typeof THREAD_ENDS)[number]>(
    method: M,
    listener: (params: ServerNotifications[M]) => void,
  ): void {
    const stop = this.#host.onNotification(method, (params) => {
      if (params.threadId === this.threadId) listener(params);
    });
    this.#release.push(stop);
  }

  #heard(event: RealtimeEvent): void {
    switch (event.method) {
      case "thread/realtime/started":
        if (this.#ran) return this.#finish(new RealtimeFailedError("another conversation replaced it"));
        this.#ran = true;
        this.#publish(event);
        return this.#markRunning();
      case "thread/realtime/error":
        this.#publish(event);
        this.#settle(new RealtimeFailedError(event.params.message));
        // After an error, the server reports the closing only of a conversation that ran.
        return this.#ran ? undefined : this.#leave();
      case "thread/realtime/closed":
        // If our conversation does not run yet, this is the end of an earlier conversation that ours replaces.
        if (!this.#ran && !this.#stopping) return;
        this.#publish(event);
        return event.params.reason === "error"
          ? this.#finish(new RealtimeFailedError("the server ended the conversation with an error"))
          : this.#finish(event.params);
      default:
        return this.#publish(event);
    }
  }

  #publish(event: RealtimeEvent): void {
    this.#queue.push(event);
    if (this.#queue.size <= KEPT) return;
    void this.#queue.next();
    if (this.#dropped) return;
    this.#dropped = true;
    this.#host.warn(
      "events_dropped",
      `events of the realtime conversation on thread ${this.threadId} are not being read: the oldest were dropped`,
    );
  }

  #follow(signal: AbortSignal): void {
    const abort = (): void =>
      this.#giveUp((delivery) => new AbortedError("the realtime conversation", delivery, signal.reason));
    if (signal.aborted) return abort();
    onAbort(signal, abort);
    this.#release.push(() => offAbort(signal, abort));
  }

  /** Ends the conversation immediately for its users, and on the server as soon as possible. */
  #giveUp(error: (delivery: Delivery) => CodexError): void {
    this.#settle(error(this.#sent ? "unknown" : "notSent"));
    if (this.#sent) this.stop().catch(() => {});
  }

  async #stop(): Promise<void> {
    if (!this.#sent)
      return this.#giveUp(
        (delivery) => new AbortedError("the realtime conversation", delivery, "it was stopped"),
      );
    if (this.#release.length === 0) return;
    try {
      await Promise.race([
        this.#host.request("thread/realtime/stop", { threadId: this.threadId }),
        this.over,
      ]);
    } catch (error) {
      this.#finish(error as CodexError);
      throw error;
    }
    await within(STOP_MS, this.over);
    this.#settle(new RequestTimeoutError("thread/realtime/stop", "unknown", STOP_MS));
  }

  #finish(outcome: CodexError | ThreadRealtimeClosedNotification): void {
    this.#settle(outcome);
    this.#leave();
  }

  /** Ends the conversation for its users. Only the first outcome counts. */
  #settle(outcome: CodexError | ThreadRealtimeClosedNotification): void {
    if (this.#end) return;
    if (outcome instanceof CodexError) {
      this.#end = { error: outcome };
      this.#reject(outcome);
      this.#queue.fail(outcome);
    } else {
      this.#end = { error: undefined };
      this.#resolve(outcome);
      this.#queue.end();
    }
  }

  /** No more events of this conversation will arrive: another one may start. */
  #leave(): void {
    for (const release of this.#release.splice(0)) release();
    if (this.#route.realtime === this) this.#route.realtime = undefined;
    this.#markOver();
  }
}

/** Some servers, such as 0.145, need a feature flag. Their refusal can only be recognised by its text. */
function refusal(error: unknown): CodexError {
  if (error instanceof RpcError && error.message.includes("does not support realtime")) {
    const hint = "its Codex needs `[features] realtime_conversation = true`";
    return new UnsupportedError(`${error.message}: ${hint}`, error);
  }
  return error as CodexError;
}
