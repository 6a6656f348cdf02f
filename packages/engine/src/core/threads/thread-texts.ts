import type { ThreadForkParams, ThreadResumeParams, ThreadStartParams } from "codexwright/protocol";
import { ResponseError } from "codexwright/rpc";

/** How long the texts in the first record of a thread may be together. */
const MOST_TEXT = 8 * 1024 * 1024;

/** Throws if a client sets texts for the first record of a thread that are so long that it could not be read again. */
export function checkTexts(params: ThreadStartParams | ThreadResumeParams | ThreadForkParams): void {
  const { baseInstructions, developerInstructions, cwd } = params;
  const tools = "dynamicTools" in params ? JSON.stringify(params.dynamicTools ?? []).length : 0;
  const texts = [baseInstructions, developerInstructions, cwd];
  if (texts.reduce((sum, text) => sum + (text?.length ?? 0), tools) <= MOST_TEXT) return;
  throw new ResponseError(
    -32602,
    `The instructions and dynamic tools of a thread exceed the maximum length of ${MOST_TEXT} characters.`,
  );
}
