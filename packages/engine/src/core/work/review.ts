import { isJsonObject } from "codexwright/internal";
import type { ReviewStartParams, ReviewTarget } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";
import { inputText, message } from "../context/conversation.ts";
import { uuid7, unixSeconds } from "../ids.ts";
import type { TurnRecord } from "../records/record.ts";
import { agentMessage } from "../turn/output-items.ts";
import { tellSituation } from "./request.ts";
import { settleCalls } from "./running-calls.ts";
import { sample } from "./turn-work.ts";
import { Retries } from "../turn/retries.ts";
import { textOf } from "../text.ts";
import type { TurnEnd, TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

/** Describes the review target for the user. */
export function reviewHint(target: ReviewStartParams["target"]): string {
  switch (target.type) {
    case "uncommittedChanges":
      return "current changes";
    case "baseBranch":
      return `changes against '${target.branch}'`;
    case "commit": {
      const sha = target.sha.slice(0, 7);
      return target.title ? `commit ${sha}: ${target.title}` : `commit ${sha}`;
    }
    default:
      return instructionsOf(target);
  }
}

function instructionsOf(target: Extract<ReviewTarget, { type: "custom" }>): string {
  const text = target.instructions.trim();
  if (text === "") throw new ResponseError(-32600, "instructions must not be empty");
  return text;
}

/** Describes the review target for the reviewer. */
export function reviewPrompt(target: ReviewStartParams["target"]): string {
  switch (target.type) {
    case "uncommittedChanges":
      return "Review the current code changes (staged, unstaged, and untracked files) and provide prioritized findings.";
    case "baseBranch":
      return `Review the code changes against the base branch '${target.branch}'. Provide prioritized, actionable findings.`;
    case "commit": {
      const title = target.title ? ` ("${target.title}")` : "";
      return `Review the code changes introduced by commit ${target.sha}${title}. Provide prioritized, actionable findings.`;
    }
    default:
      return instructionsOf(target);
  }
}

/** The work of a review on the thread itself. If the dialect nests reviews, only the outer of the two turns ends. */
export function reviewing(hint: string, prompt: string): (run: TurnRun) => Promise<TurnEnd> {
  return async (run) => {
    const { items, thread } = run;
    await run.breathe();
    items.whole({ type: "enteredReviewMode", id: uuid7(), review: hint });
    const nested = thread.host.dialect.nestsReviews;
    const inner = nested ? uuid7() : run.id;
    run.host.loaded.warnOfModel(thread);
    run.begun(inner);
    const content = [{ type: "text" as const, text: prompt, text_elements: [] }];
    const own: TurnRecord = {
      id: inner,
      rootTurnId: run.id,
      ordinal: thread.record.nextOrdinal++,
      items: [],
      usage: null,
      status: "interrupted",
      error: null,
      startedAt: unixSeconds(Date.now()),
      completedAt: null,
      durationMs: null,
    };
    // In the history, the inner turn never ends.
    if (nested) thread.record.turns.splice(-1, 0, own);
    const said = { type: "userMessage" as const, id: uuid7(), clientId: null, content };
    items.start(said);
    items.complete(said, nested ? { record: own } : {});
    await tellSituation(run);
    thread.remember(message("user", [inputText(prompt)]));
    if (thread.record.preview === "") thread.record.preview = hint;
    const leave = (review: string, text: string): void => {
      items.whole({ type: "exitedReviewMode", id: uuid7(), review });
      items.whole(agentMessage(`msg_${uuid7()}`, text, null));
    };
    let answer: string | TurnEnd;
    try {
      answer = await findings(run);
    } catch (error) {
      if (!run.signal.aborted) throw error;
      leave(NO_REVIEW, INTERRUPTED);
      return { status: "interrupted" };
    }
    if (typeof answer !== "string") return answer;
    leave(answer, answer);
    return { status: "completed" };
  };
}

/** Both texts are those of the real server. */
const NO_REVIEW = "Reviewer failed to output a response.";
const INTERRUPTED = "Review was interrupted. Please re-run /review and wait for it to complete.";

/** Runs the reviewer and returns its final answer. Clients see its tool calls but not its messages. */
async function findings(run: TurnRun): Promise<string | TurnEnd> {
  const retries = new Retries(run);
  for (;;) {
    const end = await sample(run, { muted: true });
    await settleCalls(run, end.calls);
    run.signal.throwIfAborted();
    if (end.kind === "failed") {
      if (await retries.again(end.why)) continue;
      return { status: "failed", error: end.error };
    }
    if (end.kind === "completed") retries.reset();
    if (end.kind === "completed" && end.calls.length === 0) return rendered(end.text);
  }
}

/** Converts the reviewer's JSON answer to the text that the user sees. Any other answer is shown as it is. */
function rendered(text: string): string {
  let parsed: WireObject;
  try {
    parsed = JSON.parse(text) as WireObject;
  } catch {
    return text;
  }
  if (!isJsonObject(parsed)) return text;
  const { findings: found = [], overall_explanation: explanation = "" } = parsed;
  const comments = Array.isArray(found) ? found.map((each) => commentOf(each)) : [undefined];
  if (typeof explanation !== "string" || comments.includes(undefined)) return text;
  if (comments.length === 0) return explanation.trim() || NO_REVIEW;
  const heading = comments.length > 1 ? "Full review comments:" : "Review comment:";
  return [explanation.trim(), heading, comments.join("\n\n")].filter((part) => part !== "").join("\n\n");
}

/** The text of a finding, or `undefined` if it is not one. */
function commentOf(finding: unknown): string | undefined {
  if (!isJsonObject(finding)) return undefined;
  const { title, body, code_location: place } = finding;
  const range = isJsonObject(place) ? place["line_range"] : undefined;
  if (typeof title !== "string" || typeof body !== "string") return undefined;
  if (!isJsonObject(place) || !isJsonObject(range)) return undefined;
  const lines = body.split("\n").map((line) => `  ${line}`);
  const where = `${textOf(place["absolute_file_path"])}:${Number(range["start"])}-${Number(range["end"])}`;
  return `- ${title} — ${where}\n${lines.join("\n")}`;
}
