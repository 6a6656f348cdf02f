import { expect } from "vitest";
import type { ModelError } from "@codexwright/engine";
import { responses } from "@codexwright/engine/node";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { begin, COMPLETED, event, modelServer, read, said, stream } from "./model-server.ts";

verifies("engine.provider.request", "sends the body and headers that Codex sends", async () => {
  await using server = await modelServer((response) => stream(response, COMPLETED));
  const provider = responses({
    baseUrl: `${server.baseUrl}/`,
    apiKey: "key-of-a-test",
    headers: { "X-Team": "blue" },
    query: { "api-version": "1 2" },
  });
  const schema = { schema: { type: "object" }, strict: true };
  await read(provider, { effort: "high", instructions: "Be brief.", outputSchema: schema, originator: "ü" });
  await read(provider);

  const [first, second] = server.requests;
  expect([first?.method, first?.url]).toEqual(["POST", "/v1/responses?api-version=1+2"]);
  expect(JSON.parse(first?.body ?? "")).toEqual({
    model: "some-model",
    instructions: "Be brief.",
    stream: true,
    input: [],
    tools: [],
    tool_choice: "auto",
    parallel_tool_calls: true,
    reasoning: { effort: "high", summary: "auto" },
    store: false,
    include: ["reasoning.encrypted_content"],
    prompt_cache_key: "thread-1",
    text: { format: { type: "json_schema", name: "codex_output_schema", ...schema } },
  });
  expect(first?.headers).toMatchObject({
    authorization: "Bearer key-of-a-test",
    "x-team": "blue",
    "session-id": "thread-1",
    "thread-id": "thread-1",
    "x-client-request-id": "thread-1",
    accept: "text/event-stream",
    "content-type": "application/json",
    originator: "?",
  });
  const bare = JSON.parse(second?.body ?? "") as Record<string, unknown>;
  expect(Object.keys(bare)).not.toContain("instructions");
  expect(Object.keys(bare)).not.toContain("text");
});

verifies("engine.provider.stream", "turns the events of a stream into events of the engine", async () => {
  const odd = [
    "data: {wrong\n\n",
    "data: [DONE]\n\n",
    "data: 7\n\n",
    event("response.in_progress"),
    event("response.output_item.done", { item: { id: "without a type" } }),
    event("response.output_item.done", { item: null }),
    event("response.output_text.delta", { item_id: "m1", delta: { not: "text" } }),
    event("response.output_text.delta", { item_id: "m1", delta: "" }),
  ];
  await using server = await modelServer((response) =>
    stream(
      response,
      event("response.created", { response: { id: "r" } }),
      event("response.reasoning_summary_part.added", { item_id: "r1", summary_index: 1 }),
      event("response.reasoning_summary_text.delta", { item_id: "r1", summary_index: 1, delta: "so" }),
      event("response.reasoning_text.delta", { item_id: "r1", content_index: "x", delta: "why" }),
      ...odd,
      event("response.function_call_arguments.delta", { item_id: "f1", delta: "{" }),
      said("m1", "hello"),
      COMPLETED,
      said("m2", "after the end"),
    ),
  );
  const item = {
    type: "message",
    id: "m1",
    role: "assistant",
    content: [{ type: "output_text", text: "hello" }],
  };
  expect(await read(responses({ baseUrl: server.baseUrl }))).toEqual([
    { type: "created" },
    { type: "summaryPart", itemId: "r1", index: 1 },
    { type: "summary", itemId: "r1", index: 1, delta: "so" },
    { type: "reasoning", itemId: "r1", index: 0, delta: "why" },
    { type: "arguments", itemId: "f1", delta: "{" },
    { type: "itemAdded", item: { ...item, content: [] } },
    { type: "text", itemId: "m1", delta: "hello" },
    { type: "itemDone", item },
    {
      type: "completed",
      usage: {
        inputTokens: 3,
        cachedInputTokens: 0,
        outputTokens: 4,
        reasoningOutputTokens: 0,
        totalTokens: 7,
      },
      rateLimits: [],
    },
  ]);
});

