import { expect } from "vitest";
import type { ModelError, ModelEvent } from "@codexwright/engine";
import { rejection } from "@codexwright/test-support/events";
import { sse, type Answer } from "@codexwright/test-support/model-apis/server";
import { verifies } from "@codexwright/test-support/verifies";
import { read } from "../model-server.ts";
import { APIS, configured, MODELS, serveApi, type Api } from "./apis.ts";

function raw(...parts: readonly (string | Uint8Array)[]): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const part of parts) response.write(part);
    response.end();
  };
}

async function eventsOf(api: Api, answer: Answer): Promise<ModelEvent[]> {
  await using server = await serveApi(api, [answer]);
  return await read(await configured(api, server), { model: MODELS[api] });
}

const itemsIn = (events: readonly ModelEvent[]): unknown[] =>
  events.flatMap((event) => {
    if (event.type !== "itemDone") return [];
    const { type, name, arguments: args, content } = event.item;
    return [type === "function_call" ? [name, args] : [type, (content as { text: string }[])[0]?.text]];
  });

const chunk = (delta: object, finish: string | null = null): string =>
  sse({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }] });

const tool = (index: number, id: string | undefined, name: string | undefined, args: string): object => ({
  tool_calls: [{ index, ...(id && { id }), function: { ...(name && { name }), arguments: args } }],
});

verifies("engine.ai-sdk.order", "items are done in the order in which they began", async () => {
  const events = await eventsOf(
    "chat",
    raw(
      chunk({ reasoning_content: "Hm" }),
      chunk({ content: "First." }),
      chunk(tool(0, "a", "one", '{"n":')),
      chunk(tool(1, "b", "two", "{}")),
      chunk(tool(0, undefined, undefined, "1}")),
      chunk({ content: "Last." }),
      chunk({}, "tool_calls"),
    ),
  );
  expect(itemsIn(events)).toEqual([
    ["reasoning", "Hm"],
    ["message", "First."],
    ["message", "Last."],
    ["one", '{"n":1}'],
    ["two", "{}"],
  ]);
  // Every item that was shown is done, and deltas name an item that is open.
  const open = new Set<unknown>();
  for (const event of events) {
    if (event.type === "itemAdded") open.add(event.item["id"]);
    if (event.type === "text") expect(open.has(event.itemId)).toBe(true);
    if (event.type === "itemDone") open.delete(event.item["id"]);
  }
  expect([...open]).toEqual([]);
});

verifies(
  "engine.ai-sdk.order",
  "a call of a stream that was cut does not run if it is not whole",
  async () => {
    for (const args of ["", '{"cmd":"rm -rf', "7"]) {
      await using server = await serveApi("chat", [raw(chunk(tool(0, "a", "exec_command", args)))]);
      const provider = await configured("chat", server);
      const done: ModelEvent[] = [];
      const reading = (async () => {
        const request = { model: "m", instructions: "", input: [], tools: [], ids: { thread: "t" } };
        for await (const event of provider.stream(request, new AbortController().signal)) {
          if (event.type === "itemDone") done.push(event);
        }
      })();
      expect(((await rejection(reading)) as ModelError).details.phase).toBe("stream");
      expect(done).toEqual([]);
    }
    // Without arguments, a whole response still makes the call.
    const events = await eventsOf("chat", raw(chunk(tool(0, "a", "now", "")), chunk({}, "tool_calls")));
    expect(itemsIn(events)).toEqual([["now", ""]]);
  },
);

