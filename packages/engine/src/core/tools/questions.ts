import type { ToolRequestUserInputQuestion } from "codexwright/protocol";
import type { WireObject } from "../wire-object.ts";
import { askWaiting } from "../approvals/ask.ts";
import type { CallOutcome, ToolCall } from "./tool-call.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** Asks the user the model's questions. The questions are not an item of the turn. */
export async function requestUserInput(run: TurnRun, call: ToolCall, args: WireObject): Promise<CallOutcome> {
  const asked = Array.isArray(args["questions"]) ? (args["questions"] as WireObject[]) : [];
  const questions = asked.map(
    (question) =>
      ({
        isOther: true,
        isSecret: false,
        options: null,
        ...question,
      }) as unknown as ToolRequestUserInputQuestion,
  );
  const answer = await askWaiting(run, "waitingOnUserInput", "item/tool/requestUserInput", {
    threadId: run.thread.id,
    turnId: run.id,
    itemId: call.callId,
    questions,
    isBlocking: false,
    autoResolutionMs: null,
  });
  return { output: JSON.stringify({ answers: answer?.answers ?? {} }) };
}
