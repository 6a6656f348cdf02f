import type { ApprovalDecision, ApprovalRequest, TurnUsage } from "../../client/index.ts";
import type { SchemaIssue } from "../../schema/index.ts";

import type { MessagePhase } from "../../protocol/index.ts";
import type { AgentPhase } from "../phase.ts";
import type { ExpansionRequest } from "../prompt/expansion.ts";
import type { OutlineEntry } from "../prompt/prompt.ts";
import type { ToolInvoked, ToolOrigin } from "../tools/tool-invoked.ts";

/** The `adapter` value of every event. */
export const ADAPTER = "codex_app_server";

/** A tool as it was described to the model. */
export interface RenderedTool {
  /** Includes the namespace, if the tool has one. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** The failure of a run, as JSON. */
export interface RunFailure {
  readonly code: string;
  readonly phase: AgentPhase;
  readonly message: string;
  readonly retryable: boolean;
  /** For `output_invalid`: the first 20 schema issues of the answer. */
  readonly issues?: readonly SchemaIssue[];
}

/** An approval request, without its signal. */
export type AskedApproval = ApprovalRequest extends infer R
  ? R extends ApprovalRequest
    ? Omit<R, "signal">
    : never
  : never;

/** The content of an event, without its stamp. */
export type AgentEventBody =
  /** The prompt was rendered: once at the start, and again after each expansion. */
  | {
      readonly type: "prompt.rendered";
      readonly text: string;
      readonly tools: readonly RenderedTool[];
      readonly outline: readonly OutlineEntry[];
    }
  /** The thread is ready. If a stored thread was requested but not reused, `reason` explains why. */
  | { readonly type: "thread.started"; readonly reused: boolean; readonly reason?: string }
  /** A turn has started. The `turnId` of the event is its id. */
  | { readonly type: "turn.started" }
  | { readonly type: "text.delta"; readonly itemId: string; readonly delta: string }
  | {
      readonly type: "message";
      readonly itemId: string;
      readonly phase: MessagePhase | undefined;
      readonly text: string;
    }
  | { readonly type: "reasoning"; readonly itemId: string; readonly text: string }
  | {
      readonly type: "tool.started";
      readonly origin: ToolOrigin;
      readonly name: string;
      readonly callId: string;
      readonly params: unknown;
    }
  | ToolInvoked
  | { readonly type: "approval"; readonly request: AskedApproval; readonly decision: ApprovalDecision }
  /**
   * Token usage of the thread and its sub-agents: `delta` since the previous usage event, `total` since the start of
   * the run.
   */
  | { readonly type: "usage"; readonly delta: TurnUsage; readonly total: TurnUsage }
  /** The model is called again after an error. */
  | { readonly type: "retrying"; readonly attempt: number; readonly message: string }
  | { readonly type: "prompt.expanded"; readonly request: ExpansionRequest }
  /** The work was incomplete or the answer invalid. The model received feedback and continues. */
  | {
      readonly type: "prompt.continued";
      readonly reason: "completion" | "output";
      readonly feedback: string;
    }
  /** A log message of a tool, for observers of the run. */
  | { readonly type: "tool.log"; readonly name: string; readonly message: string; readonly data?: unknown }
  | { readonly type: "warning"; readonly message: string }
  /** The end of the run: emitted exactly once, as the last event. */
  | {
      readonly type: "prompt.executed";
      readonly usage: TurnUsage;
      readonly result?: {
        readonly text: string;
        readonly output: unknown;
        /** Set if the completion check reached its limit. */
        readonly limitReached?: true;
      };
      readonly error?: RunFailure;
    };

/** The run, thread, turn and time of an event. */
export interface EventStamp {
  readonly adapter: typeof ADAPTER;
  readonly runId: string;
  readonly promptId: string;
  readonly threadId?: string;
  readonly turnId?: string;
  /** Counts from 0 without gaps. Joined deltas have the number of the first of them. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An event of a run, discriminated by `type`. */
export type AgentEvent = AgentEventBody & EventStamp;
