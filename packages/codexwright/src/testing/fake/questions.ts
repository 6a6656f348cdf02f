import type { ToolRequestUserInputQuestion, ToolRequestUserInputResponse } from "../../protocol/index.ts";
import type { WireObject } from "../model-request.ts";
import type { CallOutcome, ToolCall } from "./calls.ts";
import { untilInterrupted } from "./dynamic-tools.ts";
import type { TurnRun } from "./turn-run.ts";

/** Questions to the user; there is no item for them. */
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
  const release = run.thread.wait("waitingOnUserInput");
  let answers: ToolRequestUserInputResponse["answers"] = {};
  try {
    const request = run.thread.channel.request(
      "item/tool/requestUserInput",
      {
        threadId: run.thread.id,
        turnId: run.id,
        itemId: call.callId,
        questions,
        isBlocking: false,
        autoResolutionMs: null,
      },
      { signal: run.over },
    );
    answers = (await untilInterrupted(run, request)).answers ?? {};
  } catch {
    // The model is told that there was no answer.
    run.signal.throwIfAborted();
  }
  release();
  return { output: JSON.stringify({ answers }) };
}
