import type {
  AskForApproval,
  SandboxMode,
  ServerEvent,
  Thread as WireThread,
  ThreadStatus,
} from "../protocol/index.ts";
import type { CloseReason } from "../rpc/errors.ts";
import type { RequestId } from "../rpc/message.ts";
import { liveEvent, type TurnEvent } from "./live-event.ts";
import type { Requester } from "./requester.ts";
import { ThreadFold, type LocalEvent, type PendingRequest, type ThreadState } from "./state/index.ts";
import type { ToolBox } from "./tools/tool-calls.ts";
import type { Turn } from "./turn.ts";

/** What threads and turns need of their client. */
export interface ThreadHost {
  /** Sends a request; errors have the code their text stands for. */
  readonly request: Requester;
  /** The server's version, for what must not be tried to be found out. */
  serverVersion(): string;
  readonly turnSilenceMs: number;
  /** Holds the route while its thread runs a turn, so that nothing of it is lost though nobody holds a handle. */
  keep(route: ThreadRoute, busy: boolean): void;
  /** Makes the server send us the thread's events again. */
  resubscribe(route: ThreadRoute): Promise<void>;
  warn(code: "overrides_ignored" | "listener_failed" | "tool_failed", message: string, cause?: unknown): void;
}

/** Gets each event of a thread, the server's and what the client knows beyond them, with the state it led to. */
export type ThreadListener = (state: ThreadState, event: TurnEvent | LocalEvent) => void;

/** All that a client knows of one thread, shared by every handle of it. */
export class ThreadRoute {
  readonly threadId: string;
  readonly fold: ThreadFold;
  /** The thread as the server described it last. */
  info: WireThread | undefined;
  /** The approval policy the server reported last. */
  approvalPolicy: AskForApproval | undefined;
  /** The sandbox this client asked for, which a cold resume does not bring back. */
  sandbox: SandboxMode | undefined;
  /** What answers the model's calls of our tools. */
  tools: ToolBox | undefined;
  /** False after an unsubscribe: a turn would run unseen. */
  subscribed = true;
  readonly #host: ThreadHost;
  readonly #listeners = new Set<ThreadListener>();
  readonly #queue: Turn<unknown>[] = [];
  readonly #waiting: (() => void)[] = [];
  #turn: Turn<unknown> | undefined;

  constructor(threadId: string, host: ThreadHost) {
    this.threadId = threadId;
    this.fold = new ThreadFold(threadId);
    this.#host = host;
  }

  /** The handle of the turn that runs. */
  get turn(): Turn<unknown> | undefined {
    return this.#turn;
  }

  /** Whether a turn runs, ours or one that nobody here asked for. */
  get busy(): boolean {
    return this.#turn !== undefined || this.fold.activeTurnId !== undefined;
  }

  /** A turn takes the thread. */
  occupy(turn: Turn<unknown>): void {
    this.#turn = turn;
    this.#host.keep(this, true);
  }

  /** A turn of ours has ended. */
  vacate(turn: Turn<unknown>): void {
    if (this.#turn !== turn) return;
    this.#turn = undefined;
    this.#next();
  }

  /** Runs the turn as soon as the thread is free, behind those that wait already or before them. */
  enqueue(turn: Turn<unknown>, place: "first" | "last"): void {
    if (place === "first") this.#queue.unshift(turn);
    else this.#queue.push(turn);
    this.#next();
  }

  /** Resolves when no turn runs. */
  rest(): Promise<void> {
    return this.busy ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();
  }

  subscribe(listener: ThreadListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes a notification about this thread. */
  deliver(event: ServerEvent): void {
    if (this.fold.append(event)) {
      this.#turn?.append(event);
      if (this.#listeners.size > 0) this.#tellAll(liveEvent(event, this.fold));
      return;
    }
    const before = this.fold.activeTurnId;
    this.fold.apply(event);
    this.#turn?.deliver(event);
    this.#follow(event);
    if (this.#listeners.size > 0) this.#tellAll(liveEvent(event, this.fold));
    if (this.fold.activeTurnId !== before) {
      if (this.busy) this.#host.keep(this, true);
      else this.#next();
    }
  }

  /** Turns were taken back; the server does not say which. */
  reverted(beforeTurnId: string | undefined): void {
    const { threadId } = this;
    const params = { threadId, ...(beforeTurnId !== undefined && { beforeTurnId }) };
    this.#applyLocal({ method: "thread/reverted", params });
  }

  /** The server asks us something about this thread; returns how to say that it has its answer. */
  asked(requestId: RequestId, method: string, params: unknown): () => void {
    const resume = this.#turn?.hold();
    const { threadId } = this;
    const request = { requestId, method, params } as PendingRequest;
    this.#applyLocal({ method: "serverRequest/opened", params: { ...request, threadId } });
    return () => {
      resume?.();
      this.#applyLocal({ method: "serverRequest/answered", params: { requestId, threadId } });
    };
  }

  /** The server's process or the connection is gone. */
  disconnected(reason: CloseReason): void {
    for (const wake of this.#waiting.splice(0)) wake();
    this.#turn?.disconnected(reason);
    for (const turn of this.#queue.splice(0)) turn.disconnected(reason);
    // Nothing runs on a server that is gone, and nobody waits for an answer.
    this.fold.apply({ method: "thread/closed", params: { threadId: this.threadId } });
  }

  #follow({ method, params }: ServerEvent): void {
    if (method === "thread/status/changed") this.#status(params.status);
    else if (method === "thread/closed") this.#turn?.threadRests();
    else if (method === "thread/name/updated") this.#update({ name: params.threadName ?? null });
    else if (method === "thread/started") this.info = params.thread;
  }

  #status(status: ThreadStatus): void {
    this.#update({ status });
    if (status.type === "active") this.#turn?.threadActive();
    else this.#turn?.threadRests();
  }

  #update(fields: Partial<WireThread>): void {
    if (this.info) this.info = { ...this.info, ...fields };
  }

  #applyLocal(event: LocalEvent): void {
    this.fold.apply(event);
    this.#tellAll(event);
  }

  #tellAll(event: TurnEvent | LocalEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(this.fold.state, event);
      } catch (cause) {
        this.#host.warn("listener_failed", `a subscriber of thread ${this.threadId} threw`, cause);
      }
    }
  }

  #next(): void {
    if (this.busy) return;
    for (const wake of this.#waiting.splice(0)) wake();
    while (!this.busy) {
      const turn = this.#queue.shift();
      if (!turn) return this.#host.keep(this, false);
      turn.launch();
    }
  }
}