verifies("engine.ai-sdk.odd", "reads odd streams of chat completions", async () => {
  const text = chunk({ content: "Hällo" });
  const bytes = Buffer.from(text);
  const odd: readonly (readonly [Answer, unknown[]])[] = [
    [
      raw(": OPENROUTER PROCESSING\n\n", chunk({ content: "" }), text, ": ping\n\n", chunk({}, "stop")),
      [["message", "Hällo"]],
    ],
    [raw(text.replaceAll("\n", "\r\n"), chunk({}, "stop").replaceAll("\n", "\r\n")), [["message", "Hällo"]]],
    [raw(...Array.from(bytes, (byte) => Uint8Array.of(byte)), chunk({}, "stop")), [["message", "Hällo"]]],
    [
      raw(chunk({ role: "assistant", content: null, ...tool(0, "a", "one", '{"x":[1]}') }, "tool_calls")),
      [["one", '{"x":[1]}']],
    ],
    [raw(sse({ type: "ping" }), sse({ object: "unknown" }), text, chunk({}, "eos")), [["message", "Hällo"]]],
    [raw(sse({ id: "c", choices: [] }), text, chunk({}, "stop"), "data: [DONE]\n\n"), [["message", "Hällo"]]],
    [raw(chunk({}, "stop")), []],
  ];
  for (const [answer, items] of odd) {
    const events = await eventsOf("chat", answer).catch((error: unknown) => error);
    expect(events).toBeInstanceOf(Array);
    expect(itemsIn(events as ModelEvent[])).toEqual(items);
    expect((events as ModelEvent[]).at(-1)?.type).toBe("completed");
  }
});

/** Anthropic's package takes an error in the first event for a refusal. */
const FIRST = sse(
  {
    type: "message_start",
    message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  },
  "message_start",
);

verifies("engine.ai-sdk.odd", "wrong JSON breaks a response off", async () => {
  for (const api of APIS) {
    for (const wrong of [
      "{wrong",
      '"',
      '{"choices":[{"delta":{"content":5}}]}',
      '{"candidates":[{"content":7}]}',
    ]) {
      const error = await rejection(
        eventsOf(api, raw(api === "anthropic" ? FIRST : "", `data: ${wrong}\n\n`)),
      );
      expect([api, wrong, (error as ModelError).details?.phase]).toEqual([api, wrong, "stream"]);
    }
  }
});

verifies(
  "engine.ai-sdk.usage",
  "counts the tokens that the server tells, and estimates the others",
  async () => {
    for (const api of APIS) {
      const told = await eventsOf(api, { text: "Hi.", usage: { input: 100, output: 20, cached: 60 } });
      expect([api, told.at(-1)]).toMatchObject([
        api,
        { usage: { inputTokens: 100, cachedInputTokens: 60, outputTokens: 20, totalTokens: 120 } },
      ]);
    }
    const answer: Answer = { text: "Hi.".repeat(400), usage: null };
    const picture = { type: "input_image", image_url: `data:image/png;base64,${"A".repeat(400_000)}` };
    await using server = await serveApi("chat", [answer]);
    const provider = await configured("chat", server);
    const input = [
      { type: "message", role: "user", content: [{ type: "input_text", text: "x".repeat(4_000) }, picture] },
    ];
    const last = (await read(provider, { input })).at(-1);
    const usage = last?.type === "completed" ? last.usage : undefined;
    expect(usage?.outputTokens).toBe(300);
    expect(usage?.inputTokens).toBeGreaterThan(1_000);
    expect(usage?.inputTokens).toBeLessThan(1_200);
  },
);

verifies("engine.ai-sdk.abort", "ends at once, and closes the connection", async () => {
  for (const api of APIS) {
    for (const when of ["silent", "begun"] as const) {
      let closed = (): void => {};
      const gone = new Promise<void>((resolve) => (closed = resolve));
      let arrived = (): void => {};
      const here = new Promise<void>((resolve) => (arrived = resolve));
      await using server = await serveApi(api, [
        (response) => {
          response.on("close", closed);
          if (when === "begun") {
            response.writeHead(200, { "content-type": "text/event-stream" });
            response.write(": hello\n\n");
          }
          arrived();
        },
      ]);
      const stop = new AbortController();
      const reading = rejection(read(await configured(api, server), { model: MODELS[api] }, stop.signal));
      await here;
      const why = new Error("enough");
      stop.abort(why);
      expect(await reading).toBe(why);
      await gone;
    }
  }
});
