import { expect } from "vitest";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { connected, FAKE, note } from "../../fake-turn.ts";
import { append, closed, cue, failed, start, started, stop, toTheEnd } from "./fake-realtime.ts";

verifies(
  "realtime.ends",
  "a server crash or a disconnect ends a conversation that is starting, running or stopping",
  async () => {
    const died = expect.objectContaining({ code: "connection_closed" });
    await using starting = await connected([start, { exit: 1 }]);
    expect(await rejection(starting.thread.realtime())).toEqual(died);

    await using running = await connected([start, started, append, { exit: 1 }]);
    const cut = await running.thread.realtime();
    const seen = toTheEnd(cut);
    await cut.appendText("hi");
    expect(await seen).toEqual(["started", died]);
    expect(await rejection(cut.appendText("more"))).toEqual(died);
    await cut.stop();

    await using stopping = await connected([start, started, stop, { exit: 1 }]);
    await using late = await stopping.thread.realtime();
    await late.stop();
    expect(await rejection(late.closed)).toEqual(died);

    await using left = await connected([start, started]);
    const open = await left.thread.realtime();
    await left.codex.disconnect();
    expect(await toTheEnd(open)).toEqual(["started", died]);
  },
  FAKE,
);

verifies(
  "realtime.ends",
  "a signal ends the conversation before it is sent, while it starts and while it runs, and ends it on the server too",
  async () => {
    const given = (delivery: string) =>
      expect.objectContaining({ code: "aborted", cause: "enough", delivery });
    const early = AbortSignal.abort("enough");
    await using server = await connected([
      start,
      cue,
      stop,
      started,
      closed("requested"),
      start,
      started,
      stop,
      closed("requested"),
    ]);
    expect(await rejection(server.thread.realtime({ signal: early }))).toEqual(given("notSent"));
    expect(server.methods()).toEqual([]);

    const during = new AbortController();
    const starting = rejection(server.thread.realtime({ signal: during.signal }));
    await server.codex.logout();
    during.abort("enough");
    expect(await starting).toEqual(given("unknown"));

    const after = new AbortController();
    const realtime = await server.thread.realtime({ signal: after.signal });
    after.abort("enough");
    expect(await toTheEnd(realtime)).toEqual(["started", given("unknown")]);
    await realtime.stop();
    expect(server.methods().filter((method) => method !== "account/logout")).toEqual([
      "thread/realtime/start",
      "thread/realtime/stop",
      "thread/realtime/start",
      "thread/realtime/stop",
    ]);
  },
  FAKE,
);

verifies(
  "realtime.ends",
  "gives up a start that takes too long, and does not mistake its late outcome for the outcome of the next start",
  async () => {
    await using server = await connected([
      start,
      stop,
      cue,
      failed("connection timed out"),
      closed("requested"),
      start,
      started,
    ]);
    expect(await rejection(server.thread.realtime({ timeoutMs: 20 }))).toMatchObject({
      code: "request_timeout",
      method: "thread/realtime/start",
      delivery: "unknown",
    });
    // The server still waits for its upstream. The next starts wait too, up to their own time limit.
    expect(await rejection(server.thread.realtime({ timeoutMs: 20 }))).toMatchObject({
      code: "request_timeout",
      delivery: "notSent",
    });
    const next = server.thread.realtime();
    await server.codex.logout();
    const realtime = await next;
    expect(realtime.threadId).toBe("t1");
    expect(server.methods().filter((method) => method === "thread/realtime/start")).toHaveLength(2);
  },
  FAKE,
);

verifies(
  "realtime.ends",
  "the conversation ends when its thread is closed, archived or deleted",
  async () => {
    for (const how of ["closed", "archived", "deleted"]) {
      await using server = await connected([start, started, cue, note(`thread/${how}`, { threadId: "t1" })]);
      await using realtime = await server.thread.realtime();
      const end = rejection(realtime.closed);
      await server.codex.logout();
      expect(await end).toMatchObject({ code: "realtime_failed", message: `its thread was ${how}` });
      expect(server.methods()).not.toContain("thread/realtime/stop");
    }
  },
  FAKE,
);

verifies(
  "realtime.ends",
  "unsubscribing stops the conversation first, and a later conversation subscribes again",
  async () => {
    const resumed = { thread: { id: "t1" }, approvalPolicy: "never", sandbox: { type: "readOnly" } };
    await using server = await connected([
      start,
      started,
      stop,
      closed("requested"),
      { on: "thread/unsubscribe", result: { status: "unsubscribed" } },
      { on: "thread/resume", result: resumed },
      start,
      cue,
      stop,
      closed("requested"),
      { on: "thread/unsubscribe", result: { status: "unsubscribed" } },
    ]);
    const realtime = await server.thread.realtime();
    expect(await server.thread.unsubscribe()).toBe("unsubscribed");
    expect(await realtime.closed).toMatchObject({ reason: "requested" });

    // A conversation that does not run yet is stopped too.
    const starting = rejection(server.thread.realtime());
    await server.codex.logout();
    await server.thread.unsubscribe();
    expect(await starting).toMatchObject({ code: "aborted" });
  },
  FAKE,
);

verifies(
  "realtime.ends",
  "ends the conversation even if the server refuses the stop or never confirms it",
  async () => {
    const refused = { on: "thread/realtime/stop", error: { code: -32600, message: "thread not found: t1" } };
    await using server = await connected([start, started, refused, start, started, stop]);
    {
      await using gone = await server.thread.realtime();
      expect(await rejection(gone.stop())).toMatchObject({ code: "thread_not_found" });
      expect(await rejection(gone.closed)).toMatchObject({ code: "thread_not_found" });
    }
    const mute = await server.thread.realtime();
    // The server has five seconds to confirm the stop.
    await mute.stop();
    expect(await rejection(mute.closed)).toMatchObject({
      code: "request_timeout",
      method: "thread/realtime/stop",
    });
  },
  { ...FAKE, timeoutMs: 15_000 },
);
