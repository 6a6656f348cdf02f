import { gate } from "../../model-gate.ts";
import { reply, toolCall } from "../../model-steps.ts";
import { expectDefined, expectMatch, expectRejection, expectThat } from "../expect.ts";
import type { Scenario } from "../scenario.ts";
import { collect, deferred, heard, ofType, scenario, send } from "../steps.ts";

export const SPECIAL: readonly Scenario[] = [
  scenario(
    "compact.turn",
    "runs a compaction as a separate turn with one item, and the thread continues with the summary",
    {
      model: ({ index }) => reply(index === 1 ? "a summary" : `answer ${index}`),
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const items = collect(codex, "item/completed");
        const ended = heard(codex, "turn/completed");
        await thread.compact();
        expectMatch(await ended, { threadId: thread.id, turn: { status: "completed" } }, "its end");
        expectThat(
          items.some(({ params }) => params.item.type === "contextCompaction"),
          "there is a compaction item",
        );
        await thread.run("two");
        const input = JSON.stringify(world.model.requests[2]?.input);
        expectThat(input.includes("a summary"), "the model gets the summary");
        expectThat(!input.includes("answer 0"), "the model does not get what was summarised");
      },
    },
  ),
  scenario(
    "review.inline",
    "runs a review as a turn of the thread, between entering and leaving the review mode",
    {
      model: [reply("Looks good.", { phase: "final_answer" })],
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        const started = collect(codex, "item/started");
        const { items, reviewText, reviewThreadId } = await codex.runReview({
          threadId: thread.id,
          target: { type: "custom", instructions: "Look at it" },
        });
        expectMatch(reviewThreadId, thread.id, "the thread it ran on");
        expectMatch(reviewText, /Looks good\./, "the review");
        const begun = started.map(({ params }) => params.item);
        expectMatch(ofType(begun, "enteredReviewMode"), [{ review: "Look at it" }], "the beginning");
        expectMatch(ofType(items, "exitedReviewMode"), [{ review: /Looks good\./ }], "the end");
      },
    },
  ),
  scenario(
    "review.steer",
    "rejects steering a review",
    () => {
      const held = gate();
      return {
        model: [reply("Looks good.", { deltas: ["Looks ", held, "good."] })],
        run: async (world) => {
          const codex = await world.connect();
          const { id: threadId } = await codex.startThread();
          const ended = heard(codex, "turn/completed");
          const { turn } = await codex.startReview({
            threadId,
            target: { type: "custom", instructions: "Look at it" },
          });
          await held.reached;
          await expectRejection(
            send(codex, "turn/steer", {
              threadId,
              input: [{ type: "text", text: "more" }],
              expectedTurnId: turn.id,
            }),
            { rpcCode: -32600, message: /cannot steer a review turn/i },
            "the steer",
          );
          held.open();
          expectMatch(await ended, { turn: { status: "completed" } }, "the end");
        },
      };
    },
    { since: "0.117.0" },
  ),
  scenario(
    "review.interrupt",
    "runs the reviewer as a second turn; only that turn can be interrupted, but the end names the turn of the review",
    () => {
      const held = gate();
      return {
        model: [reply("Looks good.", { deltas: ["Looks ", held, "good."] }), reply("next")],
        run: async (world) => {
          const codex = await world.connect();
          const thread = await codex.startThread();
          const threadId = thread.id;
          const begun = heard(codex, "turn/started");
          const speaking = heard(codex, "item/started", ({ item }) => item.type === "agentMessage");
          const items = collect(codex, "item/completed");
          const ended = heard(codex, "turn/completed");
          const target = { type: "custom", instructions: "Look at it" } as const;
          const { turn } = await codex.request("review/start", { threadId, target });
          const { turn: reviewer } = await begun;
          expectThat(reviewer.id !== turn.id, "the reviewer is another turn");
          await speaking;
          await expectRejection(
            send(codex, "turn/interrupt", { threadId, turnId: turn.id }),
            {
              rpcCode: -32600,
              message: `expected active turn id ${turn.id} but found ${reviewer.id}`,
            },
            "the interruption of the review",
          );
          await send(codex, "turn/interrupt", { threadId, turnId: reviewer.id });
          expectMatch(await ended, { turn: { id: turn.id, status: "interrupted" } }, "the end");
          const own = items
            .filter(({ params }) => params.turnId === turn.id)
            .map(({ params }) => params.item);
          expectMatch(
            ofType(own, "exitedReviewMode"),
            [{ review: "Reviewer failed to output a response." }],
            "the review",
          );
          expectMatch(ofType(own, "agentMessage"), [{ text: /^Review was interrupted/ }], "the message");
          expectMatch(await thread.run("two"), { agentMessage: "next" }, "the next turn");
        },
      };
    },
    { since: "0.145.0" },
  ),
  scenario(
    "review.detached",
    "rejects a detached review as an unknown delivery",
    {
      model: [],
      run: async (world) => {
        const codex = await world.connect();
        const { id: threadId } = await codex.startThread();
        const target = { type: "uncommittedChanges" };
        await expectRejection(
          send(codex, "review/start", { threadId, target, delivery: "detached" }),
          { rpcCode: -32600, message: "Invalid request: unknown variant `detached`, expected `inline`" },
          "the review",
        );
      },
    },
    { since: "0.166.0" },
  ),
  scenario(
    "shell.turn",
    "runs a user's shell command as a separate turn, outside the sandbox, and the model gets its output",
    {
      model: [reply("one"), reply("two")],
      sandbox: "read-only",
      commands: { "echo from the shell": { output: "from the shell\n" } },
      run: async (world) => {
        const codex = await world.connect();
        const thread = await codex.startThread();
        await thread.run("one");
        const items = collect(codex, "item/completed");
        const ended = heard(codex, "turn/completed");
        await thread.shellCommand("echo from the shell");
        await ended;
        const [command] = ofType(
          items.map(({ params }) => params.item),
          "commandExecution",
        );
        expectMatch(
          command,
          { source: "userShell", status: "completed", exitCode: 0, aggregatedOutput: "from the shell\n" },
          "the item",
        );
        await thread.run("two");
        const input = JSON.stringify(world.model.requests[1]?.input);
        expectThat(input.includes("from the shell"), "the model gets the output");
      },
    },
    { since: "0.120.0" },
  ),
  scenario(
    "agents.child",
    "runs a sub-agent on a separate thread, announces it to the client, and the parent has an item that names it",
    () => {
      // If the child ended before its parent, the server would report that end to the parent's model.
      const held = gate();
      return {
        model: ({ lastUserText, toolOutputs }) => {
          if (lastUserText !== "parent") return [held, reply(`answer to ${lastUserText}`)];
          return Object.keys(toolOutputs).length === 0
            ? toolCall("spawn_agent", { message: "child task" }, { namespace: "multi_agent_v1" })
            : reply("answer to parent");
        },
        run: async (world) => {
          const codex = await world.connect();
          const thread = await codex.startThread();
          const done = deferred<string>();
          codex.on("turn:completed", (_turn, { threadId }) => {
            if (threadId !== thread.id) done.resolve(threadId);
          });
          const children: ReturnType<typeof codex.thread>[] = [];
          codex.on("turn:started", (_turn, { threadId }) => {
            if (threadId !== thread.id) children.push(codex.thread(threadId));
          });
          const { items, agentMessage } = await thread.run("parent");
          expectMatch(agentMessage, "answer to parent", "the parent's answer");
          const [spawned] = ofType(items, "collabAgentToolCall");
          held.open();
          const childId = await done.promise;
          expectMatch(spawned, { receiverThreadIds: [childId], status: "completed" }, "the parent's item");
          const child = expectDefined(children[0], "a child");
          expectMatch(child.id, childId, "the child's id");
          expectMatch(
            child.state.turns[0]?.items.at(-1)?.item,
            { type: "agentMessage", text: "answer to child task" },
            "the child's answer",
          );
        },
      };
    },
    { since: "0.133.0" },
  ),
];
