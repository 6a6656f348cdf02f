import { gate } from "../../model-gate.ts";
import { hang, reply } from "../../model-steps.ts";
import { expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { collect, heard, ofType, scenario, send, since, taken } from "../steps.ts";

const OTHER = "01a1dee1-7664-7b61-90e2-23731fc5a095";
const text = (words: string): readonly object[] => [{ type: "text", text: words }];

/** A model that hangs on one input and answers all others. */
const WAITS = ({ lastUserText }: { readonly lastUserText: string }): ReturnType<typeof reply> =>
  lastUserText === "wait" ? hang() : reply(`heard ${lastUserText}`);

export const CONTROL: readonly Scenario[] = [
  scenario(
    "steer.running",
    "adds input to a running turn immediately, and the message that it cuts off never completes",
    () => {
      const held = gate();
      return {
        model: [reply("first", { deltas: ["fir", held, "st"] }), reply("both heard")],
        run: async (world) => {
          const codex = await world.connect();
          const thread = await codex.startThread();
          const turn = thread.turn("one");
          await heard(codex, "item/agentMessage/delta");
          await turn.started;
          const steered = await codex.steerTurn({
            threadId: thread.id,
            expectedTurnId: turn.id,
            input: [{ type: "text", text: "two" }],
          });
          expectMatch(steered, turn.id, "the turn that received the input");
          const { items, agentMessage } = await turn.completed;
          expectMatch(agentMessage, "both heard", "the answer");
          expectMatch(
            ofType(items, "userMessage"),
            [{ content: [{ text: "one" }] }, { content: [{ text: "two" }] }],
            "the user's messages",
          );
          expectMatch(ofType(items, "agentMessage").length, 1, "the number of complete messages");
        },
      };
    },
    { since: "0.162.0" },
  ),
  scenario(
    "steer.refused",
    "rejects a steer without a running turn, or for another turn",
    () => {
      const held = gate();
      return {
        model: [reply("one", { deltas: ["on", held, "e"] })],
        run: async (world) => {
          const codex = await world.connect();
          const thread = await codex.startThread();
          const { id: threadId } = thread;
          const steer = (): Promise<unknown> =>
            send(codex, "turn/steer", { threadId, input: text("more"), expectedTurnId: OTHER });
          await expectRejection(
            steer(),
            { rpcCode: -32600, message: "no active turn to steer" },
            "a steer without a turn",
          );
          const turn = thread.turn("one");
          await held.reached;
          await turn.started;
          await expectRejection(
            steer(),
            { rpcCode: -32600, message: `expected active turn id \`${OTHER}\` but found \`${turn.id}\`` },
            "a steer of another turn",
          );
          held.open();
          expectMatch(await turn.completed, { agentMessage: "one" }, "the turn");
        },
      };
    },
    { since: "0.99.0" },
  ),
  scenario(
    "start.running",
    "turn/start during a turn adds the input to it and returns its id",
    () => {
      const held = gate();
      return {
        model: [reply("first", { deltas: ["fir", held, "st"] }), reply("both")],
        run: async (world) => {
          const codex = await world.connect();
          const started = collect(codex, "turn/started");
          const thread = await codex.startThread();
          const turn = thread.turn("one");
          await heard(codex, "item/agentMessage/delta");
          const answer = await send(codex, "turn/start", { threadId: thread.id, input: text("two") });
          await turn.started;
          expectMatch(answer, { turn: { id: turn.id } }, "the answer");
          held.open();
          expectMatch(await turn.completed, { agentMessage: "both" }, "the turn");
          expectMatch(started.length, 1, "the number of turns started");
        },
      };
    },
    { since: "0.148.0" },
  ),
  scenario(
    "interrupt.running",
    "ends an interrupted turn as interrupted, with no items in its end, and the thread runs the next turn",
    {
      model: WAITS,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const ended = heard(codex, "turn/completed");
        const turn = thread.turn("wait");
        const outcome = expectRejection(turn.completed, { code: "turn_interrupted" }, "the turn");
        await world.model.request(0);
        await turn.started;
        await codex.request("turn/interrupt", { threadId: thread.id, turnId: turn.id });
        expectMatch(await ended, { turn: { status: "interrupted", items: [], error: null } }, "the end");
        await outcome;
        expectMatch(await thread.run("next"), { agentMessage: "heard next" }, "the next turn");
      },
    },
  ),
  scenario(
    "interrupt.early",
    "ends a turn that is interrupted right after its start as interrupted, and the thread runs the next turn",
    {
      model: WAITS,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const turn = thread.turn("wait");
        const outcome = expectRejection(turn.completed, { code: "turn_interrupted" }, "the turn");
        await turn.interrupt();
        await outcome;
        expectMatch(await thread.run("next"), { agentMessage: "heard next" }, "the next turn");
      },
    },
  ),
  scenario(
    "interrupt.refused",
    "rejects an interrupt after the turn's end, and for a turn other than the running one",
    () => {
      const held = gate();
      return {
        model: [reply("one"), reply("two", { deltas: ["tw", held, "o"] })],
        run: async (world) => {
          const codex = await world.connect();
          const thread = await codex.startThread();
          const { id: threadId } = thread;
          const { turn: first } = await thread.run("one");
          await expectRejection(
            send(codex, "turn/interrupt", { threadId, turnId: first.id }),
            { rpcCode: -32600, message: "no active turn to interrupt" },
            "an interrupt after the end",
          );
          const turn = thread.turn("two");
          await held.reached;
          await turn.started;
          await expectRejection(
            send(codex, "turn/interrupt", { threadId, turnId: OTHER }),
            { rpcCode: -32600, message: `expected active turn id ${OTHER} but found ${turn.id}` },
            "an interrupt of another turn",
          );
          held.open();
          expectMatch(await turn.completed, { agentMessage: "two" }, "the turn");
        },
      };
    },
    { since: "0.128.0" },
  ),
  scenario(
    "send.modes",
    "queues messages for a busy thread, or lets them interrupt it, and runs them as separate turns in order",
    {
      model: WAITS,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const first = thread.turn("wait");
        const outcome = expectRejection(first.completed, { code: "turn_interrupted" }, "the first turn");
        await world.model.request(0);
        const queued = await thread.send("queued", { mode: "queue" });
        const urgent = await thread.send("urgent", { mode: "interrupt" });
        expectMatch([queued.outcome, urgent.outcome], ["queued", "started"], "the outcomes");
        await outcome;
        expectMatch(await urgent.turn.completed, { agentMessage: "heard urgent" }, "the urgent turn");
        expectMatch(await queued.turn.completed, { agentMessage: "heard queued" }, "the queued turn");
        expectMatch(
          world.model.requests.map(({ lastUserText }) => lastUserText),
          ["wait", "urgent", "queued"],
          "the model's requests",
        );
      },
    },
  ),
  scenario(
    "send.steer",
    "lets a message for a busy thread steer its turn, and starts a turn if none is running",
    () => {
      const held = gate();
      return {
        model: ({ index }) =>
          index === 0 ? reply("first", { deltas: ["fir", held, "st"] }) : reply(`answer ${index}`),
        run: async (world) => {
          const codex = await world.connect();
          const thread = await codex.startThread();
          const turn = thread.turn("one");
          await heard(codex, "item/agentMessage/delta");
          const sent = await thread.send("two", { mode: "steer" });
          expectMatch(sent.outcome, "steered", "the outcome");
          expectThat(sent.turn === turn, "it is the running turn");
          if (!since(world, "0.99.0")) await taken(codex, thread.id);
          held.open();
          await turn.completed;
          const idle = await thread.send("three", { mode: "steer" });
          expectMatch(idle.outcome, "started", "the outcome on an idle thread");
          expectMatch(await idle.turn.completed, { agentMessage: /^answer / }, "the next turn");
        },
      };
    },
  ),
];
