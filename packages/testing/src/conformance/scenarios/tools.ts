import { jsonSchema } from "codexwright/client";
import { tool, type Tool } from "codexwright/client";
import { reply, toolCall, type ModelItem } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario, ScenarioRun, World } from "../scenario.ts";
import { collect, deferred, ofType, scenario, send } from "../steps.ts";

const DONE = reply("done");
const INPUT = jsonSchema<{ n: number }>({
  type: "object",
  properties: { n: { type: "number" } },
  required: ["n"],
  additionalProperties: false,
});

export function numbered(
  name: string,
  run: (n: number) => string | Promise<string>,
  namespace?: string,
): Tool {
  return tool({
    name,
    description: `The ${name} tool`,
    input: INPUT,
    ...(namespace !== undefined && { namespace }),
    run: ({ n }) => run(n),
  });
}

const call = (name: string, n: number, namespace?: string): ModelItem =>
  toolCall(name, { n }, { callId: `call_${name}_${n}`, ...(namespace !== undefined && { namespace }) });

export function outputs({ model }: World): Readonly<Record<string, string>> {
  return model.requests.at(-1)?.toolOutputs ?? {};
}

function named(name: string): object {
  return { type: "function", name, description: "A tool", inputSchema: { type: "object", properties: {} } };
}

/** Checks that the server rejects a thread start with each of these tool lists. */
function refused(...lists: readonly (readonly object[])[]): ScenarioRun {
  return {
    model: [],
    run: async (world) => {
      const codex = await world.connect();
      for (const dynamicTools of lists) {
        await expectRejection(
          send(codex, "thread/start", { dynamicTools }),
          { rpcCode: -32600 },
          "the start",
        );
      }
    },
  };
}

export const TOOLS: readonly Scenario[] = [
  scenario("tool.call", "offers a client's tool to the model, which calls it and gets its result", {
    model: [call("double", 21), DONE],
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread({ tools: [numbered("double", (n) => String(n * 2))] });
      expectMatch(await thread.run("go"), { agentMessage: "done" }, "the turn");
      expectThat(
        world.model.requests[0]?.tools.includes("double") === true,
        "the tool is offered to the model",
      );
      expectMatch(outputs(world), { call_double_21: "42" }, "the output that the model received");
    },
  }),
  scenario(
    "tool.item",
    "reports a tool call as an item with its arguments and its outcome",
    {
      model: [call("double", 21), DONE],
      run: async (world) => {
        const codex = await world.connect();
        const started = collect(codex, "item/started");
        const thread = await codex.startThread({ tools: [numbered("double", (n) => String(n * 2))] });
        const { items } = await thread.run("go");
        expectMatch(
          ofType(items, "dynamicToolCall"),
          [
            {
              id: "call_double_21",
              tool: "double",
              arguments: { n: 21 },
              status: "completed",
              success: true,
              contentItems: [{ type: "inputText", text: "42" }],
            },
          ],
          "the item",
        );
        const [begun] = ofType(
          started.map(({ params }) => params.item),
          "dynamicToolCall",
        );
        expectMatch(begun, { status: "inProgress", success: null }, "the item when it starts");
      },
    },
    { since: "0.106.0" },
  ),
  scenario(
    "tool.failure",
    "reports a failing tool as failed, gives the model the reason, and continues the turn",
    {
      model: [call("break", 1), DONE],
      run: async (world) => {
        const codex = await world.connect();
        const broken = numbered("break", () => Promise.reject(new Error("it is broken")));
        const { items, agentMessage } = await (await codex.startThread({ tools: [broken] })).run("go");
        expectMatch(ofType(items, "dynamicToolCall"), [{ status: "failed", success: false }], "the item");
        expectMatch(outputs(world)["call_break_1"], /it is broken/, "the output that the model received");
        expectMatch(agentMessage, "done", "the answer");
      },
    },
    { since: "0.106.0" },
  ),
  scenario(
    "tool.refused",
    "fails a call that is answered with an error or an invalid result, and continues the turn",
    {
      model: [call("odd", 1), call("odd", 2), DONE],
      run: async (world) => {
        const codex = await world.connect();
        codex.onServerRequest("item/tool/call", ({ callId }) => {
          if (callId === "call_odd_1") throw new Error("no handler is available");
          return { nonsense: true } as never;
        });
        const odd = numbered("odd", () => "");
        const { items, agentMessage } = await (await codex.startThread({ tools: [odd] })).run("go");
        expectMatch(ofType(items, "dynamicToolCall"), [{ success: false }, { success: false }], "the items");
        expectMatch(
          outputs(world)["call_odd_1"],
          /dynamic tool request failed/,
          "the output that the model received",
        );
        expectMatch(
          outputs(world)["call_odd_2"],
          /response was invalid/,
          "the output that the model received",
        );
        expectMatch(agentMessage, "done", "the answer");
      },
    },
    { since: "0.106.0" },
  ),
  scenario(
    "tool.parallel",
    "makes the calls of one response in parallel: all are sent before the first is answered",
    () => {
      const both = deferred();
      let asked = 0;
      const wait = async (n: number): Promise<string> => {
        if (++asked === 2) both.resolve();
        await both.promise;
        return `number ${n}`;
      };
      return {
        model: [[call("slow", 1), call("slow", 2)], DONE],
        run: async (world) => {
          const codex = await world.connect();
          const thread = await codex.startThread({ tools: [numbered("slow", wait)] });
          await thread.run("go");
          expectMatch(outputs(world), { call_slow_1: "number 1", call_slow_2: "number 2" }, "the outputs");
        },
      };
    },
    { since: "0.164.0" },
  ),
  scenario(
    "tool.namespace",
    "offers and calls a tool in its namespace, apart from another tool of the same name",
    {
      model: [[call("find", 1, "books"), call("find", 2, "films")], DONE],
      run: async (world) => {
        const codex = await world.connect();
        const tools = ["books", "films"].map((space) => numbered("find", (n) => `${space} ${n}`, space));
        const { items } = await (await codex.startThread({ tools })).run("go");
        expectMatch(outputs(world), { call_find_1: "books 1", call_find_2: "films 2" }, "the outputs");
        const spaces = ofType(items, "dynamicToolCall").map(({ namespace }) => String(namespace));
        expectMatch(spaces.toSorted(), ["books", "films"], "the namespaces of the items");
      },
    },
    { since: "0.145.0" },
  ),
  scenario(
    "tool.names",
    "rejects two tools of one name, and an empty name, when the thread is started",
    refused([named("a"), named("a")], [named("")]),
  ),
  scenario(
    "tool.spelling",
    "rejects a tool name that the model's interface does not allow when the thread is started",
    refused([named("a b")]),
    { since: "0.129.0" },
  ),
  scenario("tool.resume", "keeps the tools of a thread, and a resumed thread calls them again", {
    model: [DONE, call("double", 4), DONE],
    run: async (world) => {
      const tools = [numbered("double", (n) => String(n * 2))];
      const codex = await world.connect();
      const thread = await codex.startThread({ tools });
      await thread.run("one");
      await codex.disconnect();
      const later = await world.connect();
      await (await later.resumeThread(thread.id, { tools })).run("two");
      expectMatch(outputs(world), { call_double_4: "8" }, "the outputs");
    },
  }),
];
