import type { ThreadItem, TurnError } from "codexwright/protocol";
import { runCall } from "../tools/router.ts";
import type { CallOutcome, ToolCall } from "../tools/tool-call.ts";
import { ModelError } from "../turn/model-error.ts";
import { agentMessage, itemOfOutput } from "../turn/output-items.ts";
import type { ModelEvent, ModelUsage } from "../ports.ts";
import { textOf } from "../text.ts";
import { cutError, turnErrorOf } from "../turn/turn-errors.ts";
import type { TurnRun } from "../turn/turn-run.ts";
import type { WireObject } from "../wire-object.ts";

/** A call of a tool that runs, in the order in which the model made it. */
export interface RunningCall {
  readonly callId: string;
  readonly outcome: Promise<CallOutcome>;
}

/** How one response of the model ended. */
export type SamplingEnd =
  | {
      readonly kind: "completed";
      readonly usage: ModelUsage;
      readonly calls: readonly RunningCall[];
      /** What was said last. */
      readonly text: string;
    }
  /** `heard`: the model had begun to answer. */
  | { readonly kind: "failed"; readonly error: TurnError; readonly heard: boolean }
  /** The user said something meanwhile, and the model is asked again. */
  | { readonly kind: "preempted" };

export interface SamplingOptions {
  /** Messages begin and are never heard: so does the real server treat a reviewer. */
  readonly muted?: boolean;
}

/** One response of the model, told on the turn it belongs to. */
export class Sampling {
  /** Aborts when nobody wants the response any more. */
  readonly signal: AbortSignal;
  readonly #run: TurnRun;
  readonly #preemption = new AbortController();
  readonly #calls: RunningCall[] = [];
  readonly #muted: boolean;
  /** Items that have begun and not ended. */
  readonly #started = new Set<string>();
  #text = "";
  #usage: ModelUsage | undefined;
  #open = false;
  #preempted = false;

  constructor(run: TurnRun, options: SamplingOptions) {
    this.#run = run;
    this.#muted = options.muted ?? false;
    this.signal = AbortSignal.any([run.signal, this.#preemption.signal]);
  }

  /** Whether the model has begun to answer. */
  get open(): boolean {
    return this.#open;
  }

  /** Breaks the response off, or lets it break off as soon as it has begun. */
  preempt(): void {
    this.#preempted = true;
    if (this.#open) this.#preemption.abort();
  }

  async read(events: AsyncIterable<ModelEvent>): Promise<SamplingEnd> {
    try {
      for await (const event of events) {
        if (!this.#open) this.#begin();
        this.#hear(event);
      }
    } catch (error) {
      if (this.#run.signal.aborted) throw error;
      if (this.#preemption.signal.aborted) return { kind: "preempted" };
      if (!(error instanceof ModelError)) throw error;
      return { kind: "failed", error: turnErrorOf(error), heard: this.#open };
    }
    if (!this.#usage) return { kind: "failed", error: cutError(), heard: this.#open };
    // Nothing more will come: what the user says now waits for the tools.
    this.#open = false;
    return { kind: "completed", usage: this.#usage, calls: this.#calls, text: this.#text };
  }

  #begin(): void {
    this.#open = true;
    if (this.#preempted) this.#preemption.abort();
    this.signal.throwIfAborted();
  }

  #hear(event: ModelEvent): void {
    const run = this.#run;
    switch (event.type) {
      case "created":
        break;
      case "itemAdded":
        this.#added(event.item);
        break;
      case "text":
        if (this.#muted) break;
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
      case "itemDone":
        this.#done(event.item);
        break;
      case "completed":
        this.#usage = event.usage;
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

  #done(item: WireObject): void {
    this.#run.thread.record.history.push(item);
    if (item["type"] === "function_call") return this.#call(item);
    const started = this.#started.delete(textOf(item["id"]));
    const shown = itemOfOutput(item);
    if (!started) {
      // What comes whole has no beginning of its own; reasoning of that kind is for the model alone.
      if (shown && shown.type !== "reasoning") this.#run.items.whole(shown);
      return;
    }
    if (shown?.type === "agentMessage") this.#text = shown.text;
    if (shown && !(this.#muted && shown.type === "agentMessage")) this.#run.items.complete(shown);
  }

  #call(item: WireObject): void {
    const call: ToolCall = {
      callId: String(item["call_id"]),
      name: String(item["name"]),
      namespace: typeof item["namespace"] === "string" ? item["namespace"] : null,
      args: String(item["arguments"]),
    };
    const outcome = runCall(this.#run, call);
    // Whoever waits for all of them hears of the first failure.
    outcome.catch(() => {});
    this.#calls.push({ callId: call.callId, outcome });
  }
}
