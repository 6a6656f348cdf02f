import { inputText, message } from "../context/conversation.ts";
import { COMPACTION_HANDOVER, COMPACTION_PROMPT } from "../instructions/notes.ts";
import { isUserInput } from "../records/user-input.ts";
import { requestOf, situationOf } from "./request.ts";
import { uuid7 } from "../ids.ts";
import { countUsage, tellRateLimits, tellUsage } from "../turn/usage.ts";
import { windowLimits } from "../turn/context-window.ts";
import { turnError, turnErrorOf } from "../turn/turn-errors.ts";
import type { TurnEnd, TurnRun } from "../turn/turn-run.ts";
import { wholeAnswer } from "../turn/whole-answer.ts";

/** The approximate size of the real server's instructions. */
const BASE_TOKENS = 6_000;

/** The work of a turn that only compacts the thread. */
export async function compacting(run: TurnRun): Promise<TurnEnd> {
  await run.breathe();
  const failure = await compact(run);
  return failure ?? { status: "completed" };
}

/** Compacts the thread if the last response reached the limit `compactAt`. */
export async function compactIfFull(run: TurnRun): Promise<void> {
  const { record } = run.thread;
  if (record.usage.last.totalTokens >= windowLimits(run.thread, run.settings.model).compactAt)
    await compact(run);
}

/**
 * Asks the model to summarize the conversation, and replaces it with the user's messages and the summary. Returns the
 * end of the turn if the model fails.
 */
async function compact(run: TurnRun): Promise<TurnEnd | undefined> {
  const { thread } = run;
  const id = uuid7();
  run.items.start({ type: "contextCompaction", id });
  const answer = await wholeAnswer(run, requestOf(run, [message("user", [inputText(COMPACTION_PROMPT)])]));
  if ("error" in answer) {
    const made = answer.error.details.phase !== "request";
    const error = made ? turnError("Error running remote compact task", "other") : turnErrorOf(answer.error);
    return { status: "failed", error };
  }
  const { text, usage } = answer;
  tellUsage(run);
  tellRateLimits(run);
  countUsage(run, usage);
  tellUsage(run);
  tellRateLimits(run);
  const said = thread.record.history.filter((item) => isUserInput(item));
  const summary = message("user", [inputText(`${COMPACTION_HANDOVER}\n${text}`)]);
  thread.rewrite([...situationOf(run, []), ...said, summary]);
  const totalTokens = BASE_TOKENS + Math.ceil(JSON.stringify(thread.record.history).length / 40);
  const none = {
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 0,
    reasoningOutputTokens: 0,
  };
  thread.record.usage = { ...thread.record.usage, last: { ...none, totalTokens } };
  tellUsage(run);
  tellRateLimits(run);
  run.items.complete({ type: "contextCompaction", id });
  return undefined;
}
