import type { BudgetReader, Deadline } from "../limits.ts";
import type { SessionReader } from "../session/session.ts";
import type { ToolRecord } from "./policy.ts";
import * as is from "../../rpc/options/check.ts";
import { checkOptions, type Table } from "../../rpc/options/table.ts";

/** A call that has succeeded. */
export interface AfterToolCall {
  readonly tool: string;
  readonly input: unknown;
  readonly output: unknown;
  /** The calls of this run that have ended, in order, this one last. */
  readonly history: readonly ToolRecord[];
  readonly session: SessionReader;
  readonly deadline: Deadline | undefined;
  readonly budget: BudgetReader | undefined;
}

/** Called after each tool of the application's that succeeded; what it returns is added to what the model is told. */
export type AfterTool = (call: AfterToolCall) => string | undefined | Promise<string | undefined>;

/** What `deadlineNudge()` takes. */
export interface DeadlineNudgeOptions {
  /** The time left from which on the model is told; default 60,000. */
  readonly belowMs?: number | undefined;
}

const NUDGE: Table<DeadlineNudgeOptions> = { belowMs: is.milliseconds };

/** Tells the model to come to an end when the run's deadline is near. */
export function deadlineNudge(options: DeadlineNudgeOptions = {}): AfterTool {
  checkOptions("deadlineNudge()", options, NUDGE);
  const { belowMs = 60_000 } = options;
  return ({ deadline }) => {
    const left = deadline?.remainingMs() ?? Infinity;
    if (left > belowMs) return undefined;
    return `About ${Math.max(0, Math.round(left / 1000))} seconds are left before the deadline. Finish the most important work and answer.`;
  };
}
