import type { ReviewStartParams, ThreadItem, Turn as WireTurn } from "../protocol/index.ts";
import { AbortedError, RpcError } from "../rpc/errors.ts";
import { unlessAborted } from "../rpc/on-abort.ts";
import { ThreadBusyError } from "./errors.ts";
import { UnsupportedError } from "./server-errors.ts";
import type { StartReviewParams } from "./spec-types.ts";
import type { ThreadHost, ThreadRoute } from "./thread-route.ts";
import { Turn } from "./turn.ts";

/** A review that the server has accepted. */
export interface StartedReview {
  readonly turn: Turn;
  /** The turn as the server answered. */
  readonly wire: WireTurn;
  readonly reviewThreadId: string;
}

interface ReviewAnswer {
  readonly turn: WireTurn;
  readonly reviewThreadId?: string;
}

/** Starts a review: as a turn of its thread, or of a new one where it is detached. */
export async function startReview(
  host: ThreadHost,
  routeOf: (threadId: string) => ThreadRoute,
  params: StartReviewParams,
): Promise<StartedReview> {
  const { signal, timeoutMs = 0, silenceMs = host.turnSilenceMs, ...wire } = params;
  const route = routeOf(wire.threadId);
  if (route.busy) throw new ThreadBusyError(wire.threadId);
  const limits = { signal, timeoutMs, silenceMs, observed: false };
  // Which thread a detached review runs on is only known afterwards; what it did until then is in that thread's state.
  const answered = wire.delivery === "detached" ? await detached(host, wire, signal) : undefined;
  let answer: ReviewAnswer | undefined = answered;
  const reviewRoute = answered?.reviewThreadId ? routeOf(answered.reviewThreadId) : route;
  const turn = new Turn<undefined>(host, reviewRoute, {
    ...limits,
    adopted: answered !== undefined,
    begin: async (sending) => {
      if (!route.facts.subscribed) await host.resubscribe(route);
      sending();
      answer ??= await request(host, wire);
      return answer.turn.id;
    },
    finish: (result) => result,
  });
  turn.launch();
  await turn.started;
  const { turn: wireTurn, reviewThreadId = wire.threadId } = answer as ReviewAnswer;
  return { turn, wire: wireTurn, reviewThreadId };
}

/** The text of a review: newer servers leave it in `exitedReviewMode`, the oldest in a `codeReview` item. */
export function reviewText(items: readonly ThreadItem[]): string | undefined {
  const review = items.findLast(({ type }) => ["exitedReviewMode", "codeReview"].includes(type));
  return (review as { review?: string } | undefined)?.review;
}

/** Starts a review on a thread of its own, and ends it again where the caller has given up meanwhile. */
async function detached(
  host: ThreadHost,
  params: Omit<StartReviewParams, "signal" | "timeoutMs" | "silenceMs">,
  signal: AbortSignal | undefined,
): Promise<ReviewAnswer> {
  if (signal?.aborted) throw new AbortedError("the review", "notSent", signal.reason);
  const answering = request(host, params);
  try {
    const answer = await unlessAborted("the review", answering, signal, "unknown");
    if (signal?.aborted) throw new AbortedError("the review", "unknown", signal.reason);
    return answer;
  } catch (error) {
    if (signal?.aborted) answering.then((answer) => stop(host, params.threadId, answer)).catch(() => {});
    throw error;
  }
}

async function stop(
  host: ThreadHost,
  parentId: string,
  { reviewThreadId, turn }: ReviewAnswer,
): Promise<void> {
  const threadId = reviewThreadId ?? parentId;
  await host.request("turn/interrupt", { threadId, turnId: turn.id });
}

async function request(
  host: ThreadHost,
  params: Omit<StartReviewParams, "signal" | "timeoutMs" | "silenceMs">,
): Promise<ReviewAnswer> {
  try {
    return await host.request("review/start", params as ReviewStartParams);
  } catch (error) {
    if (
      params.delivery === "detached" &&
      error instanceof RpcError &&
      /unknown variant `detached`|do not support detached review/.test(error.message)
    ) {
      throw new UnsupportedError("this server reviews inline only: leave out delivery", error);
    }
    throw error;
  }
}
