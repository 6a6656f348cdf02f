import type { CloseReason, CodexError } from "../../rpc/errors.ts";
import type { ServerInfo } from "./handshake.ts";

/** Something went wrong that ends nothing. */
export interface ClientWarning {
  readonly code:
    | "bad_line"
    | "listener_failed"
    | "handler_failed"
    | "bad_answer"
    | "tool_failed"
    | "overrides_ignored"
    | "login_lost"
    | "events_dropped"
    | "turn_retrying";
  readonly message: string;
  readonly cause?: unknown;
}

/** The events of the life of a connection. */
export interface ConnectionEvents {
  /** The server is gone though nobody asked it to go, and with `reconnect` could not be replaced. */
  error: [error: CodexError];
  /** The connection has ended, for whatever reason; with `reconnect` the next one is on its way. */
  exit: [reason: CloseReason];
  /** A lost server was replaced, and the open threads were resumed on the new one. */
  reconnected: [server: ServerInfo];
  warning: [warning: ClientWarning];
  /** What a server of ours writes to stderr, as it comes. */
  stderr: [text: string];
}

const NAMES: Readonly<Record<keyof ConnectionEvents, true>> = {
  error: true,
  exit: true,
  reconnected: true,
  warning: true,
  stderr: true,
};

/** The names of the events of a connection. */
export const CONNECTION_EVENTS: readonly string[] = Object.keys(NAMES);
