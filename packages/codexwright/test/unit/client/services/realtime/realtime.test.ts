import { expect } from "vitest";
import type { Realtime, RealtimeEvent } from "codexwright";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { fakeClient } from "../../fake-client.ts";
import { connected, FAKE, note } from "../../fake-turn.ts";
import { append, closed, cue, delta, done, failed, start, started, stop, toTheEnd } from "./fake-realtime.ts";

const threadId = "t1";

/** Returns the joined text up to the end of an utterance. */
async function utterance(realtime: Realtime): Promise<string> {
  let said = "";
  for await (const event of realtime) {
    if (event.method === "thread/realtime/transcript/delta") said += event.params.delta;
    if (event.method === "thread/realtime/transcript/done") break;
  }
  return said;
}

verifies(
  "realtime.text",
  "a conversation accepts text, delivers each event once across several loops, and stops",
  async () => {
    await using server = await connected([
      start,
      started,
      append,
      delta("Hel"),
      delta("lo"),
      done("Hello"),
      delta("More"),
      done("More"),
      append,
      note("thread/realtime/transcript/done", { threadId: "another", role: "user", text: "foreign" }),
      stop,
      closed("requested"),
    ]);
    const realtime = await server.thread.realtime({ prompt: "Be brief.", includeStartupContext: false });
    await realtime.appendText("hi");
    expect(await utterance(realtime)).toBe("Hello");
    // Events that arrive between loops are not lost.
    await realtime.appendText("the plan", { role: "developer" });
    expect(await utterance(realtime)).toBe("More");
    await Promise.all([realtime.stop(), realtime.stop()]);
    expect(await realtime.closed).toEqual({ threadId, reason: "requested" });
    expect(await toTheEnd(realtime)).toEqual(["closed"]);
    expect(await rejection(realtime.appendText("late"))).toMatchObject({ code: "invalid_argument" });
    expect(server.fake.received.slice(3).map(({ method, params }) => [method, params])).toEqual([
      [
        "thread/realtime/start",
        { threadId, outputModality: "text", prompt: "Be brief.", includeStartupContext: false },
      ],
      ["thread/realtime/appendText", { threadId, text: "hi" }],
      ["thread/realtime/appendText", { threadId, text: "the plan", role: "developer" }],
      ["thread/realtime/stop", { threadId }],
    ]);
  },
  FAKE,
);

verifies(
  "realtime.failure",
  "rejects with a code if the server refuses a start, whether before, in or after its answer",
  async () => {
    await using server = await connected([
      { on: "thread/realtime/start" },
      failed("requires API key auth"),
      { answer: "thread/realtime/start", result: {} },
      start,
      failed("connection refused"),
      { on: "thread/realtime/start", error: { code: -32600, message: "thread not found: t1" } },
    ]);
    for (const expected of [
      { code: "realtime_failed", message: "requires API key auth" },
      { code: "realtime_failed", message: "connection refused" },
      { code: "thread_not_found" },
    ]) {
      expect(await rejection(server.thread.realtime())).toMatchObject(expected);
    }
    expect(server.methods()).toEqual(Array.from({ length: 3 }, () => "thread/realtime/start"));
  },
  FAKE,
);

verifies(
  "realtime.failure",
  "an error ends the iteration, settles `closed` and rejects more text; another conversation may start",
  async () => {
    await using server = await connected([
      start,
      started,
      cue,
      failed("upstream boom"),
      closed("error"),
      start,
      started,
      closed("error"),
      start,
      started,
      closed("transport_closed"),
    ]);
    const realtime = await server.thread.realtime();
    const seen = toTheEnd(realtime);
    await server.codex.logout();
    const boom = await rejection(realtime.closed);
    expect(boom).toMatchObject({ code: "realtime_failed", message: "upstream boom" });
    expect(await seen).toEqual(["started", "error", boom]);
    expect(await rejection(realtime.appendText("hi"))).toBe(boom);
    await realtime.stop();

    const unsaid = await server.thread.realtime();
    expect(await rejection(unsaid.closed)).toMatchObject({ code: "realtime_failed" });
    const left = await server.thread.realtime();
    expect(await left.closed).toMatchObject({ reason: "transport_closed" });
    expect(server.methods()).not.toContain("thread/realtime/stop");
  },
  FAKE,
);

verifies(
  "realtime.one",
  "a thread has one conversation at a time; one that another client starts replaces it",
  async () => {
    await using server = await connected([
      start,
      // The end of another client's conversation, which this one replaces.
      closed("requested"),
      started,
      cue,
      started,
    ]);
    const realtime = await server.thread.realtime();
    expect(await rejection(server.thread.realtime())).toMatchObject({
      code: "thread_busy",
      message: "thread t1 already has a realtime conversation: stop it first",
    });
    const seen = toTheEnd(realtime);
    await server.codex.logout();
    expect(await seen).toEqual(["started", expect.objectContaining({ code: "realtime_failed" })]);
    await realtime.stop();
  },
  FAKE,
);

verifies(
  "realtime.memory",
  "joins unread events, then drops the oldest with one warning",
  async () => {
    const item = note("thread/realtime/itemAdded", { threadId, item: { n: "$n" } });
    await using world = await fakeClient([
      start,
      started,
      { ...delta("<$n>"), repeat: 20_000 },
      cue,
      cue,
      { ...item, repeat: 10_000 },
      cue,
      stop,
      closed("requested"),
    ]);
    const realtime = await world.codex.thread(threadId).realtime();
    await world.codex.logout();
    const events = realtime[Symbol.asyncIterator]();
    const taken: RealtimeEvent[] = [];
    let said = "";
    while (!said.endsWith("<19999>")) {
      const { value } = await events.next();
      if (value?.method === "thread/realtime/transcript/delta") said += value.params.delta;
      if (value) taken.push(value);
    }
    expect(said).toBe(Array.from({ length: 20_000 }, (_, n) => `<${n}>`).join(""));
    expect(taken.length).toBeLessThan(1_100);
    expect(world.warnings).toEqual([]);

    await world.codex.logout();
    await world.codex.logout();
    expect(world.warnings).toEqual(["events_dropped"]);
    await realtime.stop();
    const rest = await toTheEnd(realtime);
    expect(rest).toHaveLength(4_096);
    expect(rest.at(-1)).toBe("closed");
  },
  FAKE,
);

verifies(
  "realtime.unsupported",
  "detects servers without text conversations before anything is sent, or by their refusal",
  async () => {
    for (const version of ["0.98.0", "0.120.0"]) {
      await using old = await fakeClient([], version);
      const error = await rejection(old.codex.thread(threadId).realtime());
      expect(error).toMatchObject({ code: "unsupported", delivery: "notSent" });
      expect(old.sent()).toEqual([]);
    }
    const message = "thread t1 does not support realtime conversation";
    const refused = { on: "thread/realtime/start", error: { code: -32600, message } };
    await using flagged = await fakeClient([refused], "0.145.0");
    const error = await rejection(flagged.codex.thread(threadId).realtime());
    expect(error).toMatchObject({ code: "unsupported", delivery: "rejected" });
    expect(String(error)).toContain("features");
  },
  FAKE,
);
