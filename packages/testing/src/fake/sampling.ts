import { setTimeout as delay } from "node:timers/promises";
import type { TurnError } from "codexwright/protocol";
import type { Gate } from "../model-gate.ts";
import { deltasOf, functionCall, reasoningItem, shellCall } from "../model-output.ts";
import type { ModelRequest, WireObject } from "../model-request.ts";
import type { ModelItem, ModelUsage } from "../model-steps.ts";
import { runCall, type CallOutcome, type ToolCall } from "./calls.ts";
import { assistantMessage } from "./conversation.ts";
import { agentMessage, itemOfOutput } from "./output-items.ts";
import { cutError, httpError, streamError } from "./turn-errors.ts";
import type { TurnRun } from "./turn-run.ts";

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

/** One response of the model, played on the turn it belongs to. */
export class Sampling {
  readonly #run: TurnRun;
  readonly #request: ModelRequest;
  readonly #preemption = new AbortController();
  readonly #signal: AbortSignal;
  readonly #calls: RunningCall[] = [];
  readonly #muted: boolean;
  #text = "";
  #usage: ModelUsage = {};
  #open = false;
  #preempted = false;

  constructor(run: TurnRun, request: ModelRequest, options: SamplingOptions) {
    this.#run = run;
    this.#muted = options.muted ?? false;
    this.#request = request;
    this.#signal = AbortSignal.any([run.signal, this.#preemption.signal]);
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

  async play(items: readonly ModelItem[]): Promise<SamplingEnd> {
    try {
      for (const [position, item] of items.entries()) {
        if (!isCall(item) || !isCall(items[position - 1])) await this.#breathe();
        const error = await this.#item(item, position);
        if (error) return { kind: "failed", error, heard: this.#open };
      }
      this.#begin();
    } catch (error) {
      if (this.#preemption.signal.aborted && !this.#run.signal.aborted) return { kind: "preempted" };
      throw error;
    }
    // Nothing more will come: what the user says now waits for the tools.
    this.#open = false;
    return { kind: "completed", usage: this.#usage, calls: this.#calls, text: this.#text };
  }

  async #item(item: ModelItem, position: number): Promise<TurnError | undefined> {
    const at = `${this.#request.index}_${position}`;
    if ("options" in item && "usage" in item.options) this.#usage = { ...this.#usage, ...item.options.usage };
    if (item.kind === "gate") return await this.#pass(item);
    if (item.kind === "fail") return httpError(item);
    if (item.kind === "hang") return await this.#never();
    this.#begin();
    switch (item.kind) {
      case "usage":
        this.#usage = { ...this.#usage, ...item.usage };
        break;
      case "reply":
        await this.#message(`msg_${at}`, deltasOf(item.text, item.options.deltas ?? 1), item.options.delayMs);
        this.#said(`msg_${at}`, item.text, item.options.phase);
        break;
      case "reasoning":
        await this.#reasoning(`rs_${at}`, item);
        break;
      case "toolCall":
        this.#call(functionCall(at, item.name, item.args, item.options), item.options.outcome);
        break;
      case "exec":
        this.#call(shellCall(at, ["exec_command"], item.cmd, item.options), item.options);
        break;
      case "outputItem":
        this.#output(item.item);
        break;
      case "truncate":
        await this.#message(`msg_${at}`, [item.text]);
        return cutError(item.drop);
      case "streamFail":
        return streamError(item.code, item.message);
    }
    return undefined;
  }

  async #breathe(): Promise<void> {
    await this.#run.thread.host.pace.step();
    this.#signal.throwIfAborted();
  }

  #begin(): void {
    this.#open = true;
    if (this.#preempted) this.#preemption.abort();
    this.#signal.throwIfAborted();
  }

  async #message(id: string, pieces: readonly (string | Gate)[], delayMs = 0): Promise<void> {
    this.#run.items.start(agentMessage(id, "", null));
    for (const [position, piece] of pieces.entries()) {
      if (typeof piece !== "string") {
        await this.#pass(piece);
        continue;
      }
      if (position > 0 && delayMs > 0) await delay(delayMs, undefined, { signal: this.#signal });
      if (!this.#muted) this.#run.notify("item/agentMessage/delta", { itemId: id, delta: piece });
    }
  }

  #said(id: string, text: string, phase: string | undefined): void {
    this.#text = text;
    if (!this.#muted) this.#run.items.complete(agentMessage(id, text, phase ?? null));
    this.#remember(assistantMessage(id, text, phase));
  }

  async #reasoning(id: string, item: Extract<ModelItem, { kind: "reasoning" }>): Promise<void> {
    const { content, deltas = 1, delayMs = 0 } = item.options;
    const run = this.#run;
    run.items.start({ type: "reasoning", id, summary: [], content: [] });
    for (const [summaryIndex, text] of item.parts.entries()) {
      run.notify("item/reasoning/summaryPartAdded", { itemId: id, summaryIndex });
      for (const [count, delta] of deltasOf(text, deltas).entries()) {
        if (count > 0 && delayMs > 0) await delay(delayMs, undefined, { signal: this.#signal });
        run.notify("item/reasoning/summaryTextDelta", { itemId: id, summaryIndex, delta });
      }
    }
    if (content !== undefined) {
      run.notify("item/reasoning/textDelta", { itemId: id, contentIndex: 0, delta: content });
    }
    run.items.complete({
      type: "reasoning",
      id,
      summary: [...item.parts],
      content: content === undefined ? [] : [content],
    });
    this.#remember(reasoningItem(id, item.parts, content));
  }

  #output(item: WireObject): void {
    if (item["type"] === "function_call") return this.#call(item, undefined);
    this.#remember(item);
    const shown = itemOfOutput(item);
    if (shown) this.#run.items.whole(shown);
  }

  #call(item: WireObject, scripted: ToolCall["scripted"]): void {
    this.#remember(item);
    const call: ToolCall = {
      callId: String(item["call_id"]),
      name: String(item["name"]),
      namespace: typeof item["namespace"] === "string" ? item["namespace"] : null,
      args: String(item["arguments"]),
      scripted,
    };
    const outcome = runCall(this.#run, call);
    // Whoever waits for all of them hears of the first failure.
    outcome.catch(() => {});
    this.#calls.push({ callId: call.callId, outcome });
  }

  #remember(item: WireObject): void {
    this.#run.thread.record.history.push(item);
  }

  async #pass(gate: Gate): Promise<undefined> {
    gate.arrive();
    await Promise.race([gate.opened, this.#never()]);
  }

  #never(): Promise<undefined> {
    const signal = this.#signal;
    return new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
  }
}

/** Calls of one response begin together: each takes longer than the model needs to make the next. */
function isCall(item: ModelItem | undefined): boolean {
  return item?.kind === "toolCall" || item?.kind === "exec";
}
