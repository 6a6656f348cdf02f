import { expect } from "vitest";
import type { WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, connected, FAKE, ids, message, note, running } from "../fake-turn.ts";

verifies(
  "turn.run",
  "a result has the items, final answer, diff, plan, usage and duration of the turn",
  async () => {
    const total = (inputTokens: number) => ({
      inputTokens,
      cachedInputTokens: 1,
      outputTokens: 2,
      reasoningOutputTokens: 0,
      totalTokens: inputTokens + 2,
    });
    const usage = (before: number, last: number): WireStep =>
      note("thread/tokenUsage/updated", { ...ids, tokenUsage: { total: total(before), last: total(last) } });
    await using server = await connected([
      accepted,
      running,
      message("m1", "I will look", "commentary"),
      note("item/completed", { ...ids, item: { type: "commandExecution", id: "c1", command: "ls" } }),
      usage(110, 10),
      usage(110, 10),
      note("turn/plan/updated", { ...ids, plan: [{ step: "look", status: "completed" }] }),
      note("turn/diff/updated", { ...ids, diff: "+1" }),
      note("turn/diff/updated", { ...ids, diff: "+2" }),
      message("m2", "The answer", "final_answer"),
      message("m3", "an afterthought"),
      usage(150, 40),
      completed("completed", { durationMs: 42 }),
    ]);
    const result = await server.thread.run("go");
    expect(result.items.map((item) => item.id)).toEqual(["m1", "c1", "m2", "m3"]);
    expect(result).toMatchObject({
      agentMessage: "The answer",
      diff: "+2",
      plan: [{ step: "look", status: "completed" }],
      durationMs: 42,
      source: "server",
      usage: { inputTokens: 50, outputTokens: 2, totalTokens: 52 },
      turn: { id: "u1", status: "completed" },
    });
  },
  FAKE,
);

verifies(
  "turn.run",
  "a turn without output has an empty answer and no diff, plan or usage",
  async () => {
    await using server = await connected([accepted, running, completed("completed")]);
    const result = await server.thread.run("go");
    expect(result.agentMessage).toBe("");
    expect(Object.keys(result).toSorted()).toEqual([
      "agentMessage",
      "durationMs",
      "items",
      "output",
      "source",
      "turn",
    ]);
  },
  FAKE,
);

verifies(
  "turn.iterate",
  "a turn can be iterated and awaited at the same time, and later iterators start at the current event",
  async () => {
    await using server = await connected([
      accepted,
      running,
      note("item/agentMessage/delta", { ...ids, itemId: "m1", delta: "Hel" }),
      note("item/agentMessage/delta", { ...ids, itemId: "m1", delta: "lo" }),
      message("m1", "Hello"),
      { on: "account/logout", result: {} },
      completed("completed"),
    ]);
    const turn = server.thread.turn("go");
    expect(() => turn.id).toThrow("await turn.started");
    await turn.started;
    expect(turn.id).toBe("u1");
    const late: string[] = [];
    const methods: string[] = [];
    let joined: Promise<void> | undefined;
    for await (const event of turn) {
      methods.push(event.method);
      if (event.method !== "item/completed") continue;
      joined = (async () => {
        for await (const each of turn) late.push(each.method);
      })();
      await server.codex.request("account/logout", undefined);
    }
    await joined;
    expect(methods).toEqual([
      "turn/started",
      "item/agentMessage/delta",
      "item/agentMessage/delta",
      "item/completed",
      "turn/completed",
    ]);
    expect(late).toEqual(["turn/completed"]);
    expect((await turn.completed).agentMessage).toBe("Hello");
    const after: unknown[] = [];
    for await (const event of turn) after.push(event);
    expect(after).toEqual([]);
  },
  FAKE,
);

verifies(
  "turn.iterate",
  "leaving the loop does not stop the turn",
  async () => {
    await using server = await connected([
      accepted,
      running,
      message("m1", "still here"),
      completed("completed"),
    ]);
    const turn = server.thread.turn("go");
    for await (const event of turn) {
      expect(event.method).toBe("turn/started");
      break;
    }
    expect((await turn.completed).agentMessage).toBe("still here");
    expect(server.methods()).toEqual(["turn/start"]);
  },
  FAKE,
);

verifies(
  "turn.early-events",
  "events that arrive before the answer to turn/start are delivered first",
  async () => {
    await using server = await connected([
      { on: "turn/start" },
      running,
      message("m1", "quick"),
      completed("completed"),
      { answer: "turn/start", result: { turn: { id: "u1" } } },
    ]);
    const turn = server.thread.turn("go");
    const methods: string[] = [];
    for await (const event of turn) methods.push(event.method);
    expect(methods).toEqual(["turn/started", "item/completed", "turn/completed"]);
    expect((await turn.completed).agentMessage).toBe("quick");
  },
  FAKE,
);

verifies(
  "turn.isolation",
  "events of other turns and threads never reach a turn",
  async () => {
    const foreign = { threadId: "t2", turnId: "u1" };
    const earlier = { threadId: "t1", turnId: "u0" };
    await using server = await connected([
      { on: "turn/start" },
      note("item/completed", { ...earlier, item: { type: "commandExecution", id: "old" } }),
      { answer: "turn/start", result: { turn: { id: "u1" } } },
      running,
      note("item/completed", { ...foreign, item: { type: "agentMessage", id: "x", text: "not mine" } }),
      note("item/completed", { ...earlier, item: { type: "agentMessage", id: "y", text: "not mine" } }),
      note("turn/completed", { threadId: "t2", turn: { id: "u1", status: "failed", items: [] } }),
      note("turn/completed", { threadId: "t1", turn: { id: "u0", status: "failed", items: [] } }),
      note("thread/status/changed", { threadId: "t1", status: { type: "idle" } }),
      message("m1", "mine"),
      completed("completed"),
    ]);
    const turn = server.thread.turn("go");
    const methods: string[] = [];
    for await (const event of turn) methods.push(event.method);
    expect(methods).toEqual(["turn/started", "item/completed", "turn/completed"]);
    expect((await turn.completed).agentMessage).toBe("mine");
  },
  FAKE,
);

verifies(
  "turn.busy",
  "a second turn on a thread rejects with thread_busy until the first has ended",
  async () => {
    await using server = await connected([
      accepted,
      running,
      { on: "account/logout", result: {} },
      completed("completed"),
      accepted,
      completed("completed"),
    ]);
    const first = server.thread.run("go");
    const other = server.codex.thread("t1");
    expect(await rejection(other.run("me too"))).toMatchObject({ code: "thread_busy", threadId: "t1" });
    expect(() => other.turn("me too")).toThrow("is running a turn");
    await server.codex.request("account/logout", undefined);
    await first;
    await other.run("now");
    expect(server.methods()).toEqual(["turn/start", "account/logout", "turn/start"]);
  },
  FAKE,
);
