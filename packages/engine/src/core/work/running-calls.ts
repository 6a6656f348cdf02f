import { cutOutput } from "../context/budget.ts";
import { uuid7 } from "../ids.ts";
import { CALL_ABORTED } from "../instructions/notes.ts";
import type { CallOutcome } from "../tools/tool-handler.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** A running tool call of the model. */
export interface RunningCall {
  readonly callId: string;
  /** Whether the model wrote the arguments as plain text. The output must then be of the same kind. */
  readonly custom: boolean;
  readonly outcome: Promise<CallOutcome>;
}

/** Waits for tool calls, and adds their outputs to the conversation in the order of the calls. */
export async function settleCalls(
  run: TurnRun,
  calls: readonly RunningCall[],
): Promise<{ readonly cancelled: boolean }> {
  let cancelled = false;
  const outcomes = await Promise.allSettled(calls.map(({ outcome }) => outcome));
  for (const [at, outcome] of outcomes.entries()) {
    const call = calls[at];
    if (outcome.status === "fulfilled" && outcome.value.cancelled) cancelled = true;
    run.thread.remember({
      type: call?.custom === true ? "custom_tool_call_output" : "function_call_output",
      id: `fco_${uuid7()}`,
      call_id: call?.callId,
      output: outcome.status === "fulfilled" ? cutOutput(outcome.value.output) : CALL_ABORTED,
    });
  }
  return { cancelled };
}
