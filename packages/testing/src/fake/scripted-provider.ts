import { STATUS_CODES } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Model } from "codexwright/protocol";
import { never, pass, type Gate } from "../model-gate.ts";
import { deltasOf, functionCall, message, reasoningItem, shellCall, wholeUsage } from "../model-output.ts";
import { modelRequest, type WireObject } from "../model-request.ts";
import type { ModelItem, ModelUsage } from "../model-steps.ts";
import type { FakeModel } from "./fake-model.ts";
import { ModelError } from "@codexwright/engine";
import { MODELS } from "./models.ts";
import type { FakePace } from "./pace.ts";
import type { ModelEvent, ModelProvider, ModelRequest } from "@codexwright/engine";
import type { ScriptedOutcome, ScriptedOutcomes } from "./scripted-outcomes.ts";

/** Streams the answers of a fake server's script in place of a model. */
export class ScriptedProvider implements ModelProvider {
  readonly id = "mock";
  readonly #model: FakeModel;
  readonly #pace: FakePace;
  readonly #outcomes: ScriptedOutcomes;

  constructor(model: FakeModel, pace: FakePace, outcomes: ScriptedOutcomes) {
    this.#model = model;
    this.#pace = pace;
    this.#outcomes = outcomes;
  }

  models(): Promise<readonly Model[]> {
    return Promise.resolve(MODELS);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const index = this.#model.requests.length;
    const headers = { "thread-id": request.ids.thread };
    const asked = this.#model.ask(modelRequest(index, "/v1/responses", headers, bodyOf(request)));
    const items = await Promise.race([asked, never(signal)]);
    if ("message" in items) throw unexpected(items.message);
    let usage: ModelUsage = {};
    let begun = false;
    for (const [position, item] of items.entries()) {
      if (!isCall(item) || !isCall(items[position - 1])) await this.#pace.step();
      signal.throwIfAborted();
      if ("options" in item && "usage" in item.options) usage = { ...usage, ...item.options.usage };
      if (item.kind === "usage") usage = { ...usage, ...item.usage };
      if (item.kind === "gate") await pass(item, signal);
      else if (item.kind === "hang") await never(signal);
      else if (item.kind === "fail") throw refused(item);
      else {
        if (!begun) yield { type: "created" };
        begun = true;
        yield* this.#item(item, `${index}_${position}`, request.ids.thread, signal);
      }
    }
    if (!begun) yield { type: "created" };
    yield { type: "completed", usage: wholeUsage(usage) };
  }

  async *#item(
    item: ModelItem,
    at: string,
    threadId: string,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    switch (item.kind) {
      case "reply": {
        const { deltas = 1, delayMs, phase } = item.options;
        const id = `msg_${at}`;
        yield* said(id, deltasOf(item.text, deltas), signal, delayMs);
        const done = { ...message(id, item.text), ...(phase === undefined ? {} : { phase }) };
        yield { type: "itemDone", item: done };
        break;
      }
      case "reasoning":
        yield* thought(`rs_${at}`, item, signal);
        break;
      case "toolCall":
        yield this.#call(
          threadId,
          functionCall(at, item.name, item.args, item.options),
          item.options.outcome,
        );
        break;
      case "exec":
        yield this.#call(threadId, shellCall(at, ["exec_command"], item.cmd, item.options), item.options);
        break;
      case "outputItem":
        // A raw call item has no outcome, even if an earlier call with the same id had one.
        yield item.item["type"] === "function_call"
          ? this.#call(threadId, item.item, undefined)
          : { type: "itemDone", item: item.item };
        break;
      case "truncate":
        yield* said(`msg_${at}`, [item.text], signal);
        throw cut(item.drop);
      case "streamFail":
        throw new ModelError(item.message, { phase: "stream", reason: item.code });
      default:
        break;
    }
  }

  /** Stores the outcome of a call, which the ports look up when they execute the call. Returns the call as an event. */
  #call(threadId: string, item: WireObject, outcome: ScriptedOutcome | undefined): ModelEvent {
    this.#outcomes.set(threadId, String(item["call_id"]), outcome);
    return { type: "itemDone", item };
  }
}

async function* said(
  id: string,
  pieces: readonly (string | Gate)[],
  signal: AbortSignal,
  delayMs = 0,
): AsyncGenerator<ModelEvent> {
  yield { type: "itemAdded", item: message(id, "") };
  for (const [position, piece] of pieces.entries()) {
    if (typeof piece !== "string") {
      await pass(piece, signal);
      continue;
    }
    if (position > 0 && delayMs > 0) await delay(delayMs, undefined, { signal });
    yield { type: "text", itemId: id, delta: piece };
  }
}

async function* thought(
  itemId: string,
  item: Extract<ModelItem, { kind: "reasoning" }>,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const { content, deltas = 1, delayMs = 0 } = item.options;
  yield { type: "itemAdded", item: { type: "reasoning", id: itemId, summary: [] } };
  for (const [index, text] of item.parts.entries()) {
    yield { type: "summaryPart", itemId, index };
    for (const [count, delta] of deltasOf(text, deltas).entries()) {
      if (count > 0 && delayMs > 0) await delay(delayMs, undefined, { signal });
      yield { type: "summary", itemId, index, delta };
    }
  }
  if (content !== undefined) yield { type: "reasoning", itemId, index: 0, delta: content };
  yield { type: "itemDone", item: reasoningItem(itemId, item.parts, content) };
}

function bodyOf({ model, instructions, input, tools, outputSchema }: ModelRequest): WireObject {
  const format = { type: "json_schema", name: "codex_output_schema", ...outputSchema };
  return { model, instructions, input, tools, ...(outputSchema && { text: { format } }) };
}

/** The error for a request that the script has no answer for: a scripted model rejects it with 400. */
function unexpected(text: string): ModelError {
  const error = { message: text, type: "invalid_request_error", param: null, code: "unexpected_model_call" };
  return new ModelError(text, { phase: "request", body: JSON.stringify({ error }) });
}

function refused({ status, options }: Extract<ModelItem, { kind: "fail" }>): ModelError {
  const { code, message: text = `scripted failure ${status}` } = options;
  const type = code ?? (status < 500 ? "invalid_request_error" : "server_error");
  return new ModelError(text, {
    phase: "status",
    status,
    statusText: STATUS_CODES[status] ?? "",
    reason: code,
    body: JSON.stringify({ error: { message: text, type, param: null, code: code ?? null } }),
    url: "http://127.0.0.1:0/v1/responses",
  });
}

/** The error for a stream that ended too early; with `drop`, for a broken connection. */
function cut(drop: boolean): ModelError {
  const why = drop
    ? "Transport error: network error: error decoding response body"
    : "stream closed before response.completed";
  return new ModelError(why, { phase: "stream" });
}

/**
 * Whether an item is a call. Calls of one response start together: a call takes longer to run than the model takes to
 * send the next call.
 */
function isCall(item: ModelItem | undefined): boolean {
  return item?.kind === "toolCall" || item?.kind === "exec";
}
