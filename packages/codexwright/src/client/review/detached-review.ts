import type { ReviewStartParams, ReviewStartResponse } from "../../protocol/index.ts";
import { atLeast } from "../../protocol/release.ts";
import { AbortedError, RpcError } from "../../rpc/errors.ts";
import { unlessAborted } from "../../rpc/on-abort.ts";
import type { ThreadHost, ThreadRoute } from "../thread/thread-route.ts";

/** Where a detached review runs: the server has started it on a thread of its own, or we have made that thread. */
type Detached = { readonly answer: ReviewStartResponse } | { readonly fork: ThreadRoute };

/**
 * Starts a detached review, or makes the thread for it. Servers from 0.155 on review inline only, or refuse for the
 * threads that they make by default: there a fork of the thread is reviewed inline.
 */
export async function detach(
  host: ThreadHost,
  route: ThreadRoute,
  params: ReviewStartParams,
  signal: AbortSignal | undefined,
): Promise<Detached> {
  if (signal?.aborted) throw new AbortedError("the review", "notSent", signal.reason);
  const beginning = begin(host, route, params, signal);
  try {
    return await unlessAborted("the review", beginning, signal, "unknown");
  } catch (error) {
    if (signal?.aborted) beginning.then((late) => giveUp(host, params, late)).catch(() => {});
    throw error;
  }
}

async function begin(
  host: ThreadHost,
  route: ThreadRoute,
  params: ReviewStartParams,
  signal: AbortSignal | undefined,
): Promise<Detached> {
  if (!route.facts.subscribed) await route.load();
  // Given up while the thread was loaded: nothing of the review has been sent.
  signal?.throwIfAborted();
  const answer = atLeast(host.serverVersion(), "0.155.0") ? undefined : await started(host, params);
  return answer ? { answer } : { fork: await host.fork(params.threadId) };
}

/** Ends what the server began after the caller had given up. */
async function giveUp(host: ThreadHost, { threadId }: ReviewStartParams, late: Detached): Promise<void> {
  if ("answer" in late) {
    const { turn } = late.answer;
    // The oldest servers do not send it.
    const { reviewThreadId } = late.answer as Partial<ReviewStartResponse>;
    await host.request("turn/interrupt", { threadId: reviewThreadId ?? threadId, turnId: turn.id });
  } else if (late.fork.threadId !== threadId) {
    await host.request("thread/delete", { threadId: late.fork.threadId });
  }
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
