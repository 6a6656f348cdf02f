import type { ReviewStartParams, ReviewStartResponse } from "../../protocol/index.ts";
import { atLeast } from "../../protocol/release.ts";
import { AbortedError, RpcError } from "../../rpc/errors.ts";
import { unlessAborted } from "../../rpc/on-abort.ts";
import type { ThreadHost, ThreadRoute } from "../thread/thread-route.ts";

/** A detached review: either the server has started it on a new thread, or we have forked the thread for it. */
type Detached = { readonly answer: ReviewStartResponse } | { readonly fork: ThreadRoute };

/**
 * Starts a detached review, or creates the thread for it. Servers from 0.151 on do not start a detached review: they
 * refuse it for the threads that they create by default, or support only inline reviews. The client then forks the
 * thread and runs an inline review on the fork. From 0.155 on, the client forks the thread without asking the server
 * first.
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
  // Aborted while the thread was loading: no review request has been sent.
  signal?.throwIfAborted();
  const answer = atLeast(host.serverVersion(), "0.155.0") ? undefined : await started(host, params);
  return answer ? { answer } : { fork: await host.fork(params.threadId) };
}

/** Stops a review, or deletes a fork, that the server created after the caller aborted. */
async function giveUp(host: ThreadHost, { threadId }: ReviewStartParams, late: Detached): Promise<void> {
  if ("answer" in late) {
    const { turn } = late.answer;
    // The oldest servers do not send `reviewThreadId`.
    const { reviewThreadId } = late.answer as Partial<ReviewStartResponse>;
    await host.request("turn/interrupt", { threadId: reviewThreadId ?? threadId, turnId: turn.id });
  } else if (late.fork.threadId !== threadId) {
    await host.request("thread/delete", { threadId: late.fork.threadId });
  }
}

/** Starts the review on the server; returns `undefined` if the server does not support that for this thread. */
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
