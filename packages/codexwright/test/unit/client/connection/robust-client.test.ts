import { expect } from "vitest";
import { CodexClient } from "codexwright";
import { wireScript, type WireStep } from "@codexwright/testing";
import { rejection } from "@codexwright/test-support/events";
import { verifies } from "@codexwright/test-support/verifies";
import { accepted, completed, connected, FAKE, note, running } from "../fake-turn.ts";

const pause: WireStep = { on: "account/logout", result: {} };
const nextPause = (server: { codex: CodexClient }): Promise<unknown> =>
  server.codex.request("account/logout", undefined);

verifies(
  ["client.server-death", "stdio.exit"],
  "reports the exit code and stderr of a server that exits during a write",
  async () => {
    using fake = wireScript({ script: [{ on: "account/logout" }, { stderr: "gone\n" }, { exit: 7 }] });
    await using codex = await CodexClient.connect({ codexPath: fake.executable });
    const big = "x".repeat(4_000_000);
    const outcomes = [
      codex.request("account/logout", undefined),
      ...Array.from({ length: 4 }, () => codex.request("thread/read", { threadId: big })),
    ].map((each) => rejection(each));
    for (const error of await Promise.all(outcomes)) {
      expect(error).toMatchObject({ code: "connection_closed", exitCode: 7, stderrTail: "gone\n" });
    }
  },
  FAKE,
);

verifies(
  "turn.busy",
  "a run that rejects with thread_busy leaves no listener on its signal",
  async () => {
    await using server = await connected([accepted, running, pause, completed("completed")]);
    const first = server.thread.run("go");
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = ((...args: Parameters<typeof add>) => {
      listeners++;
      add(...args);
    }) as typeof add;
    for (let n = 0; n < 20; n++) await rejection(server.thread.run("me too", { signal }));
    expect(listeners).toBe(0);
    await nextPause(server);
    await first;
  },
  FAKE,
);

verifies(
  ["turn.iterate", "turn.failed"],
  "an iterator that is created after a failure throws it too",
  async () => {
    await using server = await connected([
      accepted,
      running,
      completed("failed", { error: { message: "broke" } }),
    ]);
    const turn = server.thread.turn("go");
    const error = await rejection(turn.completed);
    for await (const event of turn[Symbol.asyncIterator]() as AsyncIterableIterator<unknown>) {
      if (event) break;
    }
    expect(await rejection(turn[Symbol.asyncIterator]().next())).toBe(error);
  },
  FAKE,
);

verifies(
  "client.events",
  "removes registrations one by one, as in Node",
  async () => {
    const script: WireStep[] = [{ raw: "bad" }, { raw: "bad" }, note("skills/changed", {}), pause];
    const codex = new CodexClient({ transport: wireScript({ script }).transport });
    const heard: string[] = [];
    const listener = (): void => void heard.push("warning");
    codex.on("warning", listener).once("warning", listener);
    const notified = (): void => void heard.push("notified");
    const stop = codex.onNotification("skills/changed", notified);
    codex.onNotification("skills/changed", notified);
    stop();
    await codex.connect();
    await codex.request("account/logout", undefined);
    expect(heard).toEqual(["warning", "warning", "warning", "notified"]);
    await codex.disconnect();
  },
  FAKE,
);
