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
import { findingsOf, reviewIn } from "./review-findings.ts";
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
  /** The turn from the server's answer. */
  readonly wire: WireTurn;
  readonly reviewThreadId: string;
}

interface ReviewAnswer {
  readonly turn: WireTurn;
  readonly reviewThreadId?: string;
}

/** Starts a review as a turn of its thread or, if detached, of a new thread. */
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
  // The thread of a detached review is known only after the server's answer. The turn is created after that, from the
  // events that the state of that thread has collected.
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

/** Runs a review and waits for its result. */
export async function runReview(
  host: ThreadHost,
  routeOf: (threadId: string) => ThreadRoute,
  params: StartReviewParams,
): Promise<CompletedReview> {
  const { turn, reviewThreadId } = await startReview(host, routeOf, params);
  const result = await turn.completed;
  const text = reviewText(result.items) ?? result.agentMessage;
  const { findings, overall } = reviewIn(end(result.items)?.output) ?? {
    findings: findingsOf(text),
    overall: null,
  };
  return { ...ownItems(result), reviewThreadId, reviewText: text, findings, overall };
}

/** The text of a review: newer servers send it in `exitedReviewMode`, the oldest in a `codeReview` item. */
export function reviewText(items: readonly ThreadItem[]): string | undefined {
  const text = end(items)?.review;
  return typeof text === "string" ? text : undefined;
}

/** The item that ends a review. Only our own app-server sends the member `output`. */
function end(
  items: readonly ThreadItem[],
): { readonly review?: unknown; readonly output?: unknown } | undefined {
  const ending = items.findLast(({ type }) => ["exitedReviewMode", "codeReview"].includes(type));
  return ending as { readonly review?: unknown; readonly output?: unknown } | undefined;
}

/** Reviews a fork that was created for this review, and deletes it if the review does not start. */
async function reviewFork(
  host: ThreadHost,
  routeOf: (threadId: string) => ThreadRoute,
  params: StartReviewParams,
  { threadId }: ThreadRoute,
): Promise<StartedReview> {
  try {
    return await startReview(host, routeOf, { ...params, threadId, delivery: "inline" });
  } catch (error) {
    // Never delete the reviewed thread itself, even if the server returns its id for the fork.
    if (threadId !== params.threadId) {
      const deleted = host.request("thread/delete", { threadId });
      // An aborted call does not wait for the deletion.
      await unlessAborted("the deletion", deleted, params.signal, "unknown").catch(() => {});
    }
    throw error;
  }
}

/** The prompt for a review of type `baseBranch` without a branch name, because the server requires a name. */
const ANY_BASE =
  "Review the code changes of the current branch against its base branch. Find the base branch first: the upstream of " +
  "the current branch, or else the default branch of the repository. Then run `git merge-base HEAD <base branch>` and " +
  "review the output of `git diff <merge base>`. Report prioritized, actionable findings.";

/**
 * Converts the target to the server's form. Our type allows `branch` and `instructions` to be omitted, as older
 * documentation does, but the server requires both.
 */
function toWireTarget(target: ReviewTarget): WireTarget {
  if (target.type === "baseBranch" && target.branch === undefined) {
    return { type: "custom", instructions: ANY_BASE };
  }
  if (target.type === "custom" && target.instructions === undefined) {
    throw new InvalidArgumentError("target.instructions is required for a custom review");
  }
  return target;
}
