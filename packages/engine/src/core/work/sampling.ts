import { isJsonObject } from "codexwright/internal";
import type { ThreadItem, TurnError } from "codexwright/protocol";
import { runCall } from "../tools/router.ts";
import { withNamespace } from "../tools/specs.ts";
import { ImageRoom } from "../context/image-room.ts";
import { marked } from "../context/prompt.ts";
import { received } from "../context/received.ts";
import { uuid7 } from "../ids.ts";
import { tooManyCalls } from "../instructions/notes.ts";
import { MOST_CALLS } from "./limits.ts";
import type { RunningCall } from "./running-calls.ts";
import { unlessStuck } from "../turn/unless-stuck.ts";
import { cutError, ModelError } from "../turn/model-error.ts";
import { agentMessage, itemOfOutput } from "../turn/output-items.ts";
import type { ModelEvent, ModelUsage } from "../ports.ts";
import { textOf } from "../text.ts";
import { turnErrorOf } from "../turn/turn-errors.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

/** How one response of the model ended. */
export type SamplingEnd = {
  /** The tool calls, in the order in which the model made them. They may still run. */
  readonly calls: readonly RunningCall[];
} & (
  | {
      readonly kind: "completed";
      readonly usage: ModelUsage;
    }
  /** `heard` is true if the model had begun to answer. */
  | {
      readonly kind: "failed";
      readonly why: ModelError;
      readonly error: TurnError;
      readonly heard: boolean;
    }
  /** New input arrived, so the model is asked again. */
  | { readonly kind: "preempted"; readonly heard: boolean }
);

/** Reads one response of the model and reports it to clients as part of its turn. */
export class Sampling {
  /** Aborts when the response is no longer needed. */
  readonly signal: AbortSignal;
  readonly #run: TurnRun;
  readonly #preemption = new AbortController();
  readonly #calls: RunningCall[] = [];
  /** Items that have started but not completed. */
  readonly #started = new Set<string>();
  #room: ImageRoom | undefined;
  #usage: ModelUsage | undefined;
  #open = false;
  #preempted = false;
  #left = false;

  constructor(run: TurnRun) {
    this.#run = run;
    this.signal = AbortSignal.any([run.signal, this.#preemption.signal]);
  }

  /** Whether the model has begun to answer. */
  get open(): boolean {
    return this.#open;
  }

  /** Cancels the response now, or as soon as it has begun. */
  preempt(): void {
    this.#preempted = true;
    if (this.#open) this.#preemption.abort();
  }

  /** The tool calls so far. */
  get calls(): readonly RunningCall[] {
    return this.#calls;
  }

  async read(events: AsyncIterable<ModelEvent>): Promise<SamplingEnd> {
    const calls = this.#calls;
    try {
      await unlessStuck(this.signal, this.#hearAll(events));
    } catch (error) {
      if (this.#run.signal.aborted) throw error;
      if (this.#preemption.signal.aborted) return { kind: "preempted", heard: this.#open, calls };
      if (!(error instanceof ModelError)) throw error;
      return { ...failedBy(error, this.#open), calls };
    } finally {
      this.#left = true;
    }
    if (!this.#usage) return { ...failedBy(cutError(), this.#open), calls };
    // The response is complete, so new input waits until the tools are done.
    this.#open = false;
    return { kind: "completed", usage: this.#usage, calls };
  }

  async #hearAll(events: AsyncIterable<ModelEvent>): Promise<void> {
    for await (const event of events) {
      // A provider that ignores the signal may go on after the response was left.
      if (this.#left) return;
      if (!this.#open) this.#begin();
      this.#hear(event);
    }
  }

  #begin(): void {
    if (this.#preempted) this.#preemption.abort();
    this.signal.throwIfAborted();
    this.#open = true;
  }

  #hear(event: ModelEvent): void {
    const run = this.#run;
    switch (event.type) {
      case "created":
      case "arguments":
        break;
      case "itemAdded":
        if (isJsonObject(event.item)) this.#added(event.item);
        break;
      case "text":
        run.notify("item/agentMessage/delta", { itemId: event.itemId, delta: event.delta });
        break;
      case "summaryPart":
        run.notify("item/reasoning/summaryPartAdded", { itemId: event.itemId, summaryIndex: event.index });
        break;
      case "summary":
        run.notify("item/reasoning/summaryTextDelta", {
          itemId: event.itemId,
          summaryIndex: event.index,
          delta: event.delta,
        });
        break;
      case "reasoning":
        run.notify("item/reasoning/textDelta", {
          itemId: event.itemId,
          contentIndex: event.index,
          delta: event.delta,
        });
        break;
      case "itemDone": {
        const item = received(event.item);
        if (item) this.#done(item);
        break;
      }
      case "completed":
        this.#usage = event.usage;
        for (const limits of event.rateLimits ?? []) run.host.rateLimits.learn(limits);
        break;
    }
  }

  #added(item: WireObject): void {
    const id = textOf(item["id"]);
    const begun: ThreadItem | undefined =
      item["type"] === "message"
        ? agentMessage(id, "", null)
        : item["type"] === "reasoning"
          ? { type: "reasoning", id, summary: [], content: [] }
          : undefined;
    if (!begun) return;
    this.#started.add(id);
    this.#run.items.start(begun);
  }

  #done(sent: WireObject): void {
    const item = marked(withNamespace(this.#run, sent), this.#run.host.provider.id);
    if (item["type"] === "function_call" || item["type"] === "custom_tool_call") return this.#call(item);
    this.#run.thread.remember(item);
    const started = this.#started.delete(textOf(item["id"]));
    const shown = itemOfOutput(item);
    if (!started) {
      // An item without `itemAdded` starts and completes at the same time.
      if (shown) this.#run.items.whole(shown);
      return;
    }
    if (shown) this.#run.items.complete(shown);
  }

  #call(item: WireObject): void {
    const custom = item["type"] === "custom_tool_call";
    const callId = textOf(item["call_id"]) || `call_${uuid7()}`;
    const name = textOf(item["name"]);
    this.#run.thread.remember({ ...item, call_id: callId, name });
    if (this.#calls.length >= MOST_CALLS) {
      const output = tooManyCalls(MOST_CALLS);
      this.#calls.push({ callId, custom, outcome: Promise.resolve({ output }) });
      return;
    }
    const room = (this.#room ??= new ImageRoom(this.#run.thread.record.history));
    const called = runCall(this.#run, {
      callId,
      custom,
      name,
      namespace: typeof item["namespace"] === "string" ? item["namespace"] : null,
      args: textOf(item[custom ? "input" : "arguments"]),
    });
    // Images that do not fit take memory no longer than their call.
    const outcome = called.then((result) => ({ ...result, output: room.fitted(result.output) }));
    // Prevents an unhandled rejection. The turn awaits all outcomes later and handles a failure then.
    outcome.catch(() => {});
    this.#calls.push({ callId, custom, outcome });
  }
}

/** A response that failed with this error. */
export function failedBy(
  why: ModelError,
  heard: boolean,
): Omit<Extract<SamplingEnd, { kind: "failed" }>, "calls"> {
  return { kind: "failed", why, error: turnErrorOf(why), heard };
}
