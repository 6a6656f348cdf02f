import { expect } from "vitest";
import type { WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, connected, FAKE, ids, message, note, running } from "../fake-turn.ts";

const pause: WireStep = { on: "account/logout", result: {} };

/** The second turn, from its answer to its end. */
const second: readonly WireStep[] = [
  { on: "turn/start", result: { turn: { id: "u2" } } },
  note("turn/started", { threadId: "t1", turn: { id: "u2" } }),
  note("item/completed", {
    threadId: "t1",
    turnId: "u2",
    item: { type: "agentMessage", id: "m2", text: "second" },
  }),
  note("turn/completed", { threadId: "t1", turn: { id: "u2", status: "completed", items: [] } }),
];

verifies(
  "turn.send",
  "a message to an idle thread starts a turn in every mode",
  async () => {
    for (const mode of ["steer", "queue", "interrupt"] as const) {
      await using server = await connected([accepted, running, message("m1", mode), completed("completed")]);
      const { outcome, turn } = await server.thread.send("go", { mode });
      expect(outcome).toBe("started");
      expect((await turn.completed).agentMessage).toBe(mode);
    }
  },
  FAKE,
);

verifies(
  "turn.send",
  "rejects an invalid mode, and the running turn continues",
  async () => {
    await using server = await connected([accepted, running, pause, completed("completed")]);
    const first = server.thread.turn("go");
    await first.started;
    for (const options of [{}, { mode: "enqueue" }]) {
      const sent = server.thread.send("and this", options as unknown as { mode: "queue" });
      expect(await rejection(sent)).toMatchObject({ code: "invalid_argument" });
    }
    await server.codex.request("account/logout", undefined);
    await first.completed;
    expect(server.fake.received.some(({ method }) => method === "turn/interrupt")).toBe(false);
  },
  FAKE,
);

verifies(
  "turn.send",
  "steer adds the message to the running turn after it has started",
  async () => {
    await using server = await connected([
      accepted,
      pause,
      running,
      { on: "turn/steer", result: { turnId: "u1" } },
      completed("completed"),
    ]);
    const first = server.thread.turn("go");
    const sent = server.thread.send("and this", { mode: "steer" });
    await server.codex.request("account/logout", undefined);
    expect(await sent).toEqual({ outcome: "steered", turn: first });
    await first.completed;
    expect(server.fake.received.at(-1)).toMatchObject({
      method: "turn/steer",
      params: { threadId: "t1", expectedTurnId: "u1", input: [{ type: "text", text: "and this" }] },
    });
  },
  FAKE,
);

verifies(
  "turn.send",
  "a message that was steered into an ending turn gets its own turn",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { on: "turn/steer" },
      completed("completed"),
      { answer: "turn/steer", error: { code: -32600, message: "no active turn to steer" } },
      ...second,
    ]);
    const first = server.thread.turn("go");
    const { outcome, turn } = await server.thread.send("late", { mode: "steer" });
    expect(outcome).toBe("started");
    expect(turn).not.toBe(first);
    expect((await turn.completed).agentMessage).toBe("second");
  },
  FAKE,
);

verifies(
  "turn.send",
  "steering a review or compaction rejects with turn_not_steerable",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { on: "turn/steer", error: { code: -32600, message: "cannot steer a review turn" } },
      completed("completed"),
    ]);
    const first = server.thread.turn("go");
    const error = await rejection(server.thread.send("more", { mode: "steer" }));
    expect(error).toMatchObject({ code: "turn_not_steerable" });
    await first.completed;
  },
  FAKE,
);

verifies(
  "turn.send",
  "queued messages run one after the other, in order, after the running turn",
  async () => {
    await using server = await connected([
      accepted,
      running,
      pause,
      completed("completed"),
      ...second,
      accepted,
      running,
      completed("completed"),
    ]);
    const first = server.thread.turn("go");
    const one = await server.thread.send("one", { mode: "queue" });
    const two = await server.thread.send("two", { mode: "queue" });
    expect([one.outcome, two.outcome]).toEqual(["queued", "queued"]);
    expect(server.methods()).toEqual(["turn/start"]);
    await server.codex.request("account/logout", undefined);
    await first.completed;
    expect((await one.turn.completed).agentMessage).toBe("second");
    await two.turn.completed;
    const inputs = server.fake.received.flatMap(({ method, params }) =>
      method === "turn/start" ? [(params as { input: { text: string }[] }).input[0]?.text] : [],
    );
    expect(inputs).toEqual(["go", "one", "two"]);
  },
  FAKE,
);

verifies(
  "turn.send",
  "never sends a queued turn that was given up",
  async () => {
    await using server = await connected([accepted, running, pause, completed("completed"), pause]);
    const first = server.thread.turn("go");
    const controller = new AbortController();
    const { turn } = await server.thread.send("later", { mode: "queue", signal: controller.signal });
    controller.abort("changed my mind");
    expect(await rejection(turn.completed)).toMatchObject({ code: "aborted", delivery: "notSent" });
    await server.codex.request("account/logout", undefined);
    await first.completed;
    await server.codex.request("account/logout", undefined);
    expect(server.methods()).toEqual(["turn/start", "account/logout", "account/logout"]);
  },
  FAKE,
);

verifies(
  "turn.send",
  "interrupt ends the running turn and starts a turn for the message",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
      ...second,
    ]);
    const first = server.thread.turn("go");
    const { outcome, turn } = await server.thread.send("instead", { mode: "interrupt" });
    expect(outcome).toBe("started");
    expect(await rejection(first.completed)).toMatchObject({ code: "turn_interrupted" });
    expect((await turn.completed).agentMessage).toBe("second");
  },
  FAKE,
);

verifies(
  ["turn.send", "turn.unsolicited"],
  "a turn that this client did not start makes the thread busy, can be steered, and its handle ends with it",
  async () => {
    await using server = await connected([
      pause,
      note("turn/started", { threadId: "t1", turn: { id: "u9" } }),
      pause,
      { on: "turn/steer", result: { turnId: "u9" } },
      note("item/completed", {
        ...ids,
        turnId: "u9",
        item: { type: "agentMessage", id: "m", text: "theirs" },
      }),
      note("turn/completed", { threadId: "t1", turn: { id: "u9", status: "completed", items: [] } }),
    ]);
    const { thread } = server;
    await server.codex.request("account/logout", undefined);
    await server.codex.request("account/logout", undefined);
    expect(thread.state.activeTurnId).toBe("u9");
    expect(await rejection(thread.run("mine"))).toMatchObject({ code: "thread_busy" });
    const { outcome, turn } = await thread.send("mine", { mode: "steer" });
    expect([outcome, turn.id]).toEqual(["steered", "u9"]);
    expect((await turn.completed).agentMessage).toBe("theirs");
    expect(thread.state.activeTurnId).toBeUndefined();
  },
  FAKE,
);

verifies(
  "turn.phantom",
  "a turn id without any events stands for the running turn",
  async () => {
    // Servers up to 0.145: u9, which this client did not start, receives the input, and u1 never runs.
    await using server = await connected([
      { on: "turn/start" },
      note("turn/started", { threadId: "t1", turn: { id: "u9" } }),
      note("turn/completed", { threadId: "t1", turn: { id: "u9", status: "completed", items: [] } }),
      { answer: "turn/start", result: { turn: { id: "u1" } } },
      running,
      message("m1", "its own"),
      completed("completed"),
    ]);
    expect((await server.thread.run("go")).agentMessage).toBe("its own");
  },
  FAKE,
);
