/**
 * How far a failed request got:
 * - `notSent`: the request was never written
 * - `rejected`: the peer answered with an error
 * - `unknown`: the request was written but not answered, so the peer may or may not have acted on it
 */
export type Delivery = "notSent" | "unknown" | "rejected";

/** Base class of all errors that this library throws deliberately. Switch on `code`, never on `message`. */
export abstract class CodexError extends Error {
  abstract readonly code: string;
  /** How far the failed request got, if the error is about a request. */
  readonly delivery: Delivery | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly delivery?: Delivery | undefined }) {
    super(message, options);
    this.name = new.target.name;
    this.delivery = options?.delivery;
  }

  /** True if a retry is safe: the work cannot be done twice. */
  get retryable(): boolean {
    return this.delivery === "notSent";
  }
}

/** An argument is invalid. The message names the argument and the expected value. */
export class InvalidArgumentError extends CodexError {
  readonly code = "invalid_argument";
}

/** An optional package is required and cannot be loaded. The message shows how to install it. */
export class MissingDependencyError extends CodexError {
  readonly code = "missing_dependency";
  /** Name of the package. */
  readonly dependency: string;

  constructor(dependency: string, what: string, cause: unknown) {
    super(`${what} needs the package ${dependency}: npm install ${dependency}`, {
      cause,
      delivery: "notSent",
    });
    this.dependency = dependency;
  }
}

/** A login or the credentials of a connection were refused. The message is the server's, with secrets removed. */
export class AuthFailedError extends CodexError {
  readonly code = "auth_failed";
  /** True if the login was cancelled deliberately. */
  readonly cancelled: boolean;
  /** HTTP status of the refusal, if the connection was refused before it was established. */
  readonly httpStatus: number | undefined;

  constructor(
    message: string,
    options: ErrorOptions & {
      readonly cancelled?: boolean;
      readonly delivery?: Delivery;
      readonly httpStatus?: number;
    } = {},
  ) {
    const { cancelled = false, httpStatus, ...rest } = options;
    super(message, { delivery: "rejected", ...rest });
    this.cancelled = cancelled;
    this.httpStatus = httpStatus;
  }
}

/** Base class of errors that end a single request. */
export abstract class RequestError extends CodexError {
  readonly method: string;

  constructor(method: string, delivery: Delivery, message: string, options?: ErrorOptions) {
    super(message, { ...options, delivery });
    this.method = method;
  }
}

/** The peer answered a request with a JSON-RPC error. */
export class RpcError extends RequestError {
  readonly code = "rpc";
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(method: string, error: { code: number; message: string; data?: unknown }) {
    // The peer's message may have any type, and some values cannot be converted to a string.
    super(
      method,
      "rejected",
      typeof error.message === "string" ? error.message : "the peer sent an error without a message",
    );
    this.rpcCode = error.code;
    this.data = error.data;
  }
}

/** The peer answered a request with an unusable result. The message names the field. */
export class UnexpectedAnswerError extends RequestError {
  readonly code = "unexpected_answer";

  constructor(method: string, what: string) {
    // The peer may have executed the request.
    super(method, "unknown", `${method} returned an unexpected answer: ${what}`);
  }
}

/** The peer refused a request with -32001 until its timeout expired. The request was never executed. */
export class OverloadedError extends RequestError {
  readonly code = "overloaded";
  readonly attempts: number;

  constructor(method: string, attempts: number) {
    super(method, "rejected", `${method} was refused ${attempts} times because the server is overloaded`);
    this.attempts = attempts;
  }

  override get retryable(): boolean {
    return true;
  }
}

/** A request was not answered before its timeout. */
export class RequestTimeoutError extends RequestError {
  readonly code = "request_timeout";
  readonly timeoutMs: number;

  /** @param why the cause of the timeout, if known, and the text that is added to the message */
  constructor(
    method: string,
    delivery: Delivery,
    timeoutMs: number,
    why?: { readonly cause: unknown; readonly told: string },
  ) {
    const message = `${method} was not answered within ${timeoutMs} ms${why?.told ?? ""}`;
    super(method, delivery, message, why && { cause: why.cause });
    this.timeoutMs = timeoutMs;
  }
}

/** The caller's `AbortSignal` fired. The reason of the signal is the `cause`. */
export class AbortedError extends CodexError {
  readonly code = "aborted";

  constructor(what: string, delivery: Delivery, cause: unknown) {
    super(`${what} was aborted by its signal`, { cause, delivery });
  }
}

/** Why a channel closed, as far as the transport knows. */
export interface CloseReason {
  /** One sentence, without message contents. */
  readonly message: string;
  readonly exitCode?: number | undefined;
  readonly exitSignal?: string | undefined;
  /** The end of the process's stderr output. */
  readonly stderrTail?: string | undefined;
  readonly cause?: unknown;
}

/** The channel closed while work was pending, or was used after it closed. */
export class ConnectionClosedError extends CodexError {
  readonly code = "connection_closed";
  readonly exitCode: number | undefined;
  readonly exitSignal: string | undefined;
  readonly stderrTail: string | undefined;
  readonly reason: CloseReason;

  constructor(reason: CloseReason, delivery: Delivery) {
    super(reason.message, { delivery, ...(reason.cause !== undefined && { cause: reason.cause }) });
    this.reason = reason;
    this.exitCode = reason.exitCode;
    this.exitSignal = reason.exitSignal;
    this.stderrTail = reason.stderrTail;
  }
}

/**
 * A handler of incoming requests throws this to answer with a specific JSON-RPC error. Any other exception of a
 * handler is answered with -32603 and without its text, which may contain secrets.
 */
export class ResponseError extends CodexError {
  readonly code = "response_error";
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(rpcCode: number, message: string, data?: unknown) {
    super(message);
    this.rpcCode = rpcCode;
    this.data = data;
  }
}
