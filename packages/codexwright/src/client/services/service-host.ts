import type { ServerNotifications } from "../../protocol/index.ts";
import type { CloseReason } from "../../rpc/errors.ts";
import type { NotificationListener } from "../connection/listeners.ts";
import type { Requester } from "../connection/requester.ts";

/**
 * The part of a client that its services use: requests that throw typed errors, listeners, and the end of the
 * connection.
 */
export interface ServiceHost {
  readonly request: Requester;
  onNotification<M extends keyof ServerNotifications>(
    method: M,
    listener: NotificationListener<M>,
  ): () => void;
  onClosed(listener: (reason: CloseReason) => void): () => void;
  serverVersion(): string;
  warn(code: string, message: string, cause?: unknown): void;
}
