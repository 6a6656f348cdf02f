import type { CloseReason, CodexError } from "../../rpc/errors.ts";
import type { ServerInfo } from "./handshake.ts";

/** A problem that does not end the connection or a turn. */
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

/** Events about the lifecycle of a connection. */
export interface ConnectionEvents {
  /** The server was lost unexpectedly. If `reconnect` is set, emitted only if the server could not be replaced. */
  error: [error: CodexError];
  /** The connection has ended, for any reason. If `reconnect` is set, the client then opens a new connection. */
  exit: [reason: CloseReason];
  /** The lost server was replaced, and the open threads were resumed on the new server. */
  reconnected: [server: ServerInfo];
  warning: [warning: ClientWarning];
  /** Text that a server started by this client wrote to stderr, as it arrives. */
  stderr: [text: string];
}

const NAMES: Readonly<Record<keyof ConnectionEvents, true>> = {
  error: true,
  exit: true,
  reconnected: true,
  warning: true,
  stderr: true,
};

/** The names of the connection events. */
export const CONNECTION_EVENTS: readonly string[] = Object.keys(NAMES);
