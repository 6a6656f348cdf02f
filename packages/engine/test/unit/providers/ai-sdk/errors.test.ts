import { expect } from "vitest";
import type { ModelError, ModelErrorDetails } from "@codexwright/engine";
import { rejection } from "@codexwright/test-support/events";
import { sse, type Answer } from "@codexwright/test-support/model-apis/server";
import { verifies } from "@codexwright/test-support/verifies";
import { read } from "../model-server.ts";
import { clientOf, configured, MODELS, serveApi, type Api } from "./apis.ts";

interface Case {
  readonly api: Api;
  readonly answer: Answer;
  readonly details: Partial<ModelErrorDetails>;
  readonly says: string;
}

function refused(
  api: Api,
  status: number,
  body: object | string,
  details: Partial<ModelErrorDetails>,
  says: string,
  headers: Readonly<Record<string, string>> = {},
): Case {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { api, answer: { status, body: text, headers }, details: { status, ...details }, says };
}

const openai = (message: string, type: string, code: string | number | null = null): object => ({
  error: { message, type, param: null, code },
});
const claude = (type: string, message: string): object => ({ type: "error", error: { type, message } });
const gemini = (code: number, status: string, message: string): object => ({
  error: { code, message, status, details: [] },
});

/** Errors in the words of each API's documentation and servers. */
const REFUSALS: readonly Case[] = [
  refused(
    "chat",
    401,
    openai("Incorrect API key provided", "invalid_request_error", "invalid_api_key"),
    { phase: "status", reason: "invalid_api_key" },
    "Incorrect API key provided",
  ),
  refused(
    "chat",
    404,
    openai('model "x" not found, try pulling it first', "api_error"),
    { phase: "status", reason: "model_not_found" },
    "try pulling it first",
  ),
  refused(
    "chat",
    429,
    openai("Rate limit reached", "requests", "rate_limit_exceeded"),
    { phase: "status", reason: "rate_limit_exceeded", retryAfterMs: 7_000 },
    "Rate limit reached",
    { "retry-after": "7" },
  ),
  refused(
    "chat",
    429,
    openai("You exceeded your quota", "insufficient_quota", "insufficient_quota"),
    { reason: "insufficient_quota" },
    "You exceeded your quota",
  ),
  refused("chat", 502, "<html><h1>Bad Gateway</h1></html>", { phase: "status" }, "Bad Gateway", {
    "content-type": "text/html",
  }),
  refused(
    "chat",
    400,
    openai(
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
      "BadRequestError",
      400,
    ),
    { phase: "stream", reason: "context_length_exceeded" },
    "maximum context length",
  ),
  refused(
    "chat",
    400,
    openai(
      "the request exceeds the available context size, try increasing it",
      "exceed_context_size_error",
      400,
    ),
    { phase: "stream", reason: "context_length_exceeded" },
    "available context size",
  ),
  refused(
    "chat",
    400,
    openai("Unknown field", "invalid_request_error"),
    { phase: "status", status: 400 },
    "Unknown field",
  ),
  refused(
    "anthropic",
    401,
    claude("authentication_error", "invalid x-api-key"),
    { phase: "status", reason: "authentication_error" },
    "invalid x-api-key",
  ),
  refused(
    "anthropic",
    404,
    claude("not_found_error", "model: claude-none"),
    { phase: "status", reason: "model_not_found" },
    "model: claude-none",
  ),
  refused(
    "anthropic",
    429,
    claude("rate_limit_error", "Slow down"),
    { reason: "rate_limit_exceeded", retryAfterMs: 3_000 },
    "Slow down",
    { "retry-after": "3" },
  ),
  refused(
    "anthropic",
    529,
    claude("overloaded_error", "Overloaded"),
    { phase: "status", reason: "server_is_overloaded" },
    "Overloaded",
  ),
  refused(
    "anthropic",
    400,
    claude("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    { phase: "stream", reason: "context_length_exceeded" },
    "prompt is too long",
  ),
  refused(
    "google",
    400,
    gemini(400, "INVALID_ARGUMENT", "API key not valid."),
    { phase: "status", reason: "INVALID_ARGUMENT" },
    "API key not valid.",
  ),
  refused(
    "google",
    404,
    gemini(404, "NOT_FOUND", "models/x is not found for API version v1beta"),
    { reason: "model_not_found" },
    "models/x is not found",
  ),
  refused(
    "google",
    429,
    [gemini(429, "RESOURCE_EXHAUSTED", "Quota exceeded. Please retry in 12.5s.")],
    { reason: "rate_limit_exceeded", retryAfterMs: 12_500 },
    "Quota exceeded.",
  ),
  refused(
    "google",
    503,
    gemini(503, "UNAVAILABLE", "The model is overloaded."),
    { reason: "server_is_overloaded" },
    "The model is overloaded.",
  ),
  refused(
    "google",
    400,
    gemini(
      400,
      "INVALID_ARGUMENT",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ),
    { phase: "stream", reason: "context_length_exceeded" },
    "input token count",
  ),
];

const begun: Readonly<Record<Api, string>> = {
  chat: sse({ id: "c", choices: [{ index: 0, delta: { content: "Hal" }, finish_reason: null }] }),
  anthropic:
    sse(
      {
        type: "message_start",
        message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
      },
      "message_start",
    ) +
    sse(
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      "content_block_start",
    ) +
    sse(
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hal" } },
      "content_block_delta",
    ),
  google: sse({ candidates: [{ index: 0, content: { role: "model", parts: [{ text: "Hal" }] } }] }),
};

/** A stream that begins like an answer, and goes on with this text. */
function streamed(api: Api, text: string): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(begun[api] + text);
  };
}

