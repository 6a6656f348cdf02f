import type { ClientRequests } from "../protocol/index.ts";
import type { RequestOptions } from "../rpc/call.ts";

/** The options of one raw request. */
export type CallOptions = Pick<RequestOptions, "signal" | "timeoutMs">;

/** Sends a request of the generated map. */
export type Requester = <M extends keyof ClientRequests>(
  method: M,
  params: ClientRequests[M]["params"],
  options?: CallOptions,
) => Promise<ClientRequests[M]["result"]>;
