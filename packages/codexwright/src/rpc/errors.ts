/**
 * What is known of a request that failed: `notSent` never reached the wire, `rejected` was answered with
 * an error, `unknown` was written but never answered, so the peer may or may not have acted on it.
 */
export type Delivery = "notSent" | "unknown" | "rejected";

/** Base of every error this library throws on purpose. Switch on `code`, never on `message`. */
export abstract class CodexError extends Error {
  abstract readonly code: string;
  /** What is known of the request that failed, where one did. */
  readonly delivery: Delivery | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly delivery?: Delivery | undefined }) {
    super(message, options);
    this.name = new.target.name;
    this.delivery = options?.delivery;
  }

  /** True where doing the same again cannot do the work twice. */
  get retryable(): boolean {
    return this.delivery === "notSent";
  }
}

/** A caller's argument is wrong; the message names it and says what to give instead. */
export class InvalidArgumentError extends CodexError {
  readonly code = "invalid_argument";
}

/** An optional package is needed here and cannot be loaded; the message says how to install it. */
export class MissingDependencyError extends CodexError {
  readonly code = "missing_dependency";
  /** The package's name. */
  readonly dependency: string;

  constructor(dependency: string, what: string, cause: unknown) {
    super(`${what} needs the package ${dependency}: npm install ${dependency}`, {
      cause,
      delivery: "notSent",
    });
    this.dependency = dependency;
  }
}

/** A login, or the credentials of a connection, were refused; the message is the server's, without any secret. */
export class AuthFailedError extends CodexError {
  readonly code = "auth_failed";
  /** True where the login was given up on purpose. */
  readonly cancelled: boolean;
  /** Status of the refusal, where a connection was refused before it began. */
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

/** Base of the errors a single request can end with. */
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
    // What a peer calls a message can be anything, and not everything can be made a text.
    super(
      method,
      "rejected",
      typeof error.message === "string" ? error.message : "an error without a message",
    );
    this.rpcCode = error.code;
    this.data = error.data;
  }
}

/** The peer answered a request with a result that cannot be used; the message names the field. */
export class UnexpectedAnswerError extends RequestError {
  readonly code = "unexpected_answer";

  constructor(method: string, what: string) {
    // It may have done what it was asked to.
    super(method, "unknown", `${method} was answered with something unexpected: ${what}`);
  }
}

/** The peer kept refusing a request with -32001 until the request's time was up. It was never executed. */
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

/** A request was not answered in its time. */
export class RequestTimeoutError extends RequestError {
  readonly code = "request_timeout";
  readonly timeoutMs: number;

  /** @param why what is known of the reason, and how the message ends with it */
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

/** The caller's `AbortSignal` fired; its reason is the `cause`. */
export class AbortedError extends CodexError {
  readonly code = "aborted";

  constructor(what: string, delivery: Delivery, cause: unknown) {
    super(`${what} was aborted by its signal`, { cause, delivery });
  }
}

/** Why a channel ended, as the transport knows it. */
export interface CloseReason {
  /** One sentence, without payloads. */
  readonly message: string;
  readonly exitCode?: number | undefined;
  readonly exitSignal?: string | undefined;
  /** The last of what the process wrote to stderr. */
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
 * Thrown by a handler of incoming requests to answer with this JSON-RPC error. Anything else a handler
 * throws is answered -32603 without its text, which could hold secrets.
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
