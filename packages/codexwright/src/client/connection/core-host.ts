import type { ServerEvent } from "../../protocol/index.ts";
import type { CloseReason } from "../../rpc/errors.ts";
import type { IncomingRequest } from "../../rpc/incoming-request.ts";
import type { ConnectionEvents } from "./events.ts";

/** What a connection needs of the client that it belongs to. */
export interface CoreHost {
  /** Emits an event to the users of the client. */
  emit<E extends keyof ConnectionEvents>(event: E, ...args: ConnectionEvents[E]): unknown;
  /** The end of what the server wrote to stderr. */
  stderrTail(): string | undefined;
  /** Called before a request is sent; returns what reads its result before the caller does. */
  sending(method: string, params: unknown): ((result: unknown) => void) | undefined;
  /** Called for each notification before its listeners, also if the client opted out of it. */
  received(method: string, params: unknown): void;
  /** Called for each notification after its listeners; `threadId` is the thread that it names. */
  notified(event: ServerEvent, threadId: string | undefined): void;
  /** Whether the client follows this thread; without an id, whether it follows any thread. */
  follows(threadId?: string): boolean;
  /** Answers a server request that has no registered handler. */
  answer(method: string, params: unknown, request: IncomingRequest): Promise<unknown>;
  /** Called when the answer to a server request begins; returns what to call when it ends. */
  answering(method: string, params: unknown, request: IncomingRequest): () => void;
  /** Loads what a connected client needs, while the server starts. */
  prepare(): Promise<void>;
  /** Called when the connection has ended for good. */
  closed(reason: CloseReason): void;
  /** Called when the server is gone and will be replaced. */
  lost(): void;
  /** Brings a new server to the state of the lost one. The signal aborts when that has become pointless. */
  restore(reason: CloseReason, signal: AbortSignal): Promise<void>;
}
