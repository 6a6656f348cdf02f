import type { CodexClient } from "codexwright/client";
import { gate } from "../../model-gate.ts";
import { exec, reply } from "../../model-steps.ts";
import { expectMatch, expectThat } from "../expect.ts";
import type { Scenario, ScenarioNeeds, World } from "../scenario.ts";
import { collect, deferred, heard, ofType, scenario } from "../steps.ts";

const many = (since: string): ScenarioNeeds => ({ clients: "many", since });
const TOUCH = exec("touch a.txt", { justification: "needs a file" });
const DONE = reply("done");

/** A thread that has run a turn, so that others can resume it. */
async function shared(world: World, codex: CodexClient): Promise<string> {
  const thread = await codex.startThread();
  await thread.run("first");
  expectThat(world.model.requests.length === 1, "the first turn asked the model once");
  return thread.id;
}

export const CLIENTS: readonly Scenario[] = [
  scenario(
    "clients.broadcast",
    "announces threads to all clients, and their turns only to subscribers",
    {
      model: [reply("one")],
      run: async (world) => {
        const [first, second] = [await world.connect(), await world.connect()];
        const announced = heard(second, "thread/started");
        const idle = heard(second, "thread/status/changed", ({ status }) => status.type === "idle");
        const turns = collect(second, "turn/started", "item/completed", "turn/completed");
        const thread = await first.startThread();
        await thread.run("hello");
        expectMatch(await announced, { thread: { id: thread.id } }, "the announcement");
        expectMatch(await idle, { threadId: thread.id }, "the status");
        expectMatch(turns, [], "the turn's events at the other client");
      },
    },
    many("0.110.0"),
  ),
  scenario(
    "clients.subscribe",
    "sends a thread's events to a client that resumes it, too",
    {
      model: [reply("one"), reply("two", { deltas: ["t", "wo"] })],
      run: async (world) => {
        const [first, second] = [await world.connect(), await world.connect()];
        const threadId = await shared(world, first);
        const seen = await second.resumeThread(threadId);
        const ended = heard(second, "turn/completed");
        const { turn } = await first.thread(threadId).run("second");
        expectMatch(
          await ended,
          { turn: { id: turn.id, status: "completed" } },
          "the end at the other client",
        );
        expectMatch(
          seen.state.turns.at(-1)?.items.map(({ item }) => item.type),
          ["userMessage", "agentMessage"],
          "the items at the other client",
        );
      },
    },
    many("0.100.0"),
  ),
  scenario(
    "clients.first-answer",
    "asks all subscribers; the first answer counts, and all of them receive the resolution",
    () => {
      const both = deferred();
      let asked = 0;
      const arrived = (): void => {
        if (++asked === 2) both.resolve();
      };
      return {
        model: [reply("one"), TOUCH, DONE],
        approvalPolicy: "on-request",
        sandbox: "read-only",
        run: async (world) => {
          const aborted = deferred();
          const first = await world.connect({
            onApproval: ({ signal }) => {
              signal.addEventListener("abort", () => aborted.resolve());
              arrived();
              return new Promise(() => {});
            },
          });
          const second = await world.connect({
            onApproval: async (): Promise<"decline"> => {
              arrived();
              await both.promise;
              return "decline";
            },
          });
          const threadId = await shared(world, first);
          await second.resumeThread(threadId);
          const resolved = [first, second].map((codex) => heard(codex, "serverRequest/resolved"));
          const { items } = await first.thread(threadId).run("go");
          const [one, other] = await Promise.all(resolved);
          expectMatch(
            one,
            { threadId, requestId: other?.requestId },
            "the notifications at the first client",
          );
          await aborted.promise;
          expectMatch(ofType(items, "commandExecution"), [{ status: "declined" }], "the command");
        },
      };
    },
    many("0.107.0"),
  ),
  scenario(
    "clients.drop",
    "keeps an approval open when its client is lost, and sends the same request to a client that resumes the thread",
    () => {
      const asked = deferred();
      return {
        model: [reply("one"), TOUCH, DONE],
        approvalPolicy: "on-request",
        sandbox: "read-only",
        run: async (world) => {
          const first = await world.connect({
            onApproval: () => {
              asked.resolve();
              return new Promise(() => {});
            },
          });
          const threadId = await shared(world, first);
          const lost = first.thread(threadId).turn("go");
          lost.completed.catch(() => {});
          await asked.promise;
          await first.disconnect();
          const requests: unknown[] = [];
          const second = await world.connect({
            onApproval: ({ kind, threadId: of }) => {
              requests.push({ kind, threadId: of });
              return "decline";
            },
          });
          const ended = heard(second, "turn/completed");
          const resumed = await second.resumeThread(threadId);
          expectMatch(await ended, { threadId, turn: { status: "completed" } }, "the end");
          expectMatch(requests, [{ kind: "command", threadId }], "the requests");
          expectThat(resumed.state.turns.length === 2, "the thread has both turns");
        },
      };
    },
    many("0.121.0"),
  ),
  scenario(
    "clients.steer",
    "sends the rest of a turn, and its end, to a client that resumes the thread during the turn",
    () => {
      const held = gate();
      return {
        model: [reply("one"), reply("a long answer", { deltas: ["a long ", held, "answer"] })],
        run: async (world) => {
          const [first, second] = [await world.connect(), await world.connect()];
          const threadId = await shared(world, first);
          // The model has already streamed this text, but the server may not have sent it yet.
          const told = heard(first, "item/agentMessage/delta");
          const turn = first.thread(threadId).turn("second");
          await told;
          await turn.started;
          const deltas = collect(second, "item/agentMessage/delta");
          const ended = heard(second, "turn/completed");
          await second.resumeThread(threadId);
          held.open();
          expectMatch(await turn.completed, { agentMessage: "a long answer" }, "the turn");
          expectMatch(await ended, { turn: { id: turn.id } }, "the end at the other client");
          expectMatch(deltas, [{ params: { delta: "answer" } }], "the deltas at the other client");
        },
      };
    },
    many("0.104.0"),
  ),
  scenario(
    "clients.gates",
    "keeps the opt-in and the opt-out per connection",
    {
      model: [reply("one"), reply("two", { deltas: 2 })],
      run: async (world) => {
        const first = await world.connect({ optOutNotifications: ["item/agentMessage/delta"] });
        const second = await world.connect({ experimentalApi: false });
        const threadId = await shared(world, first);
        await second.resumeThread(threadId);
        const deltas = [first, second].map((codex) => collect(codex, "item/agentMessage/delta"));
        const ended = heard(second, "turn/completed");
        await first.thread(threadId).run("second");
        await ended;
        expectMatch(
          deltas.map((list) => list.length > 0),
          [false, true],
          "the clients that receive deltas",
        );
      },
    },
    many("0.100.0"),
  ),
];
