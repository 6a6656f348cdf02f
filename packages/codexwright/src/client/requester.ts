import type { ClientRequests } from "../protocol/index.ts";
import type { RequestOptions } from "../rpc/call.ts";
import * as is from "../rpc/options/check.ts";
import type { Table } from "../rpc/options/table.ts";
import { checkAnswer } from "./answers.ts";
import { named } from "./server-errors.ts";
import type { VersionGate } from "./version-gate.ts";

/** The options of one raw request. */
export type CallOptions = Pick<RequestOptions, "signal" | "timeoutMs">;

export const CALL_OPTIONS: Table<CallOptions> = { signal: is.signal, timeoutMs: is.milliseconds };

/** Sends a request of the generated map. */
export type Requester = <M extends keyof ClientRequests>(
  method: M,
  params: ClientRequests[M]["params"],
  options?: CallOptions,
) => Promise<ClientRequests[M]["result"]>;

/**
 * Sends requests for handles: what an older server does not know is not sent, refusals have the code their text stands
 * for, and an answer that cannot be read is a typed error.
 */
export function checkedRequester(request: Requester, gate: () => VersionGate | undefined): Requester {
  return async (method, params, options) => {
    try {
      gate()?.check(method, params);
      const result = await request(method, params, options);
      checkAnswer(method, result);
      return result;
    } catch (error) {
      throw named(error);
    }
  };
}
