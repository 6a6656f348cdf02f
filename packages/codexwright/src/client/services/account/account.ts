import type { GetAccountParams, GetAccountResponse } from "../../../protocol/index.ts";
import { CALL_OPTIONS, type CallOptions } from "../../connection/requester.ts";
import type { ServiceHost } from "../service-host.ts";
import * as is from "../../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../../rpc/options/table.ts";

const OPTIONS: Table<GetAccountParams & CallOptions> = { ...CALL_OPTIONS, refreshToken: is.anything };

/**
 * Returns the current login. A provider that does not require an OpenAI login has no account, even if the server is
 * logged in.
 */
export async function readAccount(
  { request }: ServiceHost,
  options: GetAccountParams & CallOptions = {},
): Promise<GetAccountResponse> {
  checkOptions("account()", options, OPTIONS);
  const { signal, timeoutMs, ...params } = options;
  return await request("account/read", params, { signal, timeoutMs });
}

/** Logs out and removes the login that the server has stored. Does nothing without a login. */
export async function logout({ request }: ServiceHost, call: CallOptions = {}): Promise<void> {
  await request("account/logout", undefined, call);
}
