import { jsonSchema, tool } from "codexwright";
import { expect } from "vitest";
import {
  EngineServer,
  type EngineServerOptions,
  type ModelEvent,
  type ToolHandler,
} from "@codexwright/engine";
import { verifies } from "@codexwright/test-support/verifies";
import { call, completed, connect, message, modelOf, optionsOf, type Answer } from "../ports.ts";

const DONE: readonly ModelEvent[] = [...message("m", "done"), completed];

/** Runs one turn and returns its answer and the outputs that the model received. */
async function turn(first: Answer, options: Partial<EngineServerOptions> = {}) {
  const model = modelOf(first, DONE);
  await using server = new EngineServer(optionsOf(model, options));
  await using codex = await connect(server);
  const result = await (await codex.startThread()).run("go");
  const input = model.requests[1]?.input ?? [];
  return {
    ...result,
    requests: model.requests,
    failures: server.failures,
    outputs: input.filter(({ type }) => String(type).endsWith("_output")).map(({ output }) => output),
  };
}

/** A tool that reports when it begins and ends. The end waits for `until`. */
function slow(
  name: string,
  parallel: boolean,
  log: string[],
  until: Promise<void> = Promise.resolve(),
): ToolHandler {
  return {
    name,
    parallel,
    spec: () => ({ type: "function", name, parameters: { type: "object", properties: {} } }),
    run: async () => {
      log.push(`${name} begins`);
      await until;
      log.push(`${name} ends`);
      return { output: name };
    },
  };
}

verifies("engine.loop.tools", "answers unknown tools and broken arguments with a text", async () => {
  const raw = (callId: string, name: unknown, args: unknown, more: object = {}): ModelEvent => ({
    type: "itemDone",
    item: { type: "function_call", call_id: callId, name, arguments: args, ...more },
  });
  const { agentMessage, outputs, failures } = await turn([
    raw("c1", "constructor", "{}"),
    raw("c2", "toString", "{}", { namespace: "__proto__" }),
    raw("c3", "exec_command", "{bad"),
    raw("c4", "exec_command", "[1]"),
    raw("c5", 7, "{}"),
    raw("c6", "update_plan", JSON.stringify({ plan: 1 })),
    raw("c7", "list", "{}", { namespace: "mcp__none" }),
    {
      type: "itemDone",
      item: { type: "custom_tool_call", call_id: "c8", name: "exec_command", input: "rm -rf /" },
    },
    completed,
  ]);
  expect(agentMessage).toBe("done");
  expect(failures).toEqual([]);
  expect(outputs.map((output) => String(output).replace(/(arguments: ).*/, "$1…"))).toEqual([
    "unsupported call: constructor",
    "unsupported call: __proto__toString",
    "failed to parse function arguments: …",
    "failed to parse function arguments: …",
    "unsupported call: ",
    "failed to parse function arguments: …",
    "unsupported call: mcp__nonelist",
    "unsupported call: exec_command",
  ]);
});

verifies("engine.loop.tools", "tells the model if a tool throws, and continues the turn", async () => {
  const broken = (name: string, run: ToolHandler["run"]): ToolHandler => ({
    name,
    parallel: true,
    spec: () => undefined,
    run,
  });
  const tools = [
    broken("now", () => {
      throw new TypeError("no such thing");
    }),
    broken("later", () => Promise.reject(new Error("too late"))),
    // oxlint-disable-next-line prefer-promise-reject-errors -- a tool of JavaScript may do it
    broken("odd", () => Promise.reject("only a text")),
  ];
  const { agentMessage, outputs, failures } = await turn(
    [call("a", "now", {}), call("b", "later", {}), call("c", "odd", {}), completed],
    { tools },
  );
  expect(agentMessage).toBe("done");
  expect(outputs).toEqual(["now failed: no such thing", "later failed: too late", "odd failed: only a text"]);
  expect(failures).toHaveLength(3);
});

verifies(
  "engine.loop.order",
  "runs parallel tools together, others alone, and keeps the order of the calls",
  async () => {
    const log: string[] = [];
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const second: ToolHandler = {
      ...slow("p2", true, log),
      run: () => {
        log.push("p2 begins");
        open();
        return { output: "p2" };
      },
    };
    const tools = [slow("p1", true, log, gate), second, slow("alone", false, log), slow("p3", true, log)];
    const { outputs } = await turn(
      [
        call("a", "p1", {}),
        call("b", "p2", {}),
        call("c", "alone", {}),
        call("d", "p3", {}),
        call("e", "alone", {}),
        completed,
      ],
      { tools },
    );
    expect(log).toEqual([
      "p1 begins",
      "p2 begins",
      "p1 ends",
      "alone begins",
      "alone ends",
      "p3 begins",
      "p3 ends",
      "alone begins",
      "alone ends",
    ]);
    expect(outputs).toEqual(["p1", "p2", "alone", "p3", "alone"]);
  },
);

verifies("engine.loop.order", "starts a tool while the response goes on", async () => {
  let began: () => void = () => {};
  const running = new Promise<void>((resolve) => (began = resolve));
  const early: ToolHandler = {
    ...slow("early", true, []),
    run: () => {
      began();
      return { output: "early" };
    },
  };
  const { outputs } = await turn(
    async function* () {
      yield call("a", "early", {});
      await running;
      yield completed;
    },
    { tools: [early] },
  );
  expect(outputs).toEqual(["early"]);
});

