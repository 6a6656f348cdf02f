import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { fakeAppServer, hang, reply } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { connected, FAKE, ids, note } from "../fake-turn.ts";

const target = { type: "custom", instructions: "Look at it" } as const;
const entered = note("item/started", { ...ids, item: { type: "enteredReviewMode", id: "e", review: "it" } });
const reviewer = note("turn/started", {
  threadId: "t1",
  turn: { id: "u2", status: "inProgress", items: [] },
});
const interrupted = note("turn/completed", {
  threadId: "t1",
  turn: { id: "u1", status: "interrupted", items: [] },
});
const accepted = {
  on: "review/start",
  result: { turn: { id: "u1", status: "inProgress", items: [] }, reviewThreadId: "t1" },
};

for (const how of ["signal", "interruptTurn", "interruptTurn with the id of the reviewer"] as const) {
  verifies(
    "review.interrupt",
    `${how} interrupts the reviewer on the server, and the thread has one turn for the review`,
    async () => {
      await using fake = fakeAppServer({ model: [hang(), reply("next")] });
      await using codex = await CodexClient.connect({ transport: fake.transport });
      const thread = await codex.startThread();
      const ends: unknown[] = [];
      codex.onNotification("turn/completed", ({ turn }) => ends.push([turn.id, turn.status]));
      const stop = new AbortController();
      const review = rejection(codex.runReview({ threadId: thread.id, target, signal: stop.signal }));
      await fake.request(0);
      const { activeTurnId = "", turns } = thread.state;
      const reviewerTurnId = turns[0]?.reviewerTurnId ?? "";
      expect(turns.map(({ id }) => id)).toEqual([activeTurnId]);
      expect(["", activeTurnId]).not.toContain(reviewerTurnId);
      if (how === "signal") stop.abort();
      else if (how === "interruptTurn") await codex.interruptTurn(thread.id, activeTurnId);
      else await codex.interruptTurn(thread.id, reviewerTurnId);
      expect(await review).toMatchObject({ code: how === "signal" ? "aborted" : "turn_interrupted" });
      expect(ends).toEqual([[activeTurnId, "interrupted"]]);
      expect(thread.state.turns).toMatchObject([{ id: activeTurnId, status: "interrupted" }]);
      // In the history, the reviewer is a separate turn.
      await thread.read(true);
      expect(thread.state.turns).toMatchObject([{ id: activeTurnId, status: "interrupted" }]);
      expect((await thread.run("next")).agentMessage).toBe("next");
    },
    FAKE,
  );
}

verifies(
  "review.interrupt",
  "interrupts a review that this client has no handle for",
  async () => {
    await using fake = fakeAppServer({ model: [hang()] });
    await using codex = await CodexClient.connect({ transport: fake.transport });
    const thread = await codex.startThread();
    const { turn } = await codex.request("review/start", { threadId: thread.id, target });
    await fake.request(0);
    const ended = new Promise((resolve) => codex.onNotification("turn/completed", resolve));
    await codex.interruptTurn(thread.id, turn.id);
    expect(await ended).toMatchObject({ turn: { id: turn.id, status: "interrupted" } });
    expect(thread.state.turns).toHaveLength(1);
  },
  FAKE,
);

verifies(
  "review.interrupt",
  "uses the turn that the server names if the start of the reviewer was not reported",
  async () => {
    const message = "expected active turn id u1 but found u2";
    await using world = await connected([
      accepted,
      entered,
      { on: "turn/interrupt", error: { code: -32600, message } },
      { on: "turn/interrupt", result: {} },
      interrupted,
    ]);
    const stop = new AbortController();
    const review = rejection(world.codex.runReview({ threadId: "t1", target, signal: stop.signal }));
    while (world.thread.state.turns.length === 0) await new Promise(setImmediate);
    stop.abort();
    expect(await review).toMatchObject({ code: "aborted" });
    const sent = world.fake.received.filter(({ method }) => method === "turn/interrupt");
    expect(sent).toMatchObject([{ params: { turnId: "u1" } }, { params: { turnId: "u2" } }]);
  },
  FAKE,
);

verifies(
  "review.interrupt",
  "a review has its own items and those of its reviewer's turn, and does not end when that turn ends",
  async () => {
    const item = { type: "agentMessage", id: "m", text: "seen", phase: null };
    const exited = { type: "exitedReviewMode", id: "x", review: "Fine." };
    await using world = await connected([
      accepted,
      entered,
      reviewer,
      note("item/completed", { threadId: "t1", turnId: "u2", item }),
      note("turn/completed", { threadId: "t1", turn: { id: "u2", status: "interrupted", items: [] } }),
      note("item/completed", { ...ids, item: exited }),
      note("turn/completed", { threadId: "t1", turn: { id: "u1", status: "completed", items: [] } }),
    ]);
    const { items, reviewText } = await world.codex.runReview({ threadId: "t1", target });
    expect(reviewText).toBe("Fine.");
    expect(items).toMatchObject([{ id: "m" }, { id: "x" }]);
    expect(world.thread.state.turns).toMatchObject([{ id: "u1", reviewerTurnId: "u2", status: "completed" }]);
  },
  FAKE,
);
