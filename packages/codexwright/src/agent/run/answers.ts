import {
  isApprovalDecision,
  serverRequestHandler,
  type ApprovalDecision,
  type ApprovalRequest,
  type ServerRequest,
} from "../../client/index.ts";
import { messageOf } from "../../schema/schema.ts";
import { CallMemory } from "../../tools/call-memory.ts";
import type { DynamicToolCallParams, DynamicToolCallResponse, ThreadItem } from "../../protocol/index.ts";
import type { CodexError } from "../../rpc/errors.ts";
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
  /** Fails the run with this error, for example because `onUserInput` is `"fail"`. */
  readonly fail: (error: CodexError) => void;
  /** Ends the turn, because the model asked to expand sections. */
  readonly onExpansion: () => Promise<void>;
  readonly itemOf: (turnId: string, itemId: string) => ThreadItem | undefined;
  /** True if approvals on this thread are accepted when there is no handler. */
  readonly acceptsUnasked: (threadId: string) => boolean;
}

/** Answers server requests for the threads of a run. */
export function answererOf(plan: AnswerPlan): Answerer {
  const { agent, recorder, fail, itemOf, acceptsUnasked } = plan;
  const { onPermissions, onUserInput, onElicitation } = agent;
  const memory = new CallMemory<DynamicToolCallResponse>();
  const answer = serverRequestHandler(
    {
      onApproval: async (request) => decided(plan, request),
      ...(onPermissions && { onPermissions }),
      ...(onUserInput && { onUserInput }),
      ...(onElicitation && { onElicitation }),
    },
    {
      acceptsUnasked,
      warn: (_, message, cause) =>
        recorder.warn(cause === undefined ? message : `${message}: ${messageOf(cause)}`),
      failTurn: (_, __, error) => fail(error),
      itemOf: (_, turnId, itemId) => itemOf(turnId, itemId),
    },
  );
  return {
    answer,
    callTool: async (params, request) => memory.once(params, async () => called(plan, params, request)),
  };
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
  { agent, recorder, acceptsUnasked }: AnswerPlan,
  request: ApprovalRequest,
): Promise<ApprovalDecision> {
  const { signal: _, ...asked } = request;
  const { threadId, turnId } = request;
  const tell = (decision: ApprovalDecision): void =>
    recorder.emit({ type: "approval", request: asked as AskedApproval, decision }, { threadId, turnId });
  try {
    const unasked = (): ApprovalDecision => (acceptsUnasked(threadId) ? "accept" : "decline");
    const decision = agent.onApproval ? await agent.onApproval(request) : unasked();
    tell(isApprovalDecision(request.kind, decision) ? decision : "decline");
    return decision;
  } catch (error) {
    tell("decline");
    throw error;
  }
}
