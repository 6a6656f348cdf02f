import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { InvalidArgumentError } from "codexwright/rpc";
import { isJsonObject } from "codexwright/internal";
import { never, pass, type Gate } from "./model-gate.ts";
import { deltasOf, functionCall, message, reasoningItem, shellCall, usageOf } from "./model-output.ts";
import type { ModelRequest, WireObject } from "./model-request.ts";
import type { ModelItem, ModelResponse, ModelScript, ModelUsage } from "./model-steps.ts";
import * as is from "codexwright/internal/options";
import { shown } from "codexwright/internal";

const ENDS: ReadonlySet<ModelItem["kind"]> = new Set(["fail", "streamFail", "hang", "truncate"]);

/**
 * Returns the items of a response. Throws if an item follows an item that ends the response, or if an item other than a
 * gate precedes an HTTP error.
 */
export function itemsOf(response: ModelResponse): readonly ModelItem[] {
  const items = isJsonObject(response) && "kind" in response ? [response] : response;
  if (
    !Array.isArray(items) ||
    !items.every((item) => isJsonObject(item) && typeof item["kind"] === "string")
  ) {
    throw new InvalidArgumentError(
      `a response must be an item such as reply("…"), or a list of items: got ${excerpt(response)}`,
    );
  }
  for (const [position, { kind }] of items.entries()) {
    if (ENDS.has(kind) && position < items.length - 1)
      throw new InvalidArgumentError(`${kind}() ends a response: no item can follow it`);
    if (kind === "fail" && items.slice(0, position).some((each) => each.kind !== "gate"))
      throw new InvalidArgumentError("fail() replaces the stream: only gates can precede it");
  }
  return items;
}

function excerpt(value: unknown): string {
  try {
    return JSON.stringify(value)?.slice(0, 60) ?? typeof value;
  } catch {
    return shown(value, false); // A bigint or a cycle.
  }
}

export const SCRIPT: is.Check<ModelScript> = is.either(is.listOf(is.anything), is.func);

/**
 * Throws if the script cannot be played. This is a mistake in the test, so it should fail where the script is passed,
 * not later in a turn.
 */
export function checkScript(script: ModelScript): void {
  is.checkArgument("scriptedModel()", "script", script, SCRIPT);
  if (typeof script === "function") return;
  for (const step of script) if (typeof step !== "function") itemsOf(step);
}

/**
 * Answers one request with the items of a response.
 *
 * If `signal` aborts, rejects with its reason, however much of the response was sent.
 */
export async function respond(
  response: ServerResponse,
  request: ModelRequest,
  items: readonly ModelItem[],
  signal: AbortSignal,
): Promise<void> {
  const stream = new ResponseStream(response, request, signal);
  for (const [position, item] of items.entries()) {
    signal.throwIfAborted();
    await stream.item(item, position);
    if (ENDS.has(item.kind)) return;
  }
  await stream.complete();
}

/**
 * The server-sent events of one response. Headers are sent with the first event, so that a gate can hold them
 * back.
 */
class ResponseStream {
  readonly #response: ServerResponse;
  readonly #request: ModelRequest;
  readonly #signal: AbortSignal;
  #usage: ModelUsage = {};

  constructor(response: ServerResponse, request: ModelRequest, signal: AbortSignal) {
    this.#response = response;
    this.#request = request;
    this.#signal = signal;
  }

