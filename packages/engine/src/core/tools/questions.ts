import type { ToolRequestUserInputQuestion } from "codexwright/protocol";
import { REQUEST_USER_INPUT } from "../instructions/tool-specs.ts";
import type { WireObject } from "../wire-object.ts";
import { askWaiting } from "../approvals/ask.ts";
import type { CallOutcome, ToolCall, ToolHandler } from "./tool-handler.ts";
import type { TurnRun } from "../turn/turn-run.ts";

/** The tool by which the model asks the user questions. */
export const requestUserInput: ToolHandler<TurnRun> = {
  name: "request_user_input",
  parallel: false,
  spec: () => REQUEST_USER_INPUT,
  run: (call, run) => askUser(run, call),
};

/** Asks the user the model's questions. The questions are not an item of the turn. */
async function askUser(run: TurnRun, { callId, input }: ToolCall): Promise<CallOutcome> {
  const asked = Array.isArray(input["questions"]) ? (input["questions"] as WireObject[]) : [];
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
    itemId: callId,
    questions,
    isBlocking: false,
    autoResolutionMs: null,
  });
  return { output: JSON.stringify({ answers: answer?.answers ?? {} }) };
}
