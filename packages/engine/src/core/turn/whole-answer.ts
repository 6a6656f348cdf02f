import { ModelError } from "./model-error.ts";
import { messageText } from "./output-items.ts";
import type { ModelRequest, ModelUsage } from "../ports.ts";
import type { TurnRun } from "./turn-run.ts";

/** The model's last message and its token usage, or the error that prevented an answer. */
export type WholeAnswer =
  | { readonly text: string; readonly usage: ModelUsage }
  | { readonly error: ModelError };

/** Asks the model for a whole answer, without notifications for its parts. Rejects if the turn is interrupted. */
export async function wholeAnswer(run: TurnRun, request: ModelRequest): Promise<WholeAnswer> {
  let text = "";
  try {
    for await (const event of run.thread.host.provider.stream(request, run.signal)) {
      if (event.type === "itemDone" && event.item["type"] === "message") text = messageText(event.item);
      if (event.type === "completed") return { text, usage: event.usage };
    }
  } catch (error) {
    if (run.signal.aborted || !(error instanceof ModelError)) throw error;
    return { error };
  }
  return { error: new ModelError("stream closed before response.completed", { phase: "stream" }) };
}
