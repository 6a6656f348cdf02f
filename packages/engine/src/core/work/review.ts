import { offAbort, onAbort } from "codexwright/internal";
import type { ReviewTarget, ServerNotifications, TurnError } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { abortedMessage, inputText, message } from "../context/conversation.ts";
import { uuid7, unixSeconds } from "../ids.ts";
import { REVIEW_INSTRUCTIONS, reviewNote, reviewTask } from "../instructions/review.ts";
import { finalMessage, type TurnRecord } from "../records/record.ts";
import { InnerThread, type Outlet } from "../threads/inner-thread.ts";
import { agentMessage } from "../turn/output-items.ts";
import { TurnRun, type TurnEnd } from "../turn/turn-run.ts";
import { readReview, renderReview, type ReviewOutput } from "./review-output.ts";
import { answering, goingOn } from "./turn-work.ts";

/** Describes the review target for the user. The texts are those of the real server. */
export function reviewHint(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommittedChanges":
      return "current changes";
    case "baseBranch":
      return `changes against '${given("branch", target.branch)}'`;
    case "commit": {
      const sha = given("sha", target.sha).slice(0, 7);
      return target.title ? `commit ${sha}: ${target.title}` : `commit ${sha}`;
    }
    default:
      return given("instructions", target.instructions);
  }
}

function given(name: string, value: string): string {
  const text = value.trim();
  if (text === "") throw new ResponseError(-32600, `${name} must not be empty`);
  return text;
}

/** Both texts are those of the real server. */
const NO_REVIEW = "Reviewer failed to output a response.";
const INTERRUPTED = "Review was interrupted. Please re-run /review and wait for it to complete.";

/** The tools of a reviewer. */
const TOOLS: ReadonlySet<string> = new Set(["exec_command", "write_stdin", "view_image"]);

/**
 * The work of a review on the thread itself. A reviewer works in a conversation of its own; the thread learns only its
 * answer. If the dialect nests reviews, the reviewer has a turn of its own, which never ends.
 */
export function reviewing(target: ReviewTarget): (run: TurnRun) => Promise<TurnEnd> {
  const hint = reviewHint(target);
  return async (run) => {
    const { items, thread } = run;
    await run.breathe();
    items.whole({ type: "enteredReviewMode", id: uuid7(), review: hint });
    const own = thread.host.dialect.nestsReviews ? innerTurn(run) : run.record;
    run.host.loaded.warnOfModel(thread);
    run.begun(own.id);
    if (thread.record.preview === "") thread.record.preview = hint;
    const answer = await reviewed(run, own, reviewTask(target));
    const { review, text, output } = shown(answer);
    items.whole(exited(review, thread.host.dialect.tellsFindings ? output : undefined));
    items.whole(agentMessage(`msg_${uuid7()}`, text, null));
    const note = message("user", [inputText(reviewNote(answer.text))]);
    thread.remember(note, message("assistant", [{ type: "output_text", text }]));
    if (answer.error) return { status: "failed", error: answer.error };
    if (!run.signal.aborted) return { status: "completed" };
    thread.remember(abortedMessage());
    return { status: "interrupted" };
  };
}

/** The last message of the reviewer, or the error that ended it. */
interface Answer {
  readonly text?: string | undefined;
  readonly error?: TurnError | null;
}

/** Lets the reviewer work until it has answered. Nothing of it still runs afterwards. */
async function reviewed(run: TurnRun, own: TurnRecord, task: string): Promise<Answer> {
  const { thread } = run;
  let isOpen = true;
  const tell: Outlet = (method, params) => {
    if (isOpen) forward(run, own, method, params);
  };
  const inner = new InnerThread(thread, { instructions: REVIEW_INSTRUCTIONS, tools: TOOLS, tell });
  await inner.settleSandbox(thread);
  const input = { input: [{ type: "text" as const, text: task, text_elements: [] }], clientId: null };
  const reviewer = new TurnRun(run.host, inner, {
    kind: "review",
    work: answering(input),
    more: goingOn,
    rootTurnId: run.id,
    quiet: true,
  });
  const stop = (): void => void reviewer.interruptForGood();
  onAbort(run.signal, stop);
  if (run.signal.aborted) stop();
  try {
    await reviewer.run();
  } finally {
    isOpen = false;
    offAbort(run.signal, stop);
    await inner.background.close();
  }
  const { status, error, items } = reviewer.record;
  if (status === "failed") return { error };
  const final = status === "completed" ? finalMessage(items.map(({ item }) => item)) : undefined;
  return { text: final?.type === "agentMessage" ? final.text : undefined };
}

/** The turn of the reviewer in the history of the thread. It never ends. */
function innerTurn(run: TurnRun): TurnRecord {
  const { record } = run.thread;
  const own: TurnRecord = {
    id: uuid7(),
    rootTurnId: run.id,
    ordinal: record.nextOrdinal++,
    items: [],
    usage: null,
    status: "interrupted",
    error: null,
    startedAt: unixSeconds(Date.now()),
    completedAt: null,
    durationMs: null,
  };
  record.turns.splice(-1, 0, own);
  return own;
}

/** Tells clients what the reviewer does, as part of the review. They see its tool calls, but not what it says. */
function forward<M extends keyof ServerNotifications>(
  run: TurnRun,
  own: TurnRecord,
  method: M,
  params: ServerNotifications[M],
): void {
  const isSpoken = (params as { item?: { type?: string } }).item?.type === "agentMessage";
  switch (method) {
    case "item/started":
      return run.items.start((params as ServerNotifications["item/started"]).item);
    case "item/completed": {
      const { item } = params as ServerNotifications["item/completed"];
      if (!isSpoken) run.items.complete(item, { record: own });
      return;
    }
    case "error":
      if (!(params as ServerNotifications["error"]).willRetry) return;
      return run.notify(method, params);
    case "warning":
      return run.thread.notify(method, { ...params, threadId: run.thread.id });
    case "item/agentMessage/delta":
      return;
    default:
      if (method.startsWith("item/")) run.notify(method, params);
  }
}

/** The two texts for the user: that of the item that ends the review, and of the message after it. */
function shown({ text }: Answer): {
  readonly review: string;
  readonly text: string;
  readonly output?: ReviewOutput | undefined;
} {
  if (text === undefined) return { review: NO_REVIEW, text: INTERRUPTED };
  const output = readReview(text);
  const review = (output ? renderReview(output) : text.trim()) || NO_REVIEW;
  return { review, text: review, output };
}

/** The item that ends a review. Besides the text, which is all that Codex sends, it has the findings as data. */
function exited(
  review: string,
  output: ReviewOutput | undefined,
): { type: "exitedReviewMode"; id: string; review: string } {
  return { type: "exitedReviewMode", id: uuid7(), review, ...(output && { output }) };
}
