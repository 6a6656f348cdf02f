import { compactIfFull } from "./compaction.ts";
import { abortedMessage, userMessage } from "../context/conversation.ts";
import { imagePath, readImage } from "../images/image-file.ts";
import { uuid7 } from "../ids.ts";
import { requestOf, tellSituation } from "./request.ts";
import { failedBy, Sampling, type SamplingEnd } from "./sampling.ts";
import { settleCalls, type RunningCall } from "./running-calls.ts";
import type { ModelUsage } from "../ports.ts";
import type { TurnInput } from "../threads/running-turn.ts";
import { mcpStarted } from "../tools/mcp-tools.ts";
import { Retries } from "../turn/retries.ts";
import type { TurnEnd, TurnRun } from "../turn/turn-run.ts";
import { countRequest } from "../turn/request-limit.ts";
import { countUsage, fillContext, tellCounts } from "../turn/usage.ts";
import { watchedStream } from "../turn/watched-stream.ts";
import { skillMessages } from "./skills.ts";
import { shown } from "./user-input.ts";

/** The work of an ordinary turn. Asks the model until it calls no more tools. */
export function answering(input: TurnInput): (run: TurnRun) => Promise<TurnEnd> {
  return async (run) => {
    // The input is part of the conversation, also if the compaction fails.
    const failure = await compactIfFull(run, () => hear(run, input));
    if (failure) return failure;
    try {
      await hear(run, input);
      return await converse(run);
    } finally {
      rememberInjected(run);
    }
  };
}

/** Answers input that arrived when the work of a turn had just ended. */
export async function goingOn(run: TurnRun): Promise<TurnEnd> {
  for (const input of run.steered.splice(0)) await hear(run, input);
  return await converse(run);
}

/** Asks the model, runs the tools that it calls, and asks again with their results. */
async function converse(run: TurnRun): Promise<TurnEnd> {
  const retries = new Retries(run);
  await mcpStarted(run);
  aborted(run, false);
  for (;;) {
    const end = await sample(run);
    if (end.kind === "completed") {
      retries.reset();
      const { cancelled } = await finished(run, end.usage, end.calls);
      if (cancelled) return { status: "interrupted" };
      const isHeard = run.steered.length === 0 && run.injected.length === 0;
      if (end.calls.length === 0 && isHeard) return { status: "completed" };
      const failure = await compactIfFull(run);
      if (failure) return failure;
    } else {
      // The calls of a response that broke off are in the conversation, so their outputs must be, too.
      const { cancelled } = await brokenOff(run, end.calls);
      if (cancelled) return { status: "interrupted" };
      if (end.kind === "failed") {
        if (!(await retries.again(end.why, () => end.heard && tellCounts(run)))) return failed(run, end);
        continue;
      }
      if (end.heard) tellCounts(run);
    }
    rememberInjected(run);
    for (const input of run.steered.splice(0)) await hear(run, input);
  }
}

function rememberInjected(run: TurnRun): void {
  for (const item of run.injected.splice(0)) run.thread.remember(item);
}

function failed(run: TurnRun, end: Extract<SamplingEnd, { kind: "failed" }>): TurnEnd {
  if (end.heard || end.why.details.reason === "usage_limit_reached" || isFull(end)) tellCounts(run);
  if (isFull(end)) {
    fillContext(run);
    tellCounts(run);
  }
  return { status: "failed", error: end.error };
}

/** Sends one request to the model and reads the response. */
async function sample(run: TurnRun): Promise<SamplingEnd> {
  await run.breathe();
  const tooMany = countRequest(run);
  if (tooMany) return { ...failedBy(tooMany, false), calls: [] };
  const sampling = new Sampling(run);
  run.sampling = sampling;
  run.stepReviewer = run.reviewer;
  try {
    return await sampling.read(watchedStream(run.thread.host, requestOf(run), sampling.signal));
  } catch (error) {
    await settleCalls(run, sampling.calls);
    if (run.signal.aborted) {
      run.thread.remember(abortedMessage());
      if (sampling.open) tellCounts(run);
    }
    throw error;
  } finally {
    run.sampling = undefined;
  }
}

/** Waits for the tool calls of a response, and reports its token usage. */
async function finished(
  run: TurnRun,
  usage: ModelUsage,
  calls: readonly RunningCall[],
): Promise<{ readonly cancelled: boolean }> {
  // Count now, so that a client that resumes the thread while a tool call is still running gets the new usage.
  countUsage(run, usage);
  await run.thread.host.pace.step();
  const { cancelled } = await settleCalls(run, calls);
  tellCounts(run, true);
  aborted(run, cancelled);
  const diff = run.diff.diff();
  if (diff !== "") run.notify("turn/diff/updated", { diff });
  return { cancelled };
}

/** Waits for the tool calls of a response that did not complete. */
async function brokenOff(
  run: TurnRun,
  calls: readonly RunningCall[],
): Promise<{ readonly cancelled: boolean }> {
  if (calls.length === 0) return { cancelled: false };
  const { cancelled } = await settleCalls(run, calls);
  aborted(run, cancelled);
  return { cancelled };
}

/** Tells the model if the user ended the turn. Throws if the user interrupted it. */
function aborted(run: TurnRun, cancelled: boolean): void {
  if (cancelled || run.signal.aborted) run.thread.remember(abortedMessage());
  run.signal.throwIfAborted();
}

/** Adds the user's input to the turn and to the conversation. */
async function hear(run: TurnRun, { input, clientId }: TurnInput): Promise<void> {
  const { record } = run.thread;
  await tellSituation(run);
  const content = input.map((part) => shown(part));
  if (content.length === 0) return;
  if (record.preview === "" && !record.ephemeral) {
    record.preview = content
      .map((part) => (part.type === "text" ? part.text : ""))
      .join("")
      .trim();
  }
  run.items.whole({ type: "userMessage", id: uuid7(), clientId, content });
  const { files, platform } = run.host;
  const place = { paths: platform.paths, cwd: run.cwd };
  run.thread.remember(await userMessage(input, (path) => readImage(imagePath(path, place), files)));
  run.thread.remember(...(await skillMessages(run.thread, input)));
}

function isFull(end: Extract<SamplingEnd, { kind: "failed" }>): boolean {
  return end.error.codexErrorInfo === "contextWindowExceeded";
}