verifies("engine.provider.abort", "ends at once if the signal aborts", async () => {
  for (const moment of ["before", "connecting", "silent", "streaming"] as const) {
    const stop = new AbortController();
    const reason = new Error(`stopped: ${moment}`);
    let gone = (): void => {};
    const closed = new Promise<void>((resolve) => (gone = resolve));
    await using server = await modelServer((response) => {
      response.on("close", gone);
      if (moment === "connecting") return stop.abort(reason);
      begin(response);
      response.write(moment === "streaming" ? said("m1", "hello") : ": nothing yet\n\n");
      if (moment === "silent") setImmediate(() => stop.abort(reason));
    });
    if (moment === "before") stop.abort(reason);
    const reading = async (): Promise<void> => {
      const provider = responses({ baseUrl: server.baseUrl });
      for await (const each of provider.stream(
        { model: "m", instructions: "", input: [], tools: [], ids: { thread: "t" } },
        stop.signal,
      )) {
        if (each.type === "itemDone") stop.abort(reason);
      }
    };
    expect(await rejection(reading())).toBe(reason);
    if (moment !== "before") await closed;
  }
});

verifies("engine.provider.options", "refuses wrong options without quoting values", () => {
  const secret = "s3cr3t-value\n";
  const wrong: readonly [unknown, string][] = [
    [{}, "baseUrl"],
    [{ baseUrl: "api.example.com" }, "baseUrl"],
    [{ baseUrl: "file:///etc" }, "http"],
    [{ baseUrl: `http://u:${encodeURIComponent(secret)}@127.0.0.1` }, "user name"],
    [{ baseUrl: "http://127.0.0.1", apiKey: secret }, "apiKey"],
    [{ baseUrl: "http://127.0.0.1", headers: { a: secret } }, "headers"],
    [{ baseUrl: "http://127.0.0.1", headers: { "a b": "x" } }, "headers"],
    [{ baseUrl: "http://127.0.0.1", apiKey: "k", headers: { Authorization: "x" } }, "authorization"],
    [{ baseUrl: "http://127.0.0.1", baseURL: "x" }, "baseURL"],
  ];
  for (const [options, named] of wrong) {
    const refused = (): unknown => responses(options as Parameters<typeof responses>[0]);
    expect(refused).toThrow(named);
    expect(refused).not.toThrow("s3cr3t");
  }
});

verifies("engine.provider.refusals", "says how far a request got", async () => {
  await using server = await modelServer((response, position, { socket }) => {
    if (position === 0)
      response.writeHead(503, { "retry-after": "3" }).end('{"error":{"message":"busy","code":"x"}}');
    else if (position === 1) response.writeHead(200, { "content-type": "text/html" }).end("<h1>Log in</h1>");
    else if (position === 2) socket.destroy();
    else {
      begin(response);
      response.write(said("m1", "half"), () => socket.destroy());
    }
  });
  const provider = responses({ baseUrl: server.baseUrl });
  const failure = async (): Promise<ModelError> => (await rejection(read(provider))) as ModelError;
  const busy = await failure();
  expect(busy.message).toBe("busy");
  expect(busy.details).toMatchObject({ phase: "status", status: 503, reason: "x", retryAfterMs: 3_000 });
  expect((await failure()).message).toContain("text/html instead of an event stream");
  expect((await failure()).details).toMatchObject({ phase: "stream", lost: true });
  const reset = await failure();
  expect(reset.details.phase).toBe("stream");
  expect(reset.details.lost).toBeUndefined();

  const closed = await modelServer(() => {});
  await closed[Symbol.asyncDispose]();
  const refused = (await rejection(read(responses({ baseUrl: closed.baseUrl })))) as ModelError;
  expect(refused.details.phase).toBe("connect");
});
