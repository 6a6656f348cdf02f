import type { ApprovalDecision, ApprovalRequest, TurnUsage } from "../../client/index.ts";
import type { SchemaIssue } from "../../schema/index.ts";

import type { MessagePhase } from "../../protocol/index.ts";
import type { AgentPhase } from "../phase.ts";
import type { ExpansionRequest } from "../prompt/expansion.ts";
import type { OutlineEntry } from "../prompt/prompt.ts";
import type { ToolInvoked, ToolOrigin } from "../tools/tool-invoked.ts";

/** What every event of a run says it comes from. */
export const ADAPTER = "codex_app_server";

/** A tool as the model was told of it. */
export interface RenderedTool {
  /** With its namespace, where it has one. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** Why a run failed, as JSON. */
export interface RunFailure {
  readonly code: string;
  readonly phase: AgentPhase;
  readonly message: string;
  readonly retryable: boolean;
  /** Of `output_invalid`: what the answer does not match; the first 20. */
  readonly issues?: readonly SchemaIssue[];
}

/** An approval as it was asked for. */
export type AskedApproval = ApprovalRequest extends infer R
  ? R extends ApprovalRequest
    ? Omit<R, "signal">
    : never
  : never;

/** What happened, without when and where. */
export type AgentEventBody =
  /** The prompt was rendered: once, and again after each expansion. */
  | {
      readonly type: "prompt.rendered";
      readonly text: string;
      readonly tools: readonly RenderedTool[];
      readonly outline: readonly OutlineEntry[];
    }
  /** The thread is there. `reason` says why it is not the stored one, where one was asked for. */
  | { readonly type: "thread.started"; readonly reused: boolean; readonly reason?: string }
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
  /** Tokens of the thread and its sub-agents: since the last of these events, and of the run so far. */
  | { readonly type: "usage"; readonly delta: TurnUsage; readonly total: TurnUsage }
  /** The server asks the model again. */
  | { readonly type: "retrying"; readonly attempt: number; readonly message: string }
  | { readonly type: "prompt.expanded"; readonly request: ExpansionRequest }
  /** The work is not complete, or the answer not valid: the model was told so, and goes on. */
  | {
      readonly type: "prompt.continued";
      readonly reason: "completion" | "output";
      readonly feedback: string;
    }
  /** What a tool logs for whoever watches. */
  | { readonly type: "tool.log"; readonly name: string; readonly message: string; readonly data?: unknown }
  | { readonly type: "warning"; readonly message: string }
  /** The end of the run: exactly once, and last. */
  | {
      readonly type: "prompt.executed";
      readonly usage: TurnUsage;
      readonly result?: { readonly text: string; readonly output: unknown };
      readonly error?: RunFailure;
    };

/** Where and when an event happened. */
export interface EventStamp {
  readonly adapter: typeof ADAPTER;
  readonly runId: string;
  readonly promptId: string;
  readonly threadId?: string;
  readonly turnId?: string;
  /** Counts from 0 without gaps. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Something that happened in a run; tell them apart by `type`. */
export type AgentEvent = AgentEventBody & EventStamp;
