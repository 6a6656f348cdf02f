import type { CodexErrorInfo, Turn as WireTurn, TurnError } from "../protocol/index.ts";
import { CodexError } from "../rpc/errors.ts";

/** The server did not complete the handshake in time. It has been stopped. */
export class StartupTimeoutError extends CodexError {
  readonly code = "startup_timeout";
  readonly timeoutMs: number;
  /** The end of the stderr output of the server that this client started. */
  readonly stderrTail: string | undefined;

  constructor(timeoutMs: number, stderrTail?: string) {
    super(`the app-server did not answer \`initialize\` within ${timeoutMs} ms (option startupTimeoutMs)`);
    this.timeoutMs = timeoutMs;
    this.stderrTail = stderrTail;
  }
}

/** The client was used before `connect()` or after `disconnect()`. Nothing was sent. */
export class NotConnectedError extends CodexError {
  readonly code = "not_connected";

  constructor(when: "before" | "after") {
    super(
      when === "before"
        ? "the client is not connected: await connect() first"
        : "the client was disconnected: create a new one",
      { delivery: "notSent" },
    );
  }
}

/** The thread is already running a turn or a realtime conversation. A thread runs one at a time. */
export class ThreadBusyError extends CodexError {
  readonly code = "thread_busy";
  readonly threadId: string;

  constructor(threadId: string, what = "is running a turn: await it, or steer or interrupt it") {
    super(`thread ${threadId} ${what}`, { delivery: "notSent" });
    this.threadId = threadId;
  }
}

/** The turn's id was read before the server assigned one. */
export class TurnNotStartedError extends CodexError {
  readonly code = "turn_not_started";

  constructor() {
    super("the turn has no id yet: await turn.started first");
  }
}

/** The server ended the turn with an error. The message is the server's. */
export class TurnFailedError extends CodexError {
  readonly code = "turn_failed";
  readonly turn: WireTurn;
  readonly codexErrorInfo: CodexErrorInfo | undefined;
  /** HTTP status of the model's answer, if that was the cause. */
  readonly httpStatus: number | undefined;
  readonly additionalDetails: string | undefined;

  constructor(turn: WireTurn, error: TurnError | undefined) {
    super(error?.message ?? "the turn failed and the server did not report a reason");
    this.turn = turn;
    this.codexErrorInfo = error?.codexErrorInfo ?? undefined;
    this.httpStatus = httpStatusOf(this.codexErrorInfo);
    this.additionalDetails = error?.additionalDetails ?? undefined;
  }
}

/** The turn was interrupted: by `interrupt()`, by a `cancel` decision, or by another client. */
export class TurnInterruptedError extends CodexError {
  readonly code = "turn_interrupted";
  readonly turn: WireTurn;
  /**
   * True if the connection was lost during the turn and the thread has been resumed. `turn.status` is then the
   * server's status: a turn that continued without us is `inProgress`, or has ended in the meantime.
   */
  readonly recovered: boolean;

  constructor(turn: WireTurn, recovered = false) {
    super(
      turn.error?.message ??
        `turn ${turn.id} was interrupted${recovered ? " by the loss of the connection" : ""}`,
    );
    this.turn = turn;
    this.recovered = recovered;
  }
}

/** A server's error may be a page of text. The message contains only its beginning. */
const LONGEST_QUOTE = 500;

/**
 * The server reported an error of a turn and retries, for example because it cannot reach the model. The turn
 * continues. This error is the `cause` of a warning, and of a timeout that follows.
 */
export class TurnRetryingError extends CodexError {
  readonly code = "turn_retrying";
  readonly threadId: string;
  readonly turnId: string;
  readonly codexErrorInfo: CodexErrorInfo | undefined;
  /** HTTP status of the model's answer, if that was the cause. */
  readonly httpStatus: number | undefined;
  readonly additionalDetails: string | undefined;

  constructor(place: { readonly threadId: string; readonly turnId: string }, error: Partial<TurnError>) {
    const { message, additionalDetails } = error;
    const told = [message, additionalDetails].filter((text) => typeof text === "string" && text !== "");
    super(told.join(": ").slice(0, LONGEST_QUOTE) || "the server did not report a reason");
    this.threadId = place.threadId;
    this.turnId = place.turnId;
    this.codexErrorInfo = error.codexErrorInfo ?? undefined;
    this.httpStatus = httpStatusOf(this.codexErrorInfo);
    this.additionalDetails = additionalDetails ?? undefined;
  }
}

/**
 * The turn took too long, or the server sent nothing about it for too long. The turn has been interrupted. If the
 * server reported errors of the turn, the last of these errors is the `cause`.
 */
export class TurnTimeoutError extends CodexError {
  readonly code = "turn_timeout";
  readonly limit: "timeoutMs" | "silenceMs";

  constructor(limit: "timeoutMs" | "silenceMs", ms: number, cause?: TurnRetryingError) {
    super(
      (limit === "timeoutMs"
        ? `the turn did not end within ${ms} ms (option timeoutMs)`
        : `no event of the turn arrived for ${ms} ms (option silenceMs)`) + lastError(cause),
      cause && { cause },
    );
    this.limit = limit;
  }
}

/** The text that a timeout adds to its message. */
export function lastError(cause: TurnRetryingError | undefined): string {
  return cause ? `; the last error was: ${cause.message}` : "";
}

function httpStatusOf(info: unknown): number | undefined {
  if (typeof info !== "object" || info === null) return undefined;
  const [detail] = Object.values(info) as { httpStatusCode?: number | null }[];
  return detail?.httpStatusCode ?? undefined;
}
