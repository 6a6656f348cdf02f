import { CodexError, RpcError } from "../../../rpc/errors.ts";

/**
 * Base class of the errors that we recognise only by the server's error text. That text is the `message`; the `rpc`
 * error is the `cause`.
 */
abstract class ServerRefusal extends CodexError {
  constructor(message: string, cause?: RpcError) {
    super(message, { delivery: cause ? "rejected" : "notSent", ...(cause && { cause }) });
  }
}

/** The server does not know the thread, or has not loaded it. */
export class ThreadNotFoundError extends ServerRefusal {
  readonly code = "thread_not_found";
}

/** The thread is archived: `unarchive` it first. */
export class ThreadArchivedError extends ServerRefusal {
  readonly code = "thread_archived";
}

/** The thread is not stored: it is ephemeral, or has not run a turn yet. */
export class NoRolloutError extends ServerRefusal {
  readonly code = "no_rollout";
}

/** Another process holds the thread. Do not start a new thread instead: the work would be split. */
export class ActiveWriterError extends ServerRefusal {
  readonly code = "active_writer";
}

/** There is no turn to steer or interrupt, or another turn is running. */
export class NoActiveTurnError extends ServerRefusal {
  readonly code = "no_active_turn";
}

/** The running turn does not accept input: it is a review or a compaction. */
export class TurnNotSteerableError extends ServerRefusal {
  readonly code = "turn_not_steerable";
}

/** The connected server does not support this method, field or option. */
export class UnsupportedError extends CodexError {
  readonly code = "unsupported";

  /** @param refusal the server's answer, if the request was sent */
  constructor(message: string, refusal?: RpcError) {
    super(message, { delivery: refusal ? "rejected" : "notSent", ...(refusal && { cause: refusal }) });
  }
}

const KNOWN: readonly (readonly [
  text: RegExp,
  type: new (message: string, cause: RpcError) => ServerRefusal,
])[] = [
  [/already has an active writer/, ActiveWriterError],
  [
    /no rollout found|list_turns is not supported yet|ephemeral threads? (do|does) not|not materialized|missing source rollout/,
    NoRolloutError,
  ],
  [/is archived\b/, ThreadArchivedError],
  [
    /thread not (found|loaded)|invalid (thread|session) id|thread .* not found|no archived rollout found/,
    ThreadNotFoundError,
  ],
  [/cannot steer|not steerable|activeTurnNotSteerable/i, TurnNotSteerableError],
  [/no active turn|expected active turn id/, NoActiveTurnError],
];

/** Maps a server error to a typed error by its text, because the server has no error codes for these cases. */
export function named(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  const found = KNOWN.find(([text]) => text.test(error.message));
  return found ? new found[1](error.message, error) : error;
}
