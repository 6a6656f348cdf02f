import { expect } from "vitest";
import { exec, gate, hang, reply } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { PINNED, world } from "@codexwright/test-support/world";

verifies(
  "turn.send",
  "steers a running turn: the model receives the message, and the turn's handle stays the same",
  async () => {
    const held = gate();
    await using live = await world([reply("first", { deltas: ["fir", held, "st"] }), reply("both heard")]);
    const thread = await live.codex.startThread();
    const turn = thread.turn("one");
    // The steer cuts the message off, so the client must have seen its beginning.
    for await (const { method } of turn) if (method === "item/agentMessage/delta") break;
    const sent = await thread.send("two", { mode: "steer" });
    expect(sent.outcome).toBe("steered");
    expect(sent.turn).toBe(turn);
    held.open();
    const result = await turn.completed;
    expect(result.agentMessage).toBe("both heard");
    expect(result.items.filter(({ type }) => type === "userMessage")).toHaveLength(2);
    // The message that the steer cut off was never completed, so it is not in the result.
    expect(thread.state.turns[0]?.items.filter(({ life }) => life === "incomplete")).toHaveLength(1);
  },
  PINNED,
);

verifies(
  "turn.send",
  "queued and interrupting messages run as separate turns, in order",
  async () => {
    await using live = await world((request) =>
      request.lastUserText === "wait" ? hang() : reply(`heard ${request.lastUserText}`),
    );
    const thread = await live.codex.startThread();
    const first = thread.turn("wait");
    await live.model.request(0);
    const queued = await thread.send("queued", { mode: "queue" });
    const urgent = await thread.send("urgent", { mode: "interrupt" });
    expect([queued.outcome, urgent.outcome]).toEqual(["queued", "started"]);
    expect(await rejection(first.completed)).toMatchObject({ code: "turn_interrupted" });
    expect((await urgent.turn.completed).agentMessage).toBe("heard urgent");
    expect((await queued.turn.completed).agentMessage).toBe("heard queued");
    const asked = live.model.requests.map(({ lastUserText }) => lastUserText);
    expect(asked).toEqual(["wait", "urgent", "queued"]);
  },
  PINNED,
);

verifies(
  "turn.phantom",
  "if a second turn/start bypasses the client, the running turn receives its input and completes",
  async () => {
    const held = gate();
    await using live = await world([reply("first", { deltas: ["fir", held, "st"] }), reply("both")]);
    const thread = await live.codex.startThread();
    const turn = thread.turn("one");
    await held.reached;
    const answer = await live.codex.request("turn/start", {
      threadId: thread.id,
      input: [{ type: "text", text: "two" }],
    });
    expect(answer.turn.id).toBe(turn.id);
    held.open();
    await turn.completed;
    expect(thread.state.activeTurnId).toBeUndefined();
  },
  PINNED,
);

verifies(
  ["turn.silence", "turn.run"],
  "a command that is silent for longer than silenceMs does not count as a silent model",
  async () => {
    await using live = await world([
      exec("sleep 2; echo done", { args: { yield_time_ms: 5_000 } }),
      reply("ok"),
    ]);
    const thread = await live.codex.startThread();
    expect((await thread.run("go", { silenceMs: 600 })).agentMessage).toBe("ok");
  },
  PINNED,
);

verifies(
  "spec-002.surface",
  "the flat methods of the client do the same as the handles",
  async () => {
    const held = gate();
    await using live = await world([
      reply("one"),
      reply("steered away", { deltas: ["steered ", held, "away"] }),
      reply("two"),
      hang(),
      reply("Looks good.", { phase: "final_answer" }),
    ]);
    const { codex } = live;
    const seen: string[] = [];
    codex.on("thread:started", ({ id }) => seen.push(`thread:started ${id === thread?.id}`));
    codex.on("turn:completed", (turn, { threadId }) =>
      seen.push(`turn:completed ${turn.status} ${threadId === thread.id}`),
    );
    codex.on("item:agentMessage:delta", ({ text }) => seen.push(`delta ${text}`));
    const thread = await codex.startThread();
    const threadId = thread.id;
    const completed = await codex.runTurn({ threadId, input: [{ type: "text", text: "go" }] });
    expect(completed).toMatchObject({ agentMessage: "one", turn: { status: "completed" } });
    expect(seen.slice(-2)).toEqual(["delta one", "turn:completed completed true"]);

    const turn = await codex.startTurn({ threadId, input: "more" });
    await held.reached;
    const input = [{ type: "text" as const, text: "else" }];
    expect(await codex.steerTurn({ threadId, input, expectedTurnId: turn.id })).toBe(turn.id);
    held.open();
    expect((await turn.completed).agentMessage).toBe("two");

    const stuck = await codex.startTurn({ threadId, input: "hang" });
    await live.model.request(3);
    await codex.interruptTurn(threadId, stuck.id);
    expect(await rejection(stuck.completed)).toMatchObject({ code: "turn_interrupted" });

    const target = { type: "custom", instructions: "Look at it" } as const;
    const review = await codex.runReview({ threadId, target });
    expect(review).toMatchObject({
      reviewThreadId: threadId,
      reviewText: expect.stringContaining("Looks good."),
    });

    expect((await codex.readThread(threadId, true)).turns.length).toBeGreaterThanOrEqual(4);
    expect((await codex.listThreads({ limit: 1 })).data[0]?.id).toBe(threadId);
    expect((await codex.forkThread(threadId)).forkedFromId).toBe(threadId);
    expect((await codex.listModels()).data.length).toBeGreaterThan(0);
    const { exitCode, stdout } = await codex.execCommand({ command: ["echo", "hi"] });
    expect([exitCode, stdout]).toEqual([0, "hi\n"]);
    await codex.compactThread(threadId);
  },
  PINNED,
);
