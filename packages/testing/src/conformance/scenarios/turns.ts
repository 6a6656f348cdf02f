import { jsonSchema } from "codexwright/client";
import { reasoning, reply, toolCall, usage } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario, ScenarioSetup } from "../scenario.ts";
import { collect, eventsOf, ofType, scenario, send } from "../steps.ts";

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** An image that the server would have to fetch. */
export const REMOTE_IMAGE = { type: "image", url: "https://example.test/a.png" } as const;

const PHASES: ScenarioSetup = {
  model: [
    [
      reply("I will look.", { phase: "commentary" }),
      toolCall("update_plan", { plan: [{ step: "look", status: "pending" }] }),
    ],
    reply("It is fine.", { phase: "final_answer" }),
  ],
  modelTools: ["update_plan"],
};

export const TURNS: readonly Scenario[] = [
  scenario(
    "turn.text",
    "starts a turn, reports the user's message and the answer as items, and completes it",
    {
      model: [reply("Hello there")],
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const turn = thread.turn("hi");
        const methods = (await eventsOf(turn))
          .map(({ method }) => method)
          .filter((method) => /^(turn\/(started|completed)|item\/(started|completed))$/.test(method));
        const result = await turn.completed;
        expectMatch(
          methods,
          [
            "turn/started",
            "item/started",
            "item/completed",
            "item/started",
            "item/completed",
            "turn/completed",
          ],
          "the events",
        );
        expectMatch(
          result,
          {
            agentMessage: "Hello there",
            turn: { status: "completed", error: null },
            items: [
              { type: "userMessage", content: [{ type: "text", text: "hi" }] },
              { type: "agentMessage", text: "Hello there" },
            ],
          },
          "the result",
        );
        expectMatch(
          world.model.requests[0],
          { lastUserText: "hi", model: "mock-model" },
          "the model's request",
        );
      },
    },
  ),
  scenario("turn.answer", "answers turn/start with an acknowledgement: a turn in progress without items", {
    model: [reply("Hello")],
    run: async (world) => {
      const codex = await world.connect();
      const { id: threadId } = await codex.startThread();
      const done = codex.thread(threadId);
      const completed = new Promise<void>((resolve) => {
        codex.onNotification("turn/completed", () => resolve());
      });
      const { turn } = await codex.request("turn/start", {
        threadId,
        input: [{ type: "text", text: "hi" }],
      });
      expectMatch(turn, { status: "inProgress", items: [], error: null }, "the turn");
      await completed;
      expectMatch(done.state.activeTurnId, undefined, "the active turn");
    },
  }),
  scenario("turn.deltas", "streams the answer as deltas of its item, which add up to its text", {
    model: [reply("one two three four", { deltas: ["one ", "two ", "three ", "four"] })],
    run: async (world) => {
      const codex = await world.connect();
      const turn = (await codex.startThread({ ephemeral: true })).turn("hi");
      const deltas = (await eventsOf(turn)).flatMap((event) =>
        event.method === "item/agentMessage/delta" ? [event.params] : [],
      );
      expectMatch(
        deltas.map(({ delta }) => delta),
        ["one ", "two ", "three ", "four"],
        "the deltas",
      );
      const [item] = ofType((await turn.completed).items, "agentMessage");
      expectThat(
        deltas.every(({ itemId }) => itemId === item?.id),
        "the deltas name their item",
      );
    },
  }),
  scenario("turn.reasoning", "reports reasoning as an item with summary parts, streamed part by part", {
    model: [[reasoning(["First this", "then that"], { deltas: 2 }), reply("done")]],
    run: async (world) => {
      const codex = await world.connect();
      const turn = (await codex.startThread({ ephemeral: true })).turn("think");
      const parts: string[] = [];
      for (const event of await eventsOf(turn)) {
        if (event.method !== "item/reasoning/summaryTextDelta") continue;
        const { summaryIndex, delta } = event.params;
        parts[summaryIndex] = (parts[summaryIndex] ?? "") + delta;
      }
      expectMatch(parts, ["First this", "then that"], "the streamed parts");
      const [item] = ofType((await turn.completed).items, "reasoning");
      expectMatch(item, { summary: ["First this", "then that"] }, "the item");
    },
  }),
  scenario("turn.plan", "reports the model's plan with the status of its steps", {
    model: [
      toolCall("update_plan", {
        explanation: "two steps",
        plan: [
          { step: "look", status: "completed" },
          { step: "leap", status: "in_progress" },
        ],
      }),
      reply("done"),
    ],
    modelTools: ["update_plan"],
    run: async (world) => {
      const codex = await world.connect();
      const plans = collect(codex, "turn/plan/updated");
      await (await codex.startThread({ ephemeral: true })).run("plan");
      expectMatch(
        plans,
        [
          {
            params: {
              explanation: "two steps",
              plan: [
                { step: "look", status: "completed" },
                { step: "leap", status: "inProgress" },
              ],
            },
          },
        ],
        "the plans",
      );
    },
  }),
  scenario("turn.usage", "reports token usage after every model call, for the last call and in total", {
    model: [
      [
        toolCall("update_plan", { plan: [{ step: "look", status: "pending" }] }),
        usage({ inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, reasoningOutputTokens: 5 }),
      ],
      [
        reply("done"),
        usage({ inputTokens: 200, cachedInputTokens: 0, outputTokens: 20, reasoningOutputTokens: 0 }),
      ],
    ],
    modelTools: ["update_plan"],
    run: async (world) => {
      const codex = await world.connect();
      const told = collect(codex, "thread/tokenUsage/updated");
      const { usage: used } = await (await codex.startThread({ ephemeral: true })).run("go");
      expectMatch(
        told.at(-1)?.params.tokenUsage,
        {
          total: { inputTokens: 300, cachedInputTokens: 40, outputTokens: 30, totalTokens: 330 },
          last: { inputTokens: 200, cachedInputTokens: 0, outputTokens: 20, totalTokens: 220 },
        },
        "the last report",
      );
      expectMatch(used, { totalTokens: 330, reasoningOutputTokens: 5 }, "the turn's own usage");
    },
  }),
  scenario(
    "turn.phases",
    "reports the phase of messages once they are complete",
    {
      ...PHASES,
      run: async (world) => {
        const codex = await world.connect();
        const { items, agentMessage } = await (await codex.startThread({ ephemeral: true })).run("go");
        expectMatch(
          ofType(items, "agentMessage"),
          [
            { text: "I will look.", phase: "commentary" },
            { text: "It is fine.", phase: "final_answer" },
          ],
          "the messages",
        );
        expectMatch(agentMessage, "It is fine.", "the answer");
      },
    },
    { since: "0.105.0" },
  ),
  scenario(
    "turn.final",
    "includes the last message of a turn in turn/completed",
    {
      ...PHASES,
      run: async (world) => {
        const codex = await world.connect();
        const ended = collect(codex, "turn/completed");
        await (await codex.startThread({ ephemeral: true })).run("go");
        expectMatch(ended, [{ params: { turn: { items: [{ text: "It is fine." }] } } }], "the end");
      },
    },
    { since: "0.146.0" },
  ),
  scenario("turn.history", "turns of one thread share their history and have their own ids", {
    model: ({ lastUserText }) => reply(`answer to ${lastUserText}`),
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread({ ephemeral: true });
      const first = await thread.run("one");
      const second = await thread.run("two");
      expectThat(first.turn.id !== second.turn.id, "the ids differ");
      const roles = world.model.requests[1]?.input.map(({ role }) => role);
      expectMatch(roles?.slice(-3), ["user", "assistant", "user"], "the end of the model's input");
    },
  }),
  scenario("turn.input", "accepts several texts and images as input", {
    model: () => reply("seen"),
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread({ ephemeral: true });
      const { items } = await thread.run([
        { type: "text", text: "look at this" },
        { type: "image", url: PIXEL },
      ]);
      expectMatch(
        items[0],
        { type: "userMessage", content: [{ type: "text" }, { type: "image", url: PIXEL }] },
        "the user's message",
      );
      const input = JSON.stringify(world.model.requests[0]?.input);
      expectThat(input.includes(PIXEL), "the model gets the image");
    },
  }),
  scenario(
    "turn.remote-image",
    "rejects images that are not data URLs",
    {
      model: () => reply("seen"),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread({ ephemeral: true });
        await expectRejection(
          send(codex, "turn/start", { threadId: thread.id, input: [REMOTE_IMAGE] }),
          { rpcCode: -32600 },
          "a remote image",
        );
      },
    },
    { since: "0.142.1" },
  ),
  scenario("turn.overrides", "keeps the overrides of a turn for the turns after it", {
    model: () => reply("ok"),
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread({ ephemeral: true });
      await thread.run("one");
      await thread.run("two", { model: "other-model" });
      await thread.run("three");
      expectMatch(
        world.model.requests.map(({ model }) => model),
        ["mock-model", "other-model", "other-model"],
        "the requested models",
      );
    },
  }),
  scenario("turn.output", "sends an output schema to the model for that turn only", {
    model: () => reply('{"answer":42}'),
    run: async (world) => {
      const codex = await world.connect();
      const thread = await codex.startThread({ ephemeral: true });
      const schema = {
        type: "object",
        properties: { answer: { type: "integer" } },
        required: ["answer"],
        additionalProperties: false,
      } as const;
      const { output } = await thread.run("what?", { output: jsonSchema<{ answer: number }>(schema) });
      expectMatch(output, { answer: 42 }, "the output");
      await thread.run("again");
      const [first, second] = world.model.requests.map(
        ({ body }) => (body["text"] as { format?: unknown } | undefined)?.format,
      );
      expectMatch(first, { type: "json_schema", strict: true, schema }, "the first turn's format");
      expectMatch(second, undefined, "the second turn's format");
    },
  }),
  scenario("turn.isolation", "runs turns of several threads in parallel, each with its own events", {
    model: ({ lastUserText }) => reply(`echo ${lastUserText}`, { deltas: 3 }),
    run: async (world) => {
      const codex = await world.connect();
      const threads = await Promise.all(
        Array.from({ length: 4 }, () => codex.startThread({ ephemeral: true })),
      );
      const results = await Promise.all(threads.map((thread, n) => thread.run(`number ${n}`)));
      for (const [n, { agentMessage, items }] of results.entries()) {
        expectMatch(agentMessage, `echo number ${n}`, "the answer");
        expectMatch(items, [{ type: "userMessage" }, { type: "agentMessage" }], "the items");
      }
    },
  }),
];
