import type { ClientRequests } from "../../protocol/index.ts";
import type { RequestOptions } from "../../rpc/call.ts";
import { RequestTimeoutError } from "../../rpc/errors.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";
import { checkAnswer } from "./server/answers.ts";
import { lastError, type TurnRetryingError } from "../errors.ts";
import { named } from "./server/server-errors.ts";
import type { VersionSupport } from "./server/version-support.ts";

/** The options of one raw request. */
export type CallOptions = Pick<RequestOptions, "signal" | "timeoutMs">;

/** If the error is a request timeout, adds the last error that the server reported for the thread's turn. */
function explained(
  error: unknown,
  params: unknown,
  troubleOf: (threadId: string) => TurnRetryingError | undefined,
): unknown {
  const threadId = (params as { threadId?: unknown } | null | undefined)?.threadId;
  if (!(error instanceof RequestTimeoutError) || typeof threadId !== "string") return error;
  const cause = troubleOf(threadId);
  if (!cause) return error;
  const { method, delivery = "unknown", timeoutMs } = error;
  return new RequestTimeoutError(method, delivery, timeoutMs, { cause, told: lastError(cause) });
}
export const CALL_OPTIONS: Table<CallOptions> = { signal: is.signal, timeoutMs: is.milliseconds };

/** Checks the options of a call that does other work before it sends its request. */
export function checkCall(name: string, options: CallOptions | undefined): void {
  if (options !== undefined) checkOptions(name, options, CALL_OPTIONS);
}

/** Sends a request of the generated protocol map. */
export type Requester = <M extends keyof ClientRequests>(
  method: M,
  params: ClientRequests[M]["params"],
  options?: CallOptions,
) => Promise<ClientRequests[M]["result"]>;

/**
 * Sends requests for threads, turns and services. Rejects methods and fields that an older server lacks, and does not
 * send them. Maps the server's refusals to error codes by their text. Rejects with a typed error if an answer cannot be
 * read.
 */
export function checkedRequester(
  request: Requester,
  support: () => VersionSupport | undefined,
  troubleOf: (threadId: string) => TurnRetryingError | undefined,
): Requester {
  return async (method, params, options) => {
    try {
      support()?.check(method, params);
      const result = await request(method, params, options);
      checkAnswer(method, result);
      return result;
    } catch (error) {
      throw explained(named(error), params, troubleOf);
    }
  };
}
