import type { BudgetReader, Deadline } from "../limits.ts";
import type { SessionReader } from "../session/session.ts";
import type { ToolRecord } from "./policy.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";

/** A tool call that has succeeded. */
export interface AfterToolCall {
  readonly tool: string;
  readonly input: unknown;
  readonly output: unknown;
  /** The finished calls of this run, in order. This call is the last. */
  readonly history: readonly ToolRecord[];
  readonly session: SessionReader;
  readonly deadline: Deadline | undefined;
  readonly budget: BudgetReader | undefined;
}

/**
 * Called after each successful call to a tool of the application. The returned text is appended to the tool result for
 * the model.
 */
export type AfterTool = (call: AfterToolCall) => string | undefined | Promise<string | undefined>;

/** Options of `deadlineNudge()`. */
export interface DeadlineNudgeOptions {
  /** Remaining time below which the model is reminded. Default 60,000. */
  readonly belowMs?: number | undefined;
}

const NUDGE: Table<DeadlineNudgeOptions> = { belowMs: is.milliseconds };

/** Reminds the model to finish when the deadline of the run is near. */
export function deadlineNudge(options: DeadlineNudgeOptions = {}): AfterTool {
  checkOptions("deadlineNudge()", options, NUDGE);
  const { belowMs = 60_000 } = options;
  return ({ deadline }) => {
    const left = deadline?.remainingMs() ?? Infinity;
    if (left > belowMs) return undefined;
    return `About ${Math.max(0, Math.round(left / 1000))} seconds are left before the deadline. Finish the most important work and answer.`;
  };
}
