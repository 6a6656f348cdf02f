import { expect } from "vitest";
import {
  applyPatch,
  exec,
  fail,
  gate,
  outputItem,
  reasoning,
  reply,
  scriptedModel,
  streamFail,
  toolCall,
  truncate,
  usage,
} from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { ask, events, items, parse, raw, type Event } from "./model-client.ts";

const MODEL = "testing.scripted-model";

verifies(MODEL, "a reply is a message with deltas, a phase and usage", async () => {
  await using model = await scriptedModel([
    reply("Hello you", { deltas: 3, phase: "final_answer", usage: { inputTokens: 7, outputTokens: 3 } }),
  ]);
  const seen = await events(model);
  expect(seen.map((event) => event.type)).toEqual([
    "response.created",
    "response.output_item.added",
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_text.delta",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(seen.slice(2, 5).map((event) => event["delta"])).toEqual(["Hel", "lo ", "you"]);
  expect(seen[5]?.item).toEqual({
    type: "message",
    id: "msg_0_0",
    role: "assistant",
    content: [{ type: "output_text", text: "Hello you", annotations: [] }],
    phase: "final_answer",
  });
  expect(seen[6]?.response?.["usage"]).toEqual({
    input_tokens: 7,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 3,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 10,
  });
});

const deltas = (seen: Event[]): unknown[] => seen.map((event) => event["delta"]).filter(Boolean);

verifies(MODEL, "deltas never split a character, and a slow stream loses none", async () => {
  await using model = await scriptedModel([
    reply("a🦀b", { deltas: 9, delayMs: 1 }),
    reply("whole", { deltas: 0 }),
  ]);
  expect(deltas(await events(model))).toEqual(["a", "🦀", "b"]);
  expect(deltas(await events(model))).toEqual([]);
});

verifies(
  MODEL,
  "an array is one response with several items, and each call in it has a unique id",
  async () => {
    await using model = await scriptedModel([
      [toolCall("a", { x: 1 }), toolCall("b", "{broken", { callId: "mine", namespace: "n" })],
      [reply("done"), outputItem({ type: "web_search_call", id: "ws" })],
    ]);
    expect(await items(model)).toEqual([
      { type: "function_call", id: "fc_0_0", call_id: "call_0_0", name: "a", arguments: '{"x":1}' },
      {
        type: "function_call",
        id: "fc_0_1",
        call_id: "mine",
        name: "b",
        namespace: "n",
        arguments: "{broken",
      },
    ]);
    expect((await items(model)).map((item) => item["type"])).toEqual(["message", "web_search_call"]);
  },
);

for (const [offered, name, args] of [
  ["exec_command", "exec_command", { cmd: "ls", workdir: "/w" }],
  ["shell_command", "shell_command", { command: "ls", workdir: "/w" }],
  ["shell", "shell", { command: ["bash", "-lc", "ls"], workdir: "/w" }],
  ["view_image", "exec_command", { cmd: "ls", workdir: "/w" }],
] as const)
  verifies(MODEL, `exec calls ${name} if ${offered} is offered`, async () => {
    await using model = await scriptedModel([exec("ls", { workdir: "/w" })]);
    const [call] = await items(model, { tools: [{ type: "function", name: offered }] });
    expect(call?.["name"]).toBe(name);
    expect(JSON.parse(String(call?.["arguments"]))).toEqual(args);
  });

verifies(MODEL, "exec with a justification requests to run outside the sandbox", async () => {
  await using model = await scriptedModel([
    exec("ls", { justification: "I must", args: { yield_time_ms: 5 } }),
  ]);
  const [call] = await items(model);
  expect(JSON.parse(String(call?.["arguments"]))).toEqual({
    cmd: "ls",
    sandbox_permissions: "require_escalated",
    justification: "I must",
    yield_time_ms: 5,
  });
});

verifies(MODEL, "a patch is a heredoc, with or without its envelope", async () => {
  const bare = "*** Add File: a.txt\n+hello\n";
  const whole = `*** Begin Patch\n${bare}*** End Patch`;
  await using model = await scriptedModel([applyPatch(bare), applyPatch(whole)]);
  for (let call = 0; call < 2; call++) {
    const [item] = await items(model);
    expect(JSON.parse(String(item?.["arguments"]))).toEqual({
      cmd: `apply_patch <<'PATCH'\n${whole}\nPATCH`,
    });
  }
});

verifies(MODEL, "reasoning has summary parts, their deltas and raw content", async () => {
  await using model = await scriptedModel([reasoning(["one", "two"], { deltas: 2, content: "raw" })]);
  const seen = await events(model);
  expect(seen.map((event) => [event.type, event["summary_index"], event["delta"]])).toEqual([
    ["response.created", undefined, undefined],
    ["response.output_item.added", undefined, undefined],
    ["response.reasoning_summary_part.added", 0, undefined],
    ["response.reasoning_summary_text.delta", 0, "o"],
    ["response.reasoning_summary_text.delta", 0, "ne"],
    ["response.reasoning_summary_part.added", 1, undefined],
    ["response.reasoning_summary_text.delta", 1, "t"],
    ["response.reasoning_summary_text.delta", 1, "wo"],
    ["response.reasoning_text.delta", undefined, "raw"],
    ["response.output_item.done", undefined, undefined],
    ["response.completed", undefined, undefined],
  ]);
  expect(seen[9]?.item?.["summary"]).toEqual([
    { type: "summary_text", text: "one" },
    { type: "summary_text", text: "two" },
  ]);
});

verifies(
  MODEL,
  "any item can set the usage; later fields override earlier ones, and there is a fixed default",
  async () => {
    await using model = await scriptedModel([
      [toolCall("a", {}, { usage: { inputTokens: 5 } }), usage({ cachedInputTokens: 2, totalTokens: 99 })],
      reply("x"),
    ]);
    const totals = async (): Promise<unknown> => (await events(model)).at(-1)?.response?.["usage"];
    expect(await totals()).toEqual({
      input_tokens: 5,
      input_tokens_details: { cached_tokens: 2 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 99,
    });
    expect(await totals()).toEqual({
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 110,
    });
  },
);

verifies(MODEL, "failures are an HTTP status or an event in the stream", async () => {
  await using model = await scriptedModel([
    fail(429, { code: "usage_limit_reached", message: "no more", headers: { "retry-after": "7" } }),
    fail(500),
    [reply("begun"), streamFail("rate_limit_exceeded", "slow down")],
  ]);
  const limited = await ask(model);
  expect(limited.status).toBe(429);
  expect(limited.headers.get("retry-after")).toBe("7");
  expect(await limited.json()).toEqual({
    error: { message: "no more", type: "usage_limit_reached", param: null, code: "usage_limit_reached" },
  });
  const broken = await ask(model);
  expect(broken.status).toBe(500);
  await broken.text();
  const seen = await events(model);
  expect(seen.at(-1)?.type).toBe("response.failed");
  expect(seen.at(-1)?.response?.["error"]).toEqual({ code: "rate_limit_exceeded", message: "slow down" });
});

verifies(MODEL, "a truncated stream has output but no end", async () => {
  await using model = await scriptedModel([truncate("par"), [reply("one"), truncate("tw", { drop: true })]]);
  const ended = await events(model);
  expect(ended.map((event) => event.type)).toEqual([
    "response.created",
    "response.output_item.added",
    "response.output_text.delta",
  ]);
  expect(ended.at(-1)?.["delta"]).toBe("par");
  const dropped = await raw(model);
  expect(dropped).toContain('"delta":"tw"');
  expect(dropped.endsWith("0\r\n\r\n")).toBe(false);
});

verifies(MODEL, "a gate holds a response in the middle of a message until it is opened", async () => {
  const middle = gate();
  await using model = await scriptedModel([reply("abcd", { deltas: ["ab", middle, "cd"] })]);
  const response = await ask(model);
  await middle.reached;
  let text = "";
  let opened = false;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (opened || !text.includes('"delta":"ab"')) continue;
    expect(text).not.toContain("cd");
    opened = true;
    middle.open();
  }
  expect(parse(text).at(-1)?.type).toBe("response.completed");
  expect(text).toContain('"delta":"cd"');
});
