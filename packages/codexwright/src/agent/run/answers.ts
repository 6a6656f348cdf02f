import {
  ApprovalRequiredError,
  ElicitationRequiredError,
  isApprovalDecision,
  PermissionsRequiredError,
  serverRequestHandler,
  type ApprovalDecision,
  type ApprovalRequest,
  type ServerRequest,
} from "../../client/index.ts";
import { messageOf } from "../../schema/schema.ts";
import { CallMemory } from "../../tools/call-memory.ts";
import type { DynamicToolCallParams, DynamicToolCallResponse, ThreadItem } from "../../protocol/index.ts";
import type { CodexError } from "../../rpc/errors.ts";
import { onAbort } from "../../rpc/on-abort.ts";
import { GRACE_MS, settledWithin, type Clock } from "../clock.ts";
import { AnswerRequiredError, type UnansweredRequest } from "../errors.ts";
import type { ToolRunner } from "../tools/tool-runner.ts";
import type { AskedApproval } from "./events.ts";
import type { AgentOptions } from "./options.ts";
import type { RunRecorder } from "./recorder.ts";
import type { Answerer } from "./request-router.ts";

/** Everything that `answererOf` needs. */
export interface AnswerPlan {
  readonly agent: AgentOptions;
  readonly runner: ToolRunner;
  readonly recorder: RunRecorder;
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal;
  readonly promptId: string;
  readonly clock: Clock;
  /** Stops the run with this error, because a handler option is `"fail"`. */
  readonly fail: (error: AnswerRequiredError) => void;
  /** Ends the turn, because the model asked to expand sections. */
  readonly onExpansion: () => Promise<void>;
  readonly itemOf: (turnId: string, itemId: string) => ThreadItem | undefined;
  /** True if approvals on this thread are accepted when there is no handler. */
  readonly acceptsUnasked: (threadId: string) => boolean;
}

/** Answers server requests for the threads of a run. */
export function answererOf(plan: AnswerPlan): Answerer {
  const memory = new CallMemory<DynamicToolCallResponse>();
  return {
    answer: async (method, params, request) => answered(plan, method, params, request),
    callTool: async (params, request) => memory.once(params, async () => called(plan, params, request)),
  };
}

/** Answers one request. If that fails the run, the turn ends before the server receives the refusal. */
async function answered(
  plan: AnswerPlan,
  method: string,
  params: unknown,
  request: Pick<ServerRequest, "signal">,
): Promise<unknown> {
  const { agent, recorder, itemOf, acceptsUnasked, clock } = plan;
  const { onApproval, onPermissions, onUserInput, onElicitation } = agent;
  let hasFailed = false;
  const answer = serverRequestHandler(
    {
      onApproval: onApproval === "fail" ? "fail" : async (asked) => decided(plan, asked, onApproval),
      ...(onPermissions && { onPermissions }),
      ...(onUserInput && { onUserInput }),
      ...(onElicitation && { onElicitation }),
    },
    {
      acceptsUnasked,
      warn: (_, message, cause) =>
        recorder.warn(cause === undefined ? message : `${message}: ${messageOf(cause)}`),
      failTurn: (threadId, turnId, error) => {
        hasFailed = true;
        plan.fail(answerRequired(error, { method, params, threadId, turnId }, plan.promptId));
      },
      itemOf: (_, turnId, itemId) => itemOf(turnId, itemId),
    },
  );
  const refusal = await answer(method, params, request);
  if (hasFailed) {
    // The signal aborts when the turn has ended. Then the answer is no longer sent: after a refusal, the server might
    // call the model once more for nothing.
    await settledWithin(aborted(request.signal), GRACE_MS, clock);
  }
  return refusal;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise<void>((resolve) => onAbort(signal, resolve));
}

/** Converts the error of a handler option that is `"fail"`. */
function answerRequired(
  error: CodexError,
  asked: Omit<UnansweredRequest, "kind">,
  promptId: string,
): AnswerRequiredError {
  const details = { promptId, cause: error };
  if (error instanceof ApprovalRequiredError)
    return new AnswerRequiredError(error.code, { kind: error.request.kind, ...asked }, details);
  if (error instanceof PermissionsRequiredError)
    return new AnswerRequiredError(error.code, { kind: "permissions", ...asked }, details);
  if (error instanceof ElicitationRequiredError)
    return new AnswerRequiredError(error.code, { kind: "elicitation", ...asked }, details);
  return new AnswerRequiredError("input_required", { kind: "userInput", ...asked }, details);
}

async function called(
  { runner, recorder, signal, onExpansion }: AnswerPlan,
  params: DynamicToolCallParams,
  request: ServerRequest,
): Promise<DynamicToolCallResponse> {
  const { reply, event, expansion } = await runner.call(params, AbortSignal.any([request.signal, signal]));
  const { threadId, turnId } = params;
  recorder.emit(event, { threadId, turnId });
  // End the turn before the answer is sent. Otherwise the server might call the model once more for nothing.
  if (expansion) await onExpansion();
  return reply;
}

async function decided(
  { recorder, acceptsUnasked }: AnswerPlan,
  request: ApprovalRequest,
  onApproval: Exclude<AgentOptions["onApproval"], "fail">,
): Promise<ApprovalDecision> {
  const { signal: _, ...asked } = request;
  const { threadId, turnId } = request;
  const tell = (decision: ApprovalDecision): void =>
    recorder.emit({ type: "approval", request: asked as AskedApproval, decision }, { threadId, turnId });
  try {
    const unasked = (): ApprovalDecision => (acceptsUnasked(threadId) ? "accept" : "decline");
    const decision = onApproval ? await onApproval(request) : unasked();
    tell(isApprovalDecision(request.kind, decision) ? decision : "decline");
    return decision;
  } catch (error) {
    tell("decline");
    throw error;
  }
}
