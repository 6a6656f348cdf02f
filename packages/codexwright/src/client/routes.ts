import type { ClientRequests, TokenUsageBreakdown } from "../protocol/index.ts";
import type { RequestOptions } from "../rpc/call.ts";
import type { Turn } from "./turn.ts";

/** The options of one raw request. */
export type CallOptions = Pick<RequestOptions, "signal" | "timeoutMs">;

/** Sends a request of the generated map. */
export type Requester = <M extends keyof ClientRequests>(
  method: M,
  params: ClientRequests[M]["params"],
  options?: CallOptions,
) => Promise<ClientRequests[M]["result"]>;

/** What a client knows of one thread, shared by all handles of it. */
export interface ThreadRoute {
  readonly threadId: string;
  /** The turn that runs; one at a time. */
  turn: Turn | undefined;
  /** The totals the server reported last. */
  usage: TokenUsageBreakdown | undefined;
  /** The approval policy the server reported last. */
  approvalPolicy: unknown;
}
