import { cutError, ModelError } from "./model-error.ts";
import { messageText } from "./output-items.ts";
import { countRequest } from "./request-limit.ts";
import { Retries } from "./retries.ts";
import type { ModelRequest, ModelUsage } from "../ports.ts";
import type { TurnRun } from "./turn-run.ts";
import { watchedStream } from "./watched-stream.ts";

/** The model's last message and its token usage, or the error that prevented an answer. */
export type WholeAnswer =
  | { readonly text: string; readonly usage: ModelUsage }
  | { readonly error: ModelError };

/**
 * Asks the model for a whole answer, without notifications for its parts. Repeats a failed request like any other
 * request of the turn. Rejects if the turn is interrupted. `begun` is called when the model begins to answer.
 */
export async function wholeAnswer(
  run: TurnRun,
  request: ModelRequest,
  begun: () => void = () => {},
): Promise<WholeAnswer> {
  const retries = new Retries(run);
  for (;;) {
    const answer = await oneAnswer(run, request, begun);
    if (!("error" in answer) || !(await retries.again(answer.error))) return answer;
  }
}

async function oneAnswer(run: TurnRun, request: ModelRequest, begun: () => void): Promise<WholeAnswer> {
  const tooMany = countRequest(run);
  if (tooMany) return { error: tooMany };
  let text = "";
  let open = false;
  try {
    for await (const event of watchedStream(run.thread.host, request, run.signal)) {
      if (!open) begun();
      open = true;
      if (event.type === "itemDone" && event.item["type"] === "message") text = messageText(event.item);
      if (event.type === "completed") return { text, usage: event.usage };
    }
  } catch (error) {
    if (run.signal.aborted || !(error instanceof ModelError)) throw error;
    return { error };
  }
  return { error: cutError() };
}
