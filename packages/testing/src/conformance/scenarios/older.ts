import { gate } from "../../model-gate.ts";
import { fail, reply, toolCall } from "../../model-steps.ts";
import { expectMatch, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { collect, heard, ofType, scenario, send, taken } from "../steps.ts";
import { failing } from "./errors.ts";
import { numbered, outputs } from "./tools.ts";
import { REMOTE_IMAGE } from "./turns.ts";

const ECHO = ({ lastUserText }: { readonly lastUserText: string }): ReturnType<typeof reply> =>
  reply(`answer to ${lastUserText}`);

/**
 * Scenarios for behaviour of older servers that newer servers have changed. The scenario with the same id, but without
 * the suffix, checks the new behaviour.
 */
export const OLDER: readonly Scenario[] = [
  scenario(
    "history.resume-early-until",
    "resumes a thread that has not run a turn",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const resumed = await codex.resumeThread(thread.id);
        expectMatch(await resumed.run("one"), { agentMessage: "answer to one" }, "the turn");
      },
    },
    { until: "0.99.0" },
  ),
  scenario(
    "history.resume-loaded-until",
    "resumes a loaded thread with the requested overrides",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const { id: threadId } = await codex.startThread();
        await codex.thread(threadId).run("one");
        expectMatch(
          await codex.request("thread/resume", { threadId, model: "other-model", sandbox: "read-only" }),
          { model: "other-model", sandbox: { type: "readOnly" } },
          "the answer",
        );
      },
    },
    { until: "0.104.0" },
  ),
  scenario(
    "history.unsubscribe-until",
    "closes a thread immediately when its last client unsubscribes",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const closed = heard(codex, "thread/closed");
        const { status } = await codex.request("thread/unsubscribe", { threadId: thread.id });
        expectMatch(status, "unsubscribed", "the status");
        expectMatch(await closed, { threadId: thread.id }, "the notifications");
        const again = await codex.request("thread/unsubscribe", { threadId: thread.id });
        expectMatch(again.status, "notLoaded", "the status of a second attempt");
      },
    },
    { since: "0.106.0", until: "0.121.0" },
  ),
  scenario(
    "turn.remote-image-until",
    "passes the address of a remote image on to the model",
    {
      model: () => reply("seen"),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread({ ephemeral: true });
        await thread.run([REMOTE_IMAGE]);
        const input = JSON.stringify(world.model.requests[0]?.input);
        expectThat(input.includes(REMOTE_IMAGE.url), "the model gets the address");
      },
    },
    { until: "0.142.1" },
  ),
  scenario(
    "tool.parallel-until",
    "makes the calls of one response one after the other",
    () => {
      let running = 0;
      let most = 0;
      const counted = async (n: number): Promise<string> => {
        most = Math.max(most, ++running);
        // Long enough for a parallel call to arrive.
        await new Promise((resolve) => setTimeout(resolve, 200));
        running--;
        return `number ${n}`;
      };
      const call = (n: number): ReturnType<typeof toolCall> =>
        toolCall("slow", { n }, { callId: `call_slow_${n}` });
      return {
        model: [[call(1), call(2)], reply("done")],
        run: async (world) => {
          const codex = await world.connect();
          await (await codex.startThread({ tools: [numbered("slow", counted)] })).run("go");
          expectMatch(outputs(world), { call_slow_1: "number 1", call_slow_2: "number 2" }, "the outputs");
          expectMatch(most, 1, "the number of parallel calls");
        },
      };
    },
    { until: "0.164.0" },
  ),
  scenario(
    "steer.running-until",
    "adds input to a running turn once the current message is complete",
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
          const input = [{ type: "text", text: "two" }] as const;
          expectMatch(
            await codex.steerTurn({ threadId: thread.id, expectedTurnId: turn.id, input }),
            turn.id,
            "the turn that received the input",
          );
          await taken(codex, thread.id);
          expectMatch(world.model.requests.length, 1, "the number of model calls");
          held.open();
          const { items, agentMessage } = await turn.completed;
          expectMatch(agentMessage, "both heard", "the answer");
          expectMatch(
            ofType(items, "agentMessage"),
            [{ text: "first" }, { text: "both heard" }],
            "the complete messages",
          );
        },
      };
    },
    { until: "0.162.0" },
  ),
  scenario(
    "start.running-until",
    "turn/start during a turn adds the input to it and returns an id that belongs to no turn",
    () => {
      const held = gate();
      return {
        model: [reply("first", { deltas: ["fir", held, "st"] }), reply("both")],
        run: async (world) => {
          const codex = await world.connect();
          const ended = collect(codex, "turn/completed");
          const thread = await codex.startThread();
          const turn = thread.turn("one");
          await heard(codex, "item/agentMessage/delta");
          const { turn: other } = await codex.request("turn/start", {
            threadId: thread.id,
            input: [{ type: "text", text: "two" }],
          });
          await turn.started;
          expectThat(other.id !== turn.id, "the answer has another id");
          await taken(codex, thread.id);
          held.open();
          expectMatch(await turn.completed, { agentMessage: "both" }, "the turn");
          expectMatch(ended, [{ params: { turn: { id: turn.id } } }], "the ends of turns");
        },
      };
    },
    { until: "0.148.0" },
  ),
  scenario(
    "interrupt.refused-until",
    "does not answer an interrupt after the turn's end, and runs the next turn",
    {
      model: ECHO,
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const { turn } = await thread.run("one");
        let answered = false;
        const settle = (): void => void (answered = true);
        send(codex, "turn/interrupt", { threadId: thread.id, turnId: turn.id }).then(settle, settle);
        expectMatch(await thread.run("two"), { agentMessage: "answer to two" }, "the next turn");
        expectThat(!answered, "the interrupt is not answered");
      },
    },
    { until: "0.128.0" },
  ),
  scenario(
    "error.unauthorized-until",
    "fails the turn without the status if the model answers 401",
    failing(fail(401), "other"),
    { until: "0.158.0" },
  ),
  scenario(
    "error.overloaded-until",
    "fails the turn without the reason if the model answers 503 because it is overloaded",
    failing(fail(503, { code: "server_is_overloaded" }), "other"),
    { until: "0.100.0" },
  ),
  scenario(
    "review.detached-until",
    "runs a detached review on a separate thread",
    {
      model: () => reply("Looks good.", { phase: "final_answer" }),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const ended = heard(codex, "turn/completed", ({ threadId }) => threadId !== thread.id);
        const answer = (await send(codex, "review/start", {
          threadId: thread.id,
          target: { type: "custom", instructions: "Look at it" },
          delivery: "detached",
        })) as { readonly reviewThreadId: string };
        expectThat(answer.reviewThreadId !== thread.id, "the answer names another thread");
        expectMatch(
          await ended,
          { threadId: answer.reviewThreadId, turn: { status: "completed" } },
          "the end of the review",
        );
      },
    },
    { until: "0.151.0" },
  ),
];
