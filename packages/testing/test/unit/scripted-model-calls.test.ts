import { expect } from "vitest";
import { fail, gate, hang, reasoning, reply, scriptedModel, truncate, usage } from "@codexwright/testing";
import { verifies } from "@codexwright/test-support/verifies";
import { ask, codeOf, events, failure, items, type Wire } from "./model-client.ts";

const MODEL = "testing.scripted-model";

const message = (role: string, ...texts: string[]): Wire => ({
  type: "message",
  role,
  content: texts.map((text) => ({ type: "input_text", text })),
});
const user = (text: string): Wire => ({ input: [message("user", text)] });

verifies(
  MODEL,
  "close() immediately ends responses that hang or wait at a gate, and can be called twice",
  async () => {
    const held = gate();
    const model = await scriptedModel([hang(), [held, reply("never")], [reply("begun"), hang()]]);
    const hung = failure(ask(model));
    await model.request(0);
    const waiting = failure(ask(model));
    await held.reached;
    const begun = await ask(model);
    const body = failure(begun.text());
    await Promise.all([model.close(), model.close()]);
    expect((await hung).message).not.toBe("it resolved");
    expect((await waiting).message).not.toBe("it resolved");
    expect((await body).message).not.toBe("it resolved");
    expect((await failure(ask(model))).message).not.toBe("it resolved");
    await model[Symbol.asyncDispose]();
  },
);

verifies(MODEL, "a client that leaves does not disturb the next one", async () => {
  await using model = await scriptedModel([hang(), reply("next")]);
  const leaving = new AbortController();
  const left = failure(ask(model, {}, { signal: leaving.signal }));
  await model.request(0);
  leaving.abort();
  expect((await left).name).toBe("AbortError");
  expect((await events(model)).at(-1)?.type).toBe("response.completed");
});

verifies(
  MODEL,
  "functions create a response from the request, one step at a time or for all requests",
  async () => {
    await using one = await scriptedModel([(request) => reply(`to ${request.lastUserText}`), reply("last")]);
    expect(JSON.stringify(await items(one, user("Ann")))).toContain("to Ann");
    expect(JSON.stringify(await items(one))).toContain("last");
    await using all = await scriptedModel(async (request) =>
      request.lastUserText === "" ? undefined : [reply(request.lastUserText), usage({ inputTokens: 1 })],
    );
    const both = await Promise.all([items(all, user("left")), items(all, user("right"))]);
    expect(both.map((list) => JSON.stringify(list).includes("left"))).toEqual([true, false]);
    expect((await ask(all)).status).toBe(400);
    expect(all.unexpected.length).toBe(1);
  },
);

verifies(
  MODEL,
  "a call after the end of the script is an UnexpectedModelCall that quotes the input",
  async () => {
    await using model = await scriptedModel([reply("only")]);
    await events(model);
    const output = { type: "function_call_output", call_id: "c", output: "exit 0\nfine" };
    const response = await ask(model, { input: [output] });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string; code: string } };
    expect(error.message).toBe(
      'UnexpectedModelCall: model call 2, 1 scripted; last input function_call_output: "exit 0 fine"',
    );
    expect(error.code).toBe("unexpected_model_call");
    expect(model.unexpected.map((call) => [call.request.index, call.message])).toEqual([[1, error.message]]);
  },
);

verifies(MODEL, "reports a script that throws", async () => {
  const cause = new Error("my mistake");
  await using model = await scriptedModel([
    () => {
      throw cause;
    },
    () => [hang(), reply("behind")],
  ]);
  expect(((await (await ask(model)).json()) as { error: Wire }).error["message"]).toBe(
    "UnexpectedModelCall: model call 1, the script failed: Error: my mistake",
  );
  expect((await ask(model)).status).toBe(400);
  expect(model.unexpected[0]?.cause).toBe(cause);
  expect(model.unexpected[1]?.cause).toMatchObject({ code: "invalid_argument" });
});

