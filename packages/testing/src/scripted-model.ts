import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { CodexError } from "codexwright/rpc";
import { limited } from "codexwright/internal/node";
import { lastInput, type ModelRequest, parseRequest } from "./model-request.ts";
import { checkScript, itemsOf, respond } from "./model-stream.ts";
import type { ModelItem, ModelScript } from "./model-steps.ts";

/** A request that the script has no response for. The model answered it with 400, so the turn failed. */
export interface UnexpectedModelCall {
  readonly request: ModelRequest;
  /** The message sent to Codex; starts with `UnexpectedModelCall`. */
  readonly message: string;
  /** The error that the script threw, if any. */
  readonly cause?: unknown;
}

/** A model on a loopback port that answers Codex from a script. Made by {@link scriptedModel}. */
export interface ScriptedModel extends AsyncDisposable {
  /** Base URL for a Codex model provider, ending in `/v1`. */
  readonly baseUrl: string;
  /** The requests from Codex, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /**
   * Calls that the script has no response for. Check this list: a test may pass by accident even if such a call was
   * made.
   */
  readonly unexpected: readonly UnexpectedModelCall[];
  /**
   * Resolves with `requests[index]` when it arrives. Rejects with {@link ModelClosedError} if the model
   * closes first.
   */
  request(index: number): Promise<ModelRequest>;
  /** Ends all responses and frees the port. May be called more than once. */
  close(): Promise<void>;
}

/** The scripted model was closed before the awaited request arrived. */
export class ModelClosedError extends CodexError {
  readonly code = "model_closed";
}

/**
 * Starts a model that answers Codex from a script: one step per request, in order of arrival.
 *
 * It speaks the Responses API on 127.0.0.1. A call after the end of the script is answered with 400, which Codex does
 * not retry, and is kept in `unexpected`. Concurrent turns have no fixed order: use a function instead of a list.
 */
export async function scriptedModel(script: ModelScript): Promise<ScriptedModel> {
  checkScript(script);
  const server = createServer();
  await limited("listening for the model's requests", async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  return new Model(server, script);
}

type Answer = { readonly items: readonly ModelItem[] } | UnexpectedModelCall;

interface Waiter {
  readonly index: number;
  resolve(request: ModelRequest): void;
  reject(error: Error): void;
}

class Model implements ScriptedModel {
  readonly baseUrl: string;
  readonly requests: ModelRequest[] = [];
  readonly unexpected: UnexpectedModelCall[] = [];
  readonly #server: Server;
  readonly #script: ModelScript;
  readonly #closing = new AbortController();
  #waiters: Waiter[] = [];
  #closed: Promise<void> | undefined;

  constructor(server: Server, script: ModelScript) {
    this.#server = server;
    this.#script = script;
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    server.on("request", (incoming, response) => void this.#serve(incoming, response));
  }

  async request(index: number): Promise<ModelRequest> {
    const arrived = this.requests[index];
    if (arrived !== undefined) return arrived;
    if (this.#closed !== undefined) throw closedBefore(index);
    return new Promise((resolve, reject) => this.#waiters.push({ index, resolve, reject }));
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#closing.abort(new ModelClosedError("the scripted model was closed"));
    this.#server.closeAllConnections();
    for (const waiter of this.#waiters.splice(0)) waiter.reject(closedBefore(waiter.index));
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, this.#closing.signal]);
    response.on("close", () => gone.abort(new Error("the client went away")));
    try {
      await this.#route(incoming, response, signal);
    } catch (error) {
      // A held response normally ends when the client leaves or the model closes. This is not a failure.
      if (!signal.aborted) refuse(response, 500, "scripted_model", String(error));
    }
  }

  async #route(incoming: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const path = new URL(incoming.url ?? "/", this.baseUrl).pathname;
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    if (incoming.method === "GET" && path.endsWith("/models")) return list(response);
    if (incoming.method !== "POST" || !path.endsWith("/responses"))
      return refuse(
        response,
        404,
        "not_found",
        `the scripted model does not support ${incoming.method} ${path}`,
      );

    let request: ModelRequest;
    try {
      const text = Buffer.concat(chunks).toString("utf8");
      request = parseRequest(this.requests.length, path, incoming.headers, text);
    } catch (error) {
      return refuse(
        response,
        400,
        "invalid_json",
        `the scripted model cannot read the request: ${String(error)}`,
      );
    }
    this.#arrived(request);
    const answer = await this.#answer(request);
    if ("items" in answer) return respond(response, request, answer.items, signal);
    this.unexpected.push(answer);
    return refuse(response, 400, "unexpected_model_call", answer.message);
  }

  #arrived(request: ModelRequest): void {
    this.requests.push(request);
    const due = this.#waiters.filter((waiter) => waiter.index === request.index);
    this.#waiters = this.#waiters.filter((waiter) => waiter.index !== request.index);
    for (const waiter of due) waiter.resolve(request);
  }

  async #answer(request: ModelRequest): Promise<Answer> {
    try {
      const script = this.#script;
      const step = typeof script === "function" ? script : script[request.index];
      const made = typeof step === "function" ? await step(request) : step;
      if (made !== undefined) return { items: itemsOf(made) };
      return unexpectedCall(request, script);
    } catch (cause) {
      return unexpectedCall(request, this.#script, cause);
    }
  }
}

/** Creates the record of a call that the script has no response for, or for which it failed. */
export function unexpectedCall(
  request: ModelRequest,
  script: ModelScript,
  ...failure: readonly unknown[]
): UnexpectedModelCall {
  const call = `UnexpectedModelCall: model call ${request.index + 1}`;
  if (failure.length > 0) {
    const [cause] = failure;
    return { request, message: `${call}, the script failed: ${String(cause)}`, cause };
  }
  const scripted = typeof script === "function" ? "the script has no response" : `${script.length} scripted`;
  return { request, message: `${call}, ${scripted}; last input ${lastInput(request)}` };
}

function closedBefore(index: number): ModelClosedError {
  return new ModelClosedError(`the scripted model was closed before request ${index} arrived`);
}

/**
 * Answers older servers, which refresh their list of models before the first turn. An empty list changes
 * nothing.
 */
function list(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ models: [], object: "list", data: [] }));
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  if (response.headersSent) {
    response.socket?.destroy();
    return;
  }
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code } }));
}
