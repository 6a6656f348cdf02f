import type { ReviewStartParams, ReviewStartResponse } from "../protocol/index.ts";
import { atLeast } from "../protocol/release.ts";
import { AbortedError, RpcError } from "../rpc/errors.ts";
import type { ThreadHost, ThreadRoute } from "./thread-route.ts";

/** Where a detached review runs: the server has started it on a thread of its own, or we have made that thread. */
type Detached = { readonly answer: ReviewStartResponse } | { readonly fork: ThreadRoute };

/**
 * Starts a detached review, or makes the thread for it. Servers from 0.155 on review inline only, or refuse for the
 * threads that they make by default: there a fork of the thread is reviewed inline.
 */
export async function detach(
  host: ThreadHost,
  params: ReviewStartParams,
  signal: AbortSignal | undefined,
): Promise<Detached> {
  if (signal?.aborted) throw new AbortedError("the review", "notSent", signal.reason);
  const answer = atLeast(host.serverVersion(), "0.155.0") ? undefined : await started(host, params);
  if (!answer) return { fork: await host.fork(params.threadId) };
  if (!signal?.aborted) return { answer };
  // The caller has given up meanwhile.
  const threadId = answer.reviewThreadId ?? params.threadId;
  await host.request("turn/interrupt", { threadId, turnId: answer.turn.id }).catch(() => {});
  throw new AbortedError("the review", "unknown", signal.reason);
}

/** Starts it on the server; `undefined` if the server does not do that for this thread. */
async function started(
  host: ThreadHost,
  params: ReviewStartParams,
): Promise<ReviewStartResponse | undefined> {
  try {
    return await host.request("review/start", params);
  } catch (error) {
    if (error instanceof RpcError && /do not support detached review/.test(error.message)) return undefined;
    throw error;
  }
}
