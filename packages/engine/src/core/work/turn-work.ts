import type { TurnError, UserInput } from "codexwright/protocol";
import { compactIfFull } from "../context/compaction.ts";
import { abortedMessage, requestOf, userMessage } from "../context/conversation.ts";
import { uuid7 } from "../ids.ts";
import { Sampling, type RunningCall, type SamplingEnd, type SamplingOptions } from "./sampling.ts";
import type { ModelUsage } from "../ports.ts";
import type { TurnInput } from "../threads/running-turn.ts";
import type { TurnEnd, TurnRun } from "../turn/turn-run.ts";
import { countUsage, fillContext, tellRateLimits, tellUsage } from "../turn/usage.ts";

/** The work of an ordinary turn. Asks the model until it calls no more tools. */
export function answering(input: TurnInput): (run: TurnRun) => Promise<TurnEnd> {
  return async (run) => {
    await compactIfFull(run);
    hear(run, input);
    return await converse(run);
  };
}

/** Asks the model, runs the tools that it calls, and asks again with their results. */
export async function converse(run: TurnRun): Promise<TurnEnd> {
  for (let attempt = 1; ;) {
    const end = await sample(run);
    if (end.kind === "failed") {
      if (end.heard && isBroken(end) && attempt <= run.thread.host.streamRetries) {
        tellRateLimits(run);
        reconnecting(run, end.error, attempt++);
        continue;
      }
      if (isFull(end)) fillContext(run);
      if (end.heard || end.error.codexErrorInfo === "usageLimitExceeded") tellRateLimits(run);
      return { status: "failed", error: end.error };
    }
    if (end.kind === "completed") {
      attempt = 1;
      const { cancelled } = await finished(run, end.usage, end.calls);
      if (cancelled) return { status: "interrupted" };
      if (end.calls.length === 0 && run.steered.length === 0) return { status: "completed" };
    } else tellRateLimits(run);
    for (const input of run.steered.splice(0)) hear(run, input);
  }
}

/** Sends one request to the model and reads the response. */
export async function sample(run: TurnRun, options: SamplingOptions = {}): Promise<SamplingEnd> {
  await run.breathe();
  const sampling = new Sampling(run, options);
  run.sampling = sampling;
  try {
    return await sampling.read(run.thread.host.provider.stream(requestOf(run.thread), sampling.signal));
  } catch (error) {
    if (run.signal.aborted) {
      run.thread.remember(abortedMessage());
      if (sampling.open) tellRateLimits(run);
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
): Promise<{ cancelled: boolean }> {
  let cancelled = false;
  // Count now, so that a client that resumes the thread while a tool call is still running gets the new usage.
  countUsage(run, usage);
  await run.thread.host.pace.step();
  const outcomes = await Promise.allSettled(calls.map(({ outcome }) => outcome));
  for (const [at, outcome] of outcomes.entries()) {
    const output = outcome.status === "fulfilled" ? outcome.value.output : "aborted by user";
    if (outcome.status === "fulfilled" && outcome.value.cancelled) cancelled = true;
    if (outcome.status === "rejected" && !run.signal.aborted) throw outcome.reason as Error;
    run.thread.remember({
      type: calls[at]?.custom === true ? "custom_tool_call_output" : "function_call_output",
      id: `fco_${uuid7()}`,
      call_id: calls[at]?.callId,
      output,
    });
  }
  tellUsage(run);
  tellRateLimits(run);
  if (cancelled || run.signal.aborted) run.thread.remember(abortedMessage());
  run.signal.throwIfAborted();
  const diff = run.diff.diff();
  if (diff !== "") run.notify("turn/diff/updated", { diff });
  return { cancelled };
}

/** Fills in the fields that a client may omit. */
function shown(part: UserInput): UserInput {
  if (part.type === "text") return { ...part, text_elements: part.text_elements ?? [] };
  if (part.type === "image" || part.type === "localImage") return { detail: null, ...part } as UserInput;
  return part;
}

/** Adds the user's input to the turn and to the conversation. */
export function hear(run: TurnRun, { input, clientId }: TurnInput): void {
  const { record } = run.thread;
  const content = input.map((part) => shown(part));
  if (content.length === 0) return;
  if (record.preview === "" && !record.ephemeral) {
    record.preview = content
      .map((part) => (part.type === "text" ? part.text : ""))
      .join("")
      .trim();
  }
  run.items.whole({ type: "userMessage", id: uuid7(), clientId, content });
  run.thread.remember(userMessage(input));
}

/** Whether the stream broke off. A stream that reported a known error is not retried. */
function isBroken({ error }: Extract<SamplingEnd, { kind: "failed" }>): boolean {
  return error.message.startsWith("stream disconnected before completion");
}

function reconnecting(run: TurnRun, error: TurnError, attempt: number): void {
  run.notify("error", {
    error: {
      message: `Reconnecting... ${attempt}/${run.thread.host.streamRetries}`,
      codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: null } },
      additionalDetails: error.message,
      misalignment: null,
    },
    willRetry: true,
  });
}

function isFull(end: Extract<SamplingEnd, { kind: "failed" }>): boolean {
  return end.error.codexErrorInfo === "contextWindowExceeded";
}
