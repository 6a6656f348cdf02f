import type { GetAccountParams, GetAccountResponse } from "../../protocol/index.ts";
import type { CallOptions } from "../requester.ts";
import type { ServiceHost } from "../service-host.ts";

/** Who is logged in. A provider that needs no OpenAI login has no account, whoever is logged in. */
export async function readAccount(
  { request }: ServiceHost,
  { signal, timeoutMs, ...params }: GetAccountParams & CallOptions = {},
): Promise<GetAccountResponse> {
  return await request("account/read", params, { signal, timeoutMs });
}

/** Logs out and removes what the server has stored of the login. Without one, this does nothing. */
export async function logout({ request }: ServiceHost, call: CallOptions = {}): Promise<void> {
  await request("account/logout", undefined, call);
}