verifies(MODEL, "parses requests and keeps no secrets", async () => {
  await using model = await scriptedModel([reply("ok"), reply("ok")]);
  const input = [
    message("developer", "Be brief."),
    message("user", "first"),
    { type: "function_call", call_id: "a", name: "t", arguments: "{}" },
    { type: "function_call_output", call_id: "a", output: "plain" },
    { type: "function_call_output", call_id: "b", output: [{ type: "input_text", text: "part" }] },
    message("user", "sec", "ond"),
  ];
  const tools = [
    { type: "function", name: "one" },
    { type: "namespace", name: "n", tools: [{ type: "function", name: "two" }] },
    { type: "web_search" },
  ];
  const headers = { authorization: "Bearer sk-secret", "thread-id": "t1", "x-api-key": "sk-secret" };
  await (await ask(model, { input, tools }, { headers })).text();
  const request = await model.request(0);
  expect(request).toBe(model.requests[0] ?? request);
  expect({ ...request, headers: undefined, body: undefined, input: undefined }).toEqual({
    index: 0,
    path: "/v1/responses",
    model: "m",
    threadId: "t1",
    instructions: "Be brief.",
    tools: ["one", "n.two", "web_search"],
    lastUserText: "second",
    toolOutputs: { a: "plain", b: "part" },
    headers: undefined,
    body: undefined,
    input: undefined,
  });
  expect(request.input).toEqual(input);
  expect(request.headers["authorization"]).toBe("[redacted]");
  expect(JSON.stringify(request)).not.toContain("sk-secret");
  await (await ask(model, { instructions: "Base.", prompt_cache_key: "p" })).text();
  expect([model.requests[1]?.instructions, model.requests[1]?.threadId]).toEqual(["Base.", "p"]);
});

verifies(MODEL, "a request can be awaited, and the wait ends when the model closes", async () => {
  const model = await scriptedModel([reply("a"), reply("b")]);
  const second = model.request(1);
  const never = failure(model.request(2));
  await events(model);
  await events(model);
  expect((await second).index).toBe(1);
  await model.close();
  expect(await never).toMatchObject({ code: "model_closed" });
  expect((await model.request(0)).index).toBe(0);
  expect(await failure(model.request(2))).toMatchObject({ code: "model_closed" });
});

verifies(
  MODEL,
  "answers requests that are not model calls with harmless values, and does not count them",
  async () => {
    await using model = await scriptedModel([]);
    const models = await fetch(`${model.baseUrl}/models?client_version=1`);
    expect(await models.json()).toEqual({ models: [], object: "list", data: [] });
    const other = await fetch(`${model.baseUrl}/anything`, { method: "POST", body: "x" });
    expect(other.status).toBe(404);
    await other.text();
    const unreadable = await ask(model, {}, { body: "not json" });
    expect(unreadable.status).toBe(400);
    await unreadable.text();
    expect([model.requests.length, model.unexpected.length]).toEqual([0, 0]);
  },
);

verifies(MODEL, "rejects a script that cannot be played when it is created", async () => {
  expect(codeOf(() => reply("abc", { deltas: ["a", "b"] }))).toBe("invalid_argument");
  expect(codeOf(() => reply("abc", { deltas: -1 }))).toBe("invalid_argument");
  expect(codeOf(() => reasoning("abc", { deltas: 0.5 }))).toBe("invalid_argument");
  expect(codeOf(() => fail(200))).toBe("invalid_argument");
  const behind = await failure(scriptedModel([[truncate(), reply("behind")]]));
  expect(behind).toMatchObject({ code: "invalid_argument" });
  const before = await failure(scriptedModel([[reply("before"), fail(500)]]));
  expect(before).toMatchObject({ code: "invalid_argument" });
});

verifies(
  MODEL,
  "rejects a value that is not a response and says what to use; a value in a list is rejected immediately",
  async () => {
    for (const [wrong, shown] of [
      ["hello", '"hello"'],
      [["hello"], '["hello"]'],
      [null, "null"],
      [{ text: "hello" }, '{"text":"hello"}'],
    ] as const) {
      const told = (await failure(scriptedModel([wrong as never]))).message;
      expect(told).toContain('reply("…")');
      expect(told).toContain(`got ${shown}`);
    }
    await using model = await scriptedModel(() => "hello" as never);
    expect(await (await ask(model)).text()).toContain("a response must be an item");
  },
);
