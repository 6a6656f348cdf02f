import { abortedMessage, inputText, message } from "../context/conversation.ts";
import { fitting, handedOver, USER_TOKENS } from "../context/handover.ts";
import { sinceModel, tokensOf, tokensOfText } from "../context/size.ts";
import { uuid7 } from "../ids.ts";
import { COMPACTION_PROMPT } from "../instructions/notes.ts";
import type { ModelUsage } from "../ports.ts";
import { instructionsOf, requestOf, situationOf } from "./request.ts";
import { refreshInstructions } from "../threads/instructions.ts";
import type { ThreadRecord } from "../records/record.ts";
import { windowLimits, type WindowLimits } from "../turn/context-window.ts";
import type { ModelError } from "../turn/model-error.ts";
import { turnErrorOf } from "../turn/turn-errors.ts";
import type { TurnEnd, TurnRun } from "../turn/turn-run.ts";
import { countUsage, fillContext, tellCounts } from "../turn/usage.ts";
import { wholeAnswer } from "../turn/whole-answer.ts";
import type { WireObject } from "../wire-object.ts";

/** The work of a turn that only compacts the thread. */
export async function compacting(run: TurnRun): Promise<TurnEnd> {
  await run.breathe();
  return (await compact(run, async () => {})) ?? { status: "completed" };
}

/**
 * Compacts the thread if it has reached its limit. If that fails, the conversation stays as it was, and the end of the
 * turn is returned. `before` is called before the turn ends because of a failure or an interrupt.
 */
export async function compactIfFull(
  run: TurnRun,
  before: () => Promise<void> = async () => {},
): Promise<TurnEnd | undefined> {
  if (usedTokens(run.thread.record) < limitsOf(run).compactAt) return undefined;
  return await compact(run, before);
}

/**
 * Asks the model for a summary, and replaces the conversation by the context, the user's last messages and the summary.
 * Items that are added meanwhile stay behind the summary.
 */
async function compact(run: TurnRun, before: () => Promise<void>): Promise<TurnEnd | undefined> {
  const { thread } = run;
  const item = { type: "contextCompaction" as const, id: uuid7() };
  run.items.start(item);
  const history = [...thread.record.history];
  let answer: Summary;
  try {
    answer = await summaryOf(run, history);
  } catch (error) {
    await before();
    if (run.signal.aborted) thread.remember(abortedMessage());
    throw error;
  }
  if ("error" in answer) {
    await before();
    return failed(run, answer.error);
  }
  countUsage(run, answer.usage);
  tellCounts(run);
  await refreshInstructions(thread);
  const { compactAt } = limitsOf(run);
  const made = handedOver({
    history,
    context: situationOf(run, []),
    summary: answer.text,
    userTokens: Math.min(USER_TOKENS, Math.floor(compactAt / 4)),
  });
  thread.rewrite([...made, ...thread.record.history.slice(history.length)]);
  estimateUsage(run);
  tellCounts(run);
  // Clients may rely on a compaction that has completed.
  await thread.flush(true);
  run.items.complete(item);
  return undefined;
}

type Summary = { readonly text: string; readonly usage: ModelUsage } | { readonly error: ModelError };

/** If the request is longer than the window, the oldest items are left out, each time about as many as before. */
async function summaryOf(run: TurnRun, history: readonly WireObject[]): Promise<Summary> {
  const prompt = message("user", [inputText(COMPACTION_PROMPT)]);
  const room = limitsOf(run).usable - tokensOfText(instructionsOf(run)) - tokensOf([prompt]);
  let kept = fitting(history, Math.max(room, 0));
  for (let dropped = 0; ;) {
    const request = requestOf(run, [...kept, prompt], { tools: false });
    const answer = await wholeAnswer(run, request, () => tellCounts(run));
    if (!("error" in answer) || kept.length === 0 || !isTooLong(answer.error)) return answer;
    const next = Math.max(1, dropped);
    kept = kept.slice(next);
    dropped += next;
  }
}

function isTooLong(error: ModelError): boolean {
  return turnErrorOf(error).codexErrorInfo === "contextWindowExceeded";
}

function failed(run: TurnRun, error: ModelError): TurnEnd {
  if (isTooLong(error)) {
    fillContext(run);
    tellCounts(run);
  }
  return { status: "failed", error: turnErrorOf(error) };
}

function limitsOf(run: TurnRun): WindowLimits {
  return windowLimits(run.thread, run.settings.model);
}

/** Until the next response, the usage of the conversation is an estimate. */
function estimateUsage(run: TurnRun): void {
  const { record } = run.thread;
  const totalTokens = tokensOfText(instructionsOf(run)) + tokensOf(record.history);
  const none = {
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 0,
    reasoningOutputTokens: 0,
  };
  record.usage = { ...record.usage, last: { ...none, totalTokens } };
}

/** About how many tokens the conversation has: as the provider reported, or an estimate if it reported none. */
function usedTokens({ usage, history }: ThreadRecord): number {
  const { totalTokens } = usage.last;
  const since = sinceModel(history);
  // The first request cannot be made shorter by a summary.
  if (totalTokens === 0 && since.length === history.length) return 0;
  return totalTokens + tokensOf(totalTokens === 0 ? history : since);
}
