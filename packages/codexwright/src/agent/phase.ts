import { isJsonObject } from "../rpc/json.ts";

/**
 * The phase in which a run failed:
 *
 * - `request`: before the model answered (start, login, connection)
 * - `response`: in the answer of the model
 * - `tool`: while a tool ran
 * - `budget`: a token limit was exceeded
 */
export type AgentPhase = "request" | "response" | "tool" | "budget";

/** The meaning of a server error for a run. */
export interface CodexErrorMeaning {
  /** The name of the error, as on the wire. */
  readonly info: string;
  readonly phase: AgentPhase;
  /** True if the same request may succeed later. */
  readonly retryable: boolean;
  /** The HTTP status of the model's response, if that was the cause. */
  readonly httpStatus: number | undefined;
}

/** Phase by error name. All other errors belong to `response`. */
const PHASES: Readonly<Record<string, AgentPhase>> = {
  contextWindowExceeded: "response",
  usageLimitExceeded: "budget",
  httpConnectionFailed: "request",
  unauthorized: "request",
  badRequest: "request",
  sandboxError: "tool",
  responseTooManyFailedAttempts: "request",
  responseStreamConnectionFailed: "request",
  responseStreamDisconnected: "request",
  threadRollbackFailed: "response",
  internalServerError: "response",
  // From servers before 0.145.
  modelCap: "budget",
  sessionBudgetExceeded: "budget",
  rateLimitExceeded: "request",
  serverOverloaded: "request",
  policyCapacityUnavailable: "request",
  flexUnavailable: "request",
  modelNotFound: "request",
  activeTurnNotSteerable: "request",
};

const RETRYABLE: ReadonlySet<string> = new Set([
  "rateLimitExceeded",
  "serverOverloaded",
  "policyCapacityUnavailable",
  "flexUnavailable",
]);

/** Status codes with which the model API rejects the credentials or the request rate. */
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429]);

/** Parses a `codexErrorInfo`: a name, `{ name: { … } }`, or `{ type: name }`. Any other value is `other`. */
export function meaningOf(codexErrorInfo: unknown): CodexErrorMeaning {
  const { info, detail } = named(codexErrorInfo);
  const status = isJsonObject(detail) ? detail["httpStatusCode"] : undefined;
  const httpStatus = typeof status === "number" ? status : undefined;
  const refused = httpStatus !== undefined && REFUSED.has(httpStatus);
  return {
    info,
    phase: refused ? "request" : (Object.hasOwn(PHASES, info) && PHASES[info]) || "response",
    retryable: RETRYABLE.has(info) || httpStatus === 429,
    httpStatus,
  };
}

function named(value: unknown): { info: string; detail: unknown } {
  if (typeof value === "string") return { info: value, detail: undefined };
  if (!isJsonObject(value)) return { info: "other", detail: undefined };
  if (typeof value["type"] === "string") return { info: value["type"], detail: value };
  const [entry] = Object.entries(value);
  return entry ? { info: entry[0], detail: entry[1] } : { info: "other", detail: undefined };
}
