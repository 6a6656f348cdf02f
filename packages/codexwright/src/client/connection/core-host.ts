import type { ServerEvent } from "../../protocol/index.ts";
import type { CloseReason } from "../../rpc/errors.ts";
import type { IncomingRequest } from "../../rpc/incoming-request.ts";
import type { ConnectionEvents } from "./events.ts";

/** The client, as seen by its connection. */
export interface CoreHost {
  /** Emits an event to the listeners of the client. */
  emit<E extends keyof ConnectionEvents>(event: E, ...args: ConnectionEvents[E]): unknown;
  /** The last characters that the server wrote to stderr. */
  stderrTail(): string | undefined;
  /** Called before a request is sent. May return a callback that receives the result before the caller does. */
  sending(method: string, params: unknown): ((result: unknown) => void) | undefined;
  /** Called for each notification before its listeners, even if the client opted out of the notification. */
  received(method: string, params: unknown): void;
  /** Called for each notification after its listeners. `threadId` is the thread that the notification names. */
  notified(event: ServerEvent, threadId: string | undefined): void;
  /** Returns whether the client follows this thread. If no id is passed, returns whether it follows any thread. */
  follows(threadId?: string): boolean;
  /** Answers a server request that has no registered handler. */
  answer(method: string, params: unknown, request: IncomingRequest): Promise<unknown>;
  /** Called when the client starts to answer a server request; returns a callback to call when the answer is done. */
  answering(method: string, params: unknown, request: IncomingRequest): () => void;
  /** Loads the modules that a connected client needs, while the server starts. */
  prepare(): Promise<void>;
  /** Called when the connection has ended and will not be reopened. */
  closed(reason: CloseReason): void;
  /** Called when the server was lost and will be replaced. */
  lost(): void;
  /**
   * Restores the state of the lost server on a new one. The signal aborts if the new server is lost too, or if the
   * client disconnects.
   */
  restore(reason: CloseReason, signal: AbortSignal): Promise<void>;
}