verifies("engine.loop.freeform", "gives the text of a custom call to a tool that accepts it", async () => {
  const poem: ToolHandler = {
    ...slow("poem", true, []),
    freeform: true,
    run: ({ args, input }) => ({ output: `${args}|${String(input["input"])}` }),
  };
  const custom = (callId: string, name: string, input: unknown): ModelEvent => ({
    type: "itemDone",
    item: { type: "custom_tool_call", call_id: callId, name, input },
  });
  const { requests, outputs } = await turn(
    [
      custom("a", "poem", "roses\n{"),
      call("b", "poem", { input: "violets" }),
      custom("c", "apply_patch", "no patch"),
      completed,
    ],
    { tools: [poem] },
  );
  expect(outputs.slice(0, 2)).toEqual(["roses\n{|roses\n{", '{"input":"violets"}|violets']);
  expect(outputs[2]).toContain("apply_patch verification failed");
  const kinds = requests[1]?.input.filter(({ call_id: id }) => id !== undefined).map(({ type }) => type);
  expect(kinds).toEqual([
    "custom_tool_call",
    "function_call",
    "custom_tool_call",
    "custom_tool_call_output",
    "function_call_output",
    "custom_tool_call_output",
  ]);
});

const CITY = jsonSchema<{ city: string }>({
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
});

verifies("engine.loop.own-tools", "runs a tool of the program, and shows its call as an item", async () => {
  const weather = tool({
    name: "weather",
    description: "The weather in a city.",
    input: CITY,
    run: ({ city }, { callId }) => `sunny in ${city}, ${callId}`,
  });
  const { items, outputs, requests, failures } = await turn(
    [call("a", "weather", { city: "Oslo" }), call("b", "weather", { town: "Oslo" }), completed],
    { tools: [weather] },
  );
  expect(outputs[0]).toBe("sunny in Oslo, a");
  expect(outputs[1]).toContain("The arguments of weather are invalid");
  expect(items.filter(({ type }) => type === "dynamicToolCall")).toMatchObject([
    { id: "a", tool: "weather", status: "completed", success: true },
    { id: "b", tool: "weather", status: "failed", success: false },
  ]);
  expect(requests[0]?.tools.find(({ name }) => name === "weather")).toMatchObject({
    type: "function",
    description: "The weather in a city.",
    parameters: { type: "object", required: ["city"] },
  });
  expect(failures).toEqual([]);
});

verifies("engine.loop.own-tools", "replaces a tool of the engine, and refuses wrong tools", async () => {
  const own = tool({
    name: "exec_command",
    description: "Runs nothing.",
    input: jsonSchema({ type: "object" }),
    run: () => "nothing ran",
  });
  const { outputs, requests } = await turn([call("a", "exec_command", { cmd: "make" }), completed], {
    tools: [own],
  });
  expect(outputs).toEqual(["nothing ran"]);
  expect(requests[0]?.tools.filter(({ name }) => name === "exec_command")).toMatchObject([
    { description: "Runs nothing." },
  ]);
  const good = slow("good", true, []);
  for (const wrong of [
    [good, good],
    [{ ...good, name: "a b" }],
    [{ ...good, run: 1 }],
    [{ ...good, namespace: "" }],
    [7],
  ]) {
    expect(() => new EngineServer(optionsOf(modelOf(), { tools: wrong as never }))).toThrow(/tools/);
  }
});

verifies(
  "engine.loop.namespaces",
  "puts the namespace into the name for providers without namespaces",
  async () => {
    const inner: ToolHandler = {
      ...slow("look", true, []),
      namespace: "sky",
      run: ({ namespace }) => ({ output: String(namespace) }),
    };
    const long: ToolHandler = { ...slow("x".repeat(60), true, []), namespace: "sky" };
    const nested = modelOf((request) => {
      const names = request.tools.map(({ name }) => String(name)).filter((name) => name.startsWith("sky__"));
      return answered(names);
    }, DONE);
    async function* answered(names: readonly string[]): AsyncGenerator<ModelEvent> {
      for (const name of names) yield call(name, name, {});
      yield completed;
    }
    await using server = new EngineServer(
      optionsOf({ ...nested, namespaces: false }, { tools: [inner, long] }),
    );
    await using codex = await connect(server);
    await (await codex.startThread()).run("go");
    const [first, second] = nested.requests;
    const names = first?.tools.map(({ name }) => String(name)) ?? [];
    expect(names).toContain("sky__look");
    expect(names.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(first?.tools.every(({ type }) => type !== "namespace")).toBe(true);
    const calls = second?.input.filter(({ type }) => type === "function_call") ?? [];
    expect(calls.map(({ name, namespace }) => [name, namespace])).toEqual(
      names.filter((name) => name.startsWith("sky__")).map((name) => [name, undefined]),
    );
    const outputs = second?.input.filter(({ type }) => type === "function_call_output");
    expect(outputs?.map(({ output }) => output)).toEqual(["sky", "x".repeat(60)]);
  },
);

verifies("engine.loop.specs", "offers every tool with a description and a schema, always alike", async () => {
  const { requests } = await turn([call("a", "update_plan", {}), completed]);
  const [first, second] = requests;
  const functions = (first?.tools ?? []).flatMap((spec) =>
    spec["type"] === "namespace" ? (spec["tools"] as readonly Record<string, unknown>[]) : [spec],
  );
  expect(functions.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "exec_command",
      "apply_patch",
      "update_plan",
      "request_user_input",
      "spawn_agent",
    ]),
  );
  for (const { name, description, parameters } of functions) {
    expect(`${String(name)} ${String(description)}`.length).toBeGreaterThan(40);
    expect(parameters).toMatchObject({ type: "object" });
  }
  expect(second?.tools).toEqual(first?.tools);
});
