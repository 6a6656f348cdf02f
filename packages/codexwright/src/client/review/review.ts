import type {
  ReviewStartParams,
  ReviewTarget as WireTarget,
  ThreadItem,
  Turn as WireTurn,
} from "../../protocol/index.ts";
import { InvalidArgumentError } from "../../rpc/errors.ts";
import { unlessAborted } from "../../rpc/on-abort.ts";
import { checkOptions } from "../../rpc/options/table.ts";
import { detach } from "./detached-review.ts";
import { ThreadBusyError } from "../errors.ts";
import { findingsOf } from "./review-findings.ts";
import {
  START_REVIEW,
  type CompletedReview,
  type ReviewTarget,
  type StartReviewParams,
} from "./review-options.ts";
import type { ThreadHost, ThreadRoute } from "../thread/thread-route.ts";
import { ownItems } from "../turn/end/turn-result.ts";
import { Turn } from "../turn/turn.ts";

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
  checkOptions("startReview()", params, START_REVIEW);
  const { signal, timeoutMs = 0, silenceMs = host.turnSilenceMs, ...rest } = params;
  const wire = { ...rest, target: toWireTarget(rest.target) };
  const route = routeOf(wire.threadId);
  if (route.busy) throw new ThreadBusyError(wire.threadId);
  const limits = { signal, timeoutMs, silenceMs, observed: false };
  // Which thread a detached review runs on is only known afterwards; what it did until then is in that thread's state.
  const detached =
    wire.delivery === "detached" ? await detach(host, route, wire as ReviewStartParams, signal) : undefined;
  if (detached && "fork" in detached) return await reviewFork(host, routeOf, params, detached.fork);
  const answered: ReviewAnswer | undefined = detached?.answer;
  let answer = answered;
  const reviewRoute = answered?.reviewThreadId ? routeOf(answered.reviewThreadId) : route;
  const turn = new Turn<undefined>(reviewRoute, {
    ...limits,
    adopted: answered !== undefined,
    begin: async (sending) => {
      await route.load();
      sending();
      answer ??= await host.request("review/start", wire as ReviewStartParams);
      return answer.turn.id;
    },
    finish: (result) => result,
  });
  turn.launch();
  await turn.started;
  const { turn: wireTurn, reviewThreadId = wire.threadId } = answer as ReviewAnswer;
  return { turn, wire: wireTurn, reviewThreadId };
}

/** Runs a review to its end. */
export async function runReview(
  host: ThreadHost,
  routeOf: (threadId: string) => ThreadRoute,
  params: StartReviewParams,
): Promise<CompletedReview> {
  const { turn, reviewThreadId } = await startReview(host, routeOf, params);
  const result = await turn.completed;
  const text = reviewText(result.items) ?? result.agentMessage;
  return { ...ownItems(result), reviewThreadId, reviewText: text, findings: findingsOf(text) };
}

/** The text of a review: newer servers leave it in `exitedReviewMode`, the oldest in a `codeReview` item. */
export function reviewText(items: readonly ThreadItem[]): string | undefined {
  const review = items.findLast(({ type }) => ["exitedReviewMode", "codeReview"].includes(type));
  const text = (review as { review?: unknown } | undefined)?.review;
  return typeof text === "string" ? text : undefined;
}

/** Reviews a fork that was made for this, and deletes it again if the review does not start. */
async function reviewFork(
  host: ThreadHost,
  routeOf: (threadId: string) => ThreadRoute,
  params: StartReviewParams,
  { threadId }: ThreadRoute,
): Promise<StartedReview> {
  try {
    return await startReview(host, routeOf, { ...params, threadId, delivery: "inline" });
  } catch (error) {
    // Never the thread that was to be reviewed, whatever the server calls the fork.
    if (threadId !== params.threadId) {
      const deleted = host.request("thread/delete", { threadId });
      // A caller who gives up does not wait for that.
      await unlessAborted("the deletion", deleted, params.signal, "unknown").catch(() => {});
    }
    throw error;
  }
}

/** What the reviewer is asked if the caller names no base branch: the server itself takes one only by name. */
const ANY_BASE =
  "Review the code changes of the current branch against its base branch. Find the base branch first: the upstream of " +
  "the current branch, or else the default branch of the repository. Then run `git merge-base HEAD <base branch>` and " +
  "review the output of `git diff <merge base>`. Report prioritized, actionable findings.";

/** The target in the server's form; older documents leave out what the server needs. */
function toWireTarget(target: ReviewTarget): WireTarget {
  if (target.type === "baseBranch" && target.branch === undefined) {
    return { type: "custom", instructions: ANY_BASE };
  }
  if (target.type === "custom" && target.instructions === undefined) {
    throw new InvalidArgumentError("target.instructions is missing: a custom review needs them");
  }
  return target;
}
