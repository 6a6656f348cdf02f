import { expect } from "vitest";
import type { WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, connected, FAKE, ids, message, note, running } from "../fake-turn.ts";

const idle: WireStep = note("thread/status/changed", { threadId: "t1", status: { type: "idle" } });
const active = { type: "active", activeFlags: [] };

function stored(status: string, turns: object[]): WireStep {
  return {
    on: "thread/read",
    result: { thread: { id: "t1", status: { type: status, activeFlags: [] }, turns } },
  };
}

verifies(
  "turn.reconciled",
  "reads a turn from the history if its terminal event is missing and its thread is idle",
  async () => {
    await using server = await connected([
      accepted,
      running,
      message("m1", "heard"),
      idle,
      stored("idle", [
        { id: "u0", status: "failed", items: [] },
        {
          id: "u1",
          status: "completed",
          durationMs: 7,
          items: [{ type: "agentMessage", id: "m2", text: "only stored", phase: "final_answer" }],
        },
      ]),
    ]);
    const turn = server.thread.turn("go");
    const methods: string[] = [];
    for await (const event of turn) methods.push(event.method);
    const result = await turn.completed;
    expect(result).toMatchObject({ source: "reconciled", agentMessage: "only stored", durationMs: 7 });
    expect(result.items.map(({ id }) => id)).toEqual(["m1", "m2"]);
    expect(methods).toEqual(["turn/started", "item/completed"]);
    expect(server.thread.state).toMatchObject({ turns: [{ id: "u1", status: "completed" }] });
  },
  FAKE,
);

verifies(
  "turn.reconciled",
  "rejects with the stored failure of the turn",
  async () => {
    const error = { message: "out of tokens", codexErrorInfo: "usageLimitExceeded" };
    await using server = await connected([
      accepted,
      running,
      idle,
      stored("systemError", [{ id: "u1", status: "failed", items: [], error }]),
    ]);
    expect(await rejection(server.thread.run("go"))).toMatchObject({
      code: "turn_failed",
      message: "out of tokens",
      codexErrorInfo: "usageLimitExceeded",
    });
  },
  FAKE,
);

verifies(
  "turn.reconciled",
  "on an ephemeral thread, which has no history, an idle status ends the turn, and its result has the items received so far",
  async () => {
    await using server = await connected([
      accepted,
      running,
      message("m1", "all there is"),
      idle,
      {
        on: "thread/read",
        error: { code: -32600, message: "ephemeral threads do not support includeTurns" },
      },
      stored("idle", []),
    ]);
    const result = await server.thread.run("go");
    expect(result).toMatchObject({ source: "reconciled", agentMessage: "all there is" });
  },
  FAKE,
);

verifies(
  "turn.reconciled",
  "does not read the turn if the thread becomes active again or the terminal event arrives in time",
  async () => {
    await using server = await connected([
      accepted,
      running,
      idle,
      note("thread/status/changed", { threadId: "t1", status: active }),
      idle,
      completed("completed"),
    ]);
    expect(await server.thread.run("go")).toMatchObject({ source: "server" });
    expect(server.methods()).toEqual(["turn/start"]);
  },
  FAKE,
);

verifies(
  "turn.reconciled",
  "stops reading when the thread becomes active during a read",
  async () => {
    await using server = await connected([
      accepted,
      running,
      idle,
      { on: "thread/read" },
      note("thread/status/changed", { threadId: "t1", status: active }),
      {
        answer: "thread/read",
        result: {
          thread: { id: "t1", status: active, turns: [{ id: "u1", status: "inProgress", items: [] }] },
        },
      },
      { on: "turn/interrupt", result: {} },
      completed("interrupted"),
    ]);
    // Longer than two reads take.
    expect(await rejection(server.thread.run("go", { timeoutMs: 1_500 }))).toMatchObject({
      code: "turn_timeout",
    });
    expect(server.methods()).toEqual(["turn/start", "thread/read", "turn/interrupt"]);
  },
  FAKE,
);

verifies(
  "turn.reconciled",
  "a turn that has ended on the server does not time out because of silence if only its last event was lost",
  async () => {
    await using server = await connected([
      accepted,
      running,
      message("m1", "done"),
      stored("idle", [{ id: "u1", status: "completed", items: [] }]),
    ]);
    const result = await server.thread.run("go", { silenceMs: 20 });
    expect(result).toMatchObject({ source: "reconciled", agentMessage: "done" });
  },
  FAKE,
);

verifies(
  "turn.reconciled",
  "a server that no longer answers cannot delay the end of a turn",
  async () => {
    await using server = await connected([accepted, running]);
    const error = await rejection(server.thread.run("go", { silenceMs: 20 }));
    expect(error).toMatchObject({ code: "turn_timeout" });
    expect(server.methods()).toEqual(["turn/start", "thread/read", "turn/interrupt"]);
    expect(server.thread.state.turns).toMatchObject([{ id: "u1", status: "interrupted" }]);
  },
  { ...FAKE, timeoutMs: 15_000 },
);

verifies(
  ["turn.terminal-events", "spec001.terminal"],
  "turn/failed, turn/cancelled and a turn/completed without params also end a turn",
  async () => {
    await using server = await connected([
      accepted,
      running,
      note("turn/failed", { ...ids, message: "it broke" }),
      accepted,
      running,
      note("turn/cancelled", { ...ids, reason: "not wanted" }),
      accepted,
      running,
      { send: { method: "turn/completed" } },
    ]);
    expect(await rejection(server.thread.run("1"))).toMatchObject({
      code: "turn_failed",
      message: "it broke",
    });
    expect(await rejection(server.thread.run("2"))).toMatchObject({
      code: "turn_interrupted",
      message: "not wanted",
    });
    expect(await server.thread.run("3")).toMatchObject({ turn: { id: "u1", status: "completed" } });
  },
  FAKE,
);