  async item(item: ModelItem, position: number): Promise<void> {
    const at = `${this.#request.index}_${position}`;
    if ("options" in item && "usage" in item.options) this.#usage = { ...this.#usage, ...item.options.usage };
    switch (item.kind) {
      case "gate":
        await pass(item, this.#signal);
        break;
      case "usage":
        this.#usage = { ...this.#usage, ...item.usage };
        break;
      case "reply": {
        const { deltas = 1, delayMs, phase } = item.options;
        await this.#message(`msg_${at}`, deltasOf(item.text, deltas), delayMs);
        await this.#done(position, {
          ...message(`msg_${at}`, item.text),
          ...(phase === undefined ? {} : { phase }),
        });
        break;
      }
      case "reasoning":
        await this.#reasoning(position, `rs_${at}`, item);
        break;
      case "toolCall":
        await this.#done(position, functionCall(at, item.name, item.args, item.options));
        break;
      case "exec":
        await this.#done(position, shellCall(at, this.#request.tools, item.cmd, item.options));
        break;
      case "outputItem":
        await this.#done(position, item.item);
        break;
      case "hang":
        await never(this.#signal);
        break;
      case "truncate":
        await this.#message(`msg_${at}`, [item.text]);
        await this.#cut(item.drop);
        break;
      case "streamFail":
        await this.#send("response.failed", {
          response: {
            id: this.#id(),
            status: "failed",
            error: { code: item.code, message: item.message },
          },
        });
        this.#response.end();
        break;
      case "fail": {
        const { code, message: text = `scripted failure ${item.status}`, headers } = item.options;
        const type = code ?? (item.status < 500 ? "invalid_request_error" : "server_error");
        this.#response.writeHead(item.status, { "content-type": "application/json", ...headers });
        this.#response.end(
          JSON.stringify({ error: { message: text, type, param: null, code: code ?? null } }),
        );
        break;
      }
    }
  }

  async complete(): Promise<void> {
    await this.#send("response.completed", {
      response: { id: this.#id(), status: "completed", usage: usageOf(this.#usage) },
    });
    this.#response.end();
  }

  async #message(id: string, pieces: readonly (string | Gate)[], delayMs = 0): Promise<void> {
    await this.#send("response.output_item.added", { item: { ...message(id, ""), content: [] } });
    for (const [position, piece] of pieces.entries()) {
      if (typeof piece !== "string") {
        await pass(piece, this.#signal);
        continue;
      }
      if (position > 0) await this.#wait(delayMs);
      await this.#send("response.output_text.delta", { item_id: id, content_index: 0, delta: piece });
    }
  }

  async #reasoning(position: number, id: string, item: ModelItem & { kind: "reasoning" }): Promise<void> {
    const { content, deltas = 1, delayMs = 0 } = item.options;
    await this.#send("response.output_item.added", {
      output_index: position,
      item: { type: "reasoning", id, summary: [] },
    });
    for (const [index, text] of item.parts.entries()) {
      const part = { item_id: id, output_index: position, summary_index: index };
      await this.#send("response.reasoning_summary_part.added", {
        ...part,
        part: { type: "summary_text", text: "" },
      });
      for (const [count, delta] of deltasOf(text, deltas).entries()) {
        if (count > 0) await this.#wait(delayMs);
        await this.#send("response.reasoning_summary_text.delta", { ...part, delta });
      }
    }
    if (content !== undefined)
      await this.#send("response.reasoning_text.delta", {
        item_id: id,
        output_index: position,
        content_index: 0,
        delta: content,
      });
    await this.#done(position, reasoningItem(id, item.parts, content));
  }

  async #done(position: number, item: WireObject): Promise<void> {
    await this.#send("response.output_item.done", { output_index: position, item });
  }

  async #send(type: string, data: WireObject): Promise<void> {
    this.#signal.throwIfAborted();
    if (!this.#response.headersSent) {
      this.#response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
      await this.#send("response.created", { response: { id: this.#id(), status: "in_progress" } });
    }
    const text = `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    if (!this.#response.write(text)) await once(this.#response, "drain", { signal: this.#signal });
  }

  async #wait(delayMs: number): Promise<void> {
    if (delayMs > 0) await delay(delayMs, undefined, { signal: this.#signal });
  }

  async #cut(drop: boolean): Promise<void> {
    if (!drop) {
      this.#response.end();
      return;
    }
    // Flush what was written before destroying the socket, or the client sees no output at all.
    await new Promise<void>((flushed) => this.#response.write(":\n\n", () => flushed()));
    // Destroy the socket itself: if only the response is destroyed, Bun may still end it cleanly.
    this.#response.socket?.destroy();
  }

  #id(): string {
    return `resp_${this.#request.index}`;
  }
}
