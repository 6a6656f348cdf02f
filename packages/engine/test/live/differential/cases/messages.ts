import { gate, outputItem, reasoning, reply, toolCall, usage, type Scenario } from "@codexwright/testing";
import { differential, heard, run, steps, turns } from "./case.ts";

/** Messages of the model, and messages of the user in between. */
export const MESSAGES: readonly Scenario[] = [
  differential("message.plain", "a message", turns({ model: [reply("Hello there", { deltas: 3 })] })),
  differential(
    "message.ephemeral",
    "a message on an ephemeral thread",
    steps({ model: [reply("Hello there"), reply("again")] }, async (codex) => {
      const thread = await codex.startThread({ ephemeral: true });
      await run(thread, "one");
      await run(thread, "two");
    }),
  ),
  differential(
    "message.reasoning",
    "reasoning and messages go back to the model in the next turn",
    turns(
      {
        model: [
          [
            reasoning(["First", "then"], { deltas: 2, content: "raw" }),
            reply("Hello", { phase: "commentary" }),
            reply("there", { phase: "final_answer" }),
          ],
          reply("again"),
        ],
      },
      ["one", "two"],
    ),
  ),
  differential(
    "message.encrypted",
    "encrypted reasoning goes back to the model",
    turns(
      {
        model: [
          [
            outputItem({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VjcmV0" }),
            reply("Hello"),
          ],
          reply("again"),
        ],
      },
      ["one", "two"],
    ),
  ),
  differential(
    "message.empty",
    "an answer without any item",
    turns({ model: [usage({ inputTokens: 5 }), reply("again")] }, ["one", "two"]),
  ),
  differential(
    "message.usage",
    "the usage of a response with cached and reasoning tokens",
    turns({
      model: [
        reply("x", {
          usage: { inputTokens: 1000, cachedInputTokens: 400, outputTokens: 30, reasoningOutputTokens: 20 },
        }),
      ],
    }),
  ),
  differential(
    "message.unknown-item",
    "an output item of a type that does not exist",
    turns({ model: [[outputItem({ type: "hologram", id: "h_1" }), reply("x")], reply("again")] }, [
      "one",
      "two",
    ]),
  ),
  differential(
    "message.web-search",
    "a web search of the provider",
    turns(
      {
        model: [
          [
            outputItem({
              type: "web_search_call",
              id: "ws_1",
              status: "completed",
              action: { type: "search", query: "weather" },
            }),
            reply("x"),
          ],
          reply("again"),
        ],
      },
      ["one", "two"],
    ),
  ),
  differential("steer.message", "a steer while the model speaks", () => {
    const held = gate();
    return steps(
      { model: [reply("first", { deltas: ["fir", held, "st"] }), reply("both"), reply("next")] },
      async (codex) => {
        const thread = await codex.startThread();
        const spoken = heard(codex, "item/agentMessage/delta");
        const turn = thread.turn("one");
        await spoken;
        await turn.started;
        await turn.steer("two");
        await turn.completed.catch(() => {});
        held.open();
        await run(thread, "three");
      },
    );
  }),
  differential("steer.tool", "a steer while a tool runs", () =>
    steps(
      {
        model: [
          toolCall("exec_command", { cmd: "while [ ! -e go ]; do sleep 0.05; done; echo went" }),
          reply("both"),
          reply("next"),
        ],
      },
      async (codex, world) => {
        const thread = await codex.startThread();
        const started = heard(codex, "item/started", ({ item }) => item.type === "commandExecution");
        const turn = thread.turn("one");
        await started;
        await turn.steer("two");
        await codex.fs.writeFile(`${world.workspace}/go`, "");
        await turn.completed.catch(() => {});
        await run(thread, "three");
      },
    ),
  ),
  differential("interrupt.message", "an interrupt while the model speaks", () => {
    const held = gate();
    return steps(
      { model: [reply("first", { deltas: ["fir", held, "st"] }), reply("next")] },
      async (codex) => {
        const thread = await codex.startThread();
        const spoken = heard(codex, "item/agentMessage/delta");
        const turn = thread.turn("one");
        await spoken;
        await turn.started;
        await turn.interrupt();
        await turn.completed.catch(() => {});
        await run(thread, "two");
      },
    );
  }),
];