const REPORTED: readonly Case[] = [
  {
    api: "chat",
    answer: streamed("chat", sse({ error: { code: 502, message: "Provider returned error" } })),
    details: { phase: "stream" },
    says: "Provider returned error",
  },
  {
    api: "chat",
    answer: streamed("chat", sse({ error: "the model runner has stopped" })),
    details: { phase: "stream" },
    says: "the model runner has stopped",
  },
  {
    api: "anthropic",
    answer: streamed("anthropic", sse(claude("overloaded_error", "Overloaded"), "error")),
    details: { phase: "stream", reason: "server_is_overloaded" },
    says: "Overloaded",
  },
  {
    api: "anthropic",
    answer: streamed("anthropic", sse(claude("api_error", "Internal server error"), "error")),
    details: { phase: "stream", reason: "api_error" },
    says: "Internal server error",
  },
];

async function errorOf(api: Api, answer: Answer): Promise<ModelError> {
  await using server = await serveApi(api, [answer]);
  const provider = await configured(api, server);
  return (await rejection(read(provider, { model: MODELS[api] }))) as ModelError;
}

verifies(
  "engine.ai-sdk.errors",
  "refusals and reported failures become errors that the engine knows",
  async () => {
    for (const { api, answer, details, says } of [...REFUSALS, ...REPORTED]) {
      const error = await errorOf(api, answer);
      expect([says, error.code]).toEqual([says, "model_failed"]);
      expect(error.message).toContain(says);
      expect({ says, ...error.details }).toMatchObject({ says, ...details });
    }
  },
);

verifies("engine.ai-sdk.errors", "clients get the errors that Codex has for them", async () => {
  for (const [at, info] of [
    [1, "modelNotFound"],
    [5, "contextWindowExceeded"],
    [9, "modelNotFound"],
    [11, "serverOverloaded"],
    [12, "contextWindowExceeded"],
    [16, "serverOverloaded"],
    [17, "contextWindowExceeded"],
  ] as const) {
    const { api, answer } = REFUSALS.at(at) as (typeof REFUSALS)[number];
    await using server = await serveApi(api, [answer]);
    await using own = await clientOf(api, await configured(api, server));
    const thread = await own.codex.startThread();
    const error = (await rejection(thread.run("go"))) as { readonly info?: unknown };
    expect([at, JSON.stringify(error)]).toEqual([at, expect.stringContaining(info)]);
  }
});

verifies("engine.ai-sdk.errors", "answers that are not complete fail, and are not repeated", async () => {
  for (const api of ["chat", "anthropic", "google"] as const) {
    for (const [stop, why] of [
      ["length", "max_output_tokens"],
      ["filter", "content_filter"],
    ] as const) {
      const error = await errorOf(api, { text: "Half an ans", stop });
      expect([api, error.message]).toEqual([api, `Incomplete response returned, reason: ${why}`]);
      expect(error.details.reason).toBe("incomplete");
    }
  }
});

verifies("engine.ai-sdk.errors", "says how far a request got", async () => {
  for (const api of ["chat", "anthropic", "google"] as const) {
    const closed = await serveApi(api, []);
    await closed[Symbol.asyncDispose]();
    const unreachable = (await rejection(read(await configured(api, closed)))) as ModelError;
    expect([api, unreachable.details.phase]).toEqual([api, "connect"]);
    const cut = await errorOf(api, streamed(api, ""));
    expect([api, cut.details.phase, cut.message]).toEqual([
      api,
      "stream",
      "stream closed before response.completed",
    ]);
    const reset = await errorOf(api, (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(begun[api], () => response.socket?.destroy());
    });
    expect([api, reset.details.phase]).toEqual([api, "stream"]);
    const html = await errorOf(api, (response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>");
    });
    expect([api, html.details.reason, html.message]).toEqual([
      api,
      "not_a_stream",
      expect.stringContaining("Log in"),
    ]);
    const moved = await errorOf(api, {
      status: 307,
      headers: { location: "https://other.invalid/x" },
      body: "",
    });
    expect([api, moved.message]).toEqual([api, expect.stringContaining("redirects are not followed")]);
  }
});
