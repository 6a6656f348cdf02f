import type { GuardianApprovalReview, GuardianApprovalReviewAction } from "codexwright/protocol";
import { atLeast } from "codexwright/protocol";
import { isJsonObject } from "codexwright/internal";
import { inputText, message } from "../context/conversation.ts";
import { REVIEWER_INSTRUCTIONS, reviewRequest } from "../instructions/approval-review.ts";
import { uuid7 } from "../ids.ts";
import type { ModelRequest } from "../ports.ts";
import { turnErrorOf } from "../turn/turn-errors.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import { wholeAnswer, type WholeAnswer } from "../turn/whole-answer.ts";
import type { WireObject } from "../wire-object.ts";

/** The first Codex version with `approvalsReviewer`. */
const SINCE = "0.115.0";
/** How many times the reviewer is asked if its answer cannot be read. */
const ATTEMPTS = 3;
const SCHEMA = {
  type: "object",
  additionalProperties: false,
  properties: {
    risk_level: { type: "string", enum: ["low", "medium", "high", "critical"] },
    user_authorization: { type: "string", enum: ["unknown", "low", "medium", "high"] },
    outcome: { type: "string", enum: ["allow", "deny"] },
    rationale: { type: "string" },
  },
  required: ["outcome"],
};

/** The reviewed action: `action` is sent to clients, `planned` to the reviewer. */
export interface Reviewed {
  readonly itemId: string;
  readonly action: GuardianApprovalReviewAction;
  readonly planned: WireObject;
}

type Verdict =
  | {
      readonly outcome: "allow" | "deny";
      readonly risk: string;
      readonly authorization: string;
      readonly why: string;
    }
  | { readonly failure: string };

/**
 * Whether a model decides on the turn's approvals instead of its clients. This requires the policy "on-request" or a
 * granular policy.
 */
export function isAutoReviewed(run: TurnRun): boolean {
  const { approvalPolicy, approvalsReviewer } = run.thread.settings;
  const may = approvalPolicy === "on-request" || typeof approvalPolicy === "object";
  return (
    may &&
    (run.stepReviewer ?? approvalsReviewer) === "auto_review" &&
    atLeast(run.thread.host.version, SINCE)
  );
}

/** Asks the reviewer and notifies clients. Returns the refusal for the model; `undefined` if the action is allowed. */
export async function autoReview(run: TurnRun, reviewed: Reviewed): Promise<string | undefined> {
  const { thread } = run;
  const startedAtMs = Date.now();
  const open = { startedAtMs, reviewId: uuid7(), targetItemId: reviewed.itemId, action: reviewed.action };
  const pending: GuardianApprovalReview = {
    status: "inProgress",
    riskLevel: null,
    userAuthorization: null,
    rationale: null,
  };
  run.notify("item/autoApprovalReview/started", { ...open, review: pending });
  await run.breathe();
  const verdict = await verdictOf(run, reviewed);
  const { review, warning } = toldOf(verdict);
  thread.notify("guardianWarning", { threadId: thread.id, message: warning });
  run.notify("item/autoApprovalReview/completed", {
    ...open,
    completedAtMs: Date.now(),
    decisionSource: "agent",
    review,
  });
  return refusalOf(verdict);
}

function toldOf(verdict: Verdict): { readonly review: GuardianApprovalReview; readonly warning: string } {
  if ("failure" in verdict) {
    const warning = failed(verdict.failure);
    return {
      review: { status: "denied", riskLevel: null, userAuthorization: null, rationale: warning },
      warning,
    };
  }
  const { outcome, risk, authorization, why } = verdict;
  const status = outcome === "allow" ? "approved" : "denied";
  return {
    review: {
      status,
      riskLevel: risk as GuardianApprovalReview["riskLevel"],
      userAuthorization: authorization as GuardianApprovalReview["userAuthorization"],
      rationale: why,
    },
    warning: `Automatic approval review ${status} (risk: ${risk}, authorization: ${authorization}): ${why}`,
  };
}

function refusalOf(verdict: Verdict): string | undefined {
  if ("failure" in verdict) {
    return `${failed(verdict.failure)}\nThe action was not executed because automatic approval review could not be completed. This is a review failure, not a determination that the action is unsafe. Do not bypass the approval check; resolve the error or ask the user for guidance.`;
  }
  if (verdict.outcome === "allow") return undefined;
  return `This action was rejected due to unacceptable risk.\nReason: ${verdict.why}\nThe agent must not attempt to achieve the same outcome via workaround, indirect execution, or policy circumvention. Proceed only with a materially safer alternative, or if the user explicitly approves the action after being informed of the risk. Otherwise, stop and request user input.`;
}

function failed(reason: string): string {
  return `Automatic approval review failed: ${reason}`;
}

async function verdictOf(run: TurnRun, reviewed: Reviewed): Promise<Verdict> {
  const threadId = uuid7();
  let verdict: Verdict = { failure: "" };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const answer = await wholeAnswer(run, requestOf(run, reviewed, threadId));
    verdict = readVerdict(answer);
    if (!("failure" in verdict)) break;
    // The provider could not build the request, so a retry would fail in the same way.
    if ("error" in answer && answer.error.details.phase === "request") break;
  }
  return verdict;
}

function requestOf(run: TurnRun, { planned }: Reviewed, thread: string): ModelRequest {
  const { originator } = run.thread.record;
  return {
    model: run.settings.model,
    instructions: REVIEWER_INSTRUCTIONS,
    input: [message("user", [inputText(reviewRequest(planned))])],
    tools: [],
    outputSchema: { schema: SCHEMA, strict: false },
    ...(originator !== null && { originator }),
    ids: { thread },
  };
}

function readVerdict(answer: WholeAnswer): Verdict {
  if ("error" in answer && answer.error.details.phase !== "stream") {
    return { failure: turnErrorOf(answer.error).message };
  }
  let said: unknown;
  try {
    said = JSON.parse("error" in answer ? "" : answer.text);
  } catch {
    return { failure: "guardian assessment was not valid JSON" };
  }
  if (!isJsonObject(said)) return { failure: "guardian assessment was not valid JSON" };
  const { outcome, risk_level: risk, user_authorization: authorization, rationale } = said;
  if (outcome !== "allow" && outcome !== "deny") return { failure: "missing field `outcome`" };
  const allows = outcome === "allow";
  return {
    outcome,
    risk: typeof risk === "string" ? risk : allows ? "low" : "high",
    authorization: typeof authorization === "string" ? authorization : "unknown",
    why:
      typeof rationale === "string"
        ? rationale
        : allows
          ? "Auto-review returned a low-risk allow decision."
          : "Auto-review returned a deny decision without a rationale.",
  };
}
